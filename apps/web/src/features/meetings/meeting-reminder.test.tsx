import { getSettings, updateNotificationSettings } from "@portal/contract/routes/account";
import { listMeetings } from "@portal/contract/routes/meetings";
import { screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { readStored, STORAGE_KEYS, writeStored } from "../../lib/storage-keys.ts";
import { buildMeeting, buildSettings } from "../../testing/builders.ts";
import { renderApp } from "../../testing/render.tsx";
import { replyTo, server } from "../../testing/server.ts";
import { ReminderSwitch } from "./calendar-page.tsx";
import MeetingReminder from "./meeting-reminder.tsx";

const notices: { title: string; tag: string | undefined }[] = [];

function stubNotifications(permission: NotificationPermission, answer = permission): void {
  class FakeNotification {
    static permission = permission;
    static async requestPermission() {
      FakeNotification.permission = answer;
      return answer;
    }
    onclick: (() => void) | null = null;
    constructor(title: string, options?: NotificationOptions) {
      notices.push({ title, tag: options?.tag });
    }
    close(): void {}
  }
  vi.stubGlobal("Notification", FakeNotification);
}

/** A meeting that begins in `minutes` minutes. */
const soon = (minutes: number) => {
  const start = Date.now() + minutes * 60_000;
  return buildMeeting({
    startTime: new Date(start).toISOString(),
    endTime: new Date(start + 1_800_000).toISOString(),
  });
};

afterEach(() => {
  notices.length = 0;
  vi.unstubAllGlobals();
});

describe("the meeting reminder", () => {
  it("shows a toast and one desktop notification, however many tabs are open", async () => {
    stubNotifications("granted");
    writeStored(STORAGE_KEYS.desktopNotifications, "on");
    const meeting = soon(5);
    server.use(replyTo(listMeetings, [meeting]));
    renderApp(<MeetingReminder />);
    renderApp(<MeetingReminder />);
    expect((await screen.findAllByText("Meeting in 5 minutes")).length).toBeGreaterThan(0);
    expect(notices).toEqual([
      { title: "Meeting in 5 minutes", tag: `meeting-${meeting.id}-${meeting.startTime}` },
    ]);
    expect(readStored(STORAGE_KEYS.reminded)).toBe(`${meeting.id}@${meeting.startTime}`);
  });

  it("shows no desktop notification until it is enabled, which asks the browser for permission", async () => {
    stubNotifications("default", "granted");
    server.use(replyTo(listMeetings, [soon(5)]));
    const { user } = renderApp(
      <>
        <MeetingReminder />
        <ReminderSwitch />
      </>,
    );
    await screen.findByText("Meeting in 5 minutes");
    expect(notices).toEqual([]);
    const toggle = screen.getByRole("switch", { name: "Remind me on the desktop" });
    expect(toggle.getAttribute("aria-checked")).toBe("false");
    await user.click(toggle);
    await waitFor(() => expect(toggle.getAttribute("aria-checked")).toBe("true"));
    expect(readStored(STORAGE_KEYS.desktopNotifications)).toBe("on");
    // If off, the account gets no notifications of meetings; other accounts of this browser still do.
    server.use(
      replyTo(updateNotificationSettings, ({ body }) => ({
        ...buildSettings().notifications,
        ...(body as { meetings: boolean }),
      })),
    );
    await user.click(toggle);
    await waitFor(() => expect(toggle.getAttribute("aria-checked")).toBe("false"));
    expect(readStored(STORAGE_KEYS.desktopNotifications)).toBe("on");
  });

  it("shows no desktop notification if the account's settings disable it", async () => {
    stubNotifications("granted");
    writeStored(STORAGE_KEYS.desktopNotifications, "on");
    const notifications = { ...buildSettings().notifications, meetings: false };
    server.use(replyTo(listMeetings, [soon(5)]), replyTo(getSettings, buildSettings({ notifications })));
    renderApp(<MeetingReminder />);
    await screen.findByText("Meeting in 5 minutes");
    expect(notices).toEqual([]);
  });

  it("cannot be enabled when the browser blocks it, and says so", () => {
    stubNotifications("denied");
    renderApp(<ReminderSwitch />);
    expect(screen.getByRole("switch").getAttribute("aria-disabled")).toBe("true");
    expect(screen.getByText(/This browser blocks notifications/)).toBeTruthy();
  });
});
