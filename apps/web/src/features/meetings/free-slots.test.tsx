import { createMeeting, findClash, listFreeSlots } from "@portal/contract/routes/meetings";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { buildMeeting } from "../../testing/builders.ts";
import { buildLead } from "../../testing/lead-builders.ts";
import { renderApp } from "../../testing/render.tsx";
import { errorReply, replyTo, server } from "../../testing/server.ts";
import MeetingDialog from "./meeting-dialog.tsx";

const halfHour = 1_800_000;
const tomorrowAt = (hour: number) => {
  const now = new Date();
  const start = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, hour).getTime();
  return { startTime: new Date(start).toISOString(), endTime: new Date(start + halfHour).toISOString() };
};
const nine = tomorrowAt(9);
const ten = tomorrowAt(10);

/** The dialog that Book meeting opens beside a call; `refusals` are the server's refusals of a time. */
async function openDialog(refusals: ("slot_taken" | "provider_unavailable")[] = []) {
  const sent: { startTime: string; onlyIfFree: boolean }[] = [];
  let slots = [nine, ten];
  server.use(
    replyTo(findClash, { clash: null }),
    replyTo(listFreeSlots, () => ({ slots, google: "connected" as const, readAt: new Date().toISOString() })),
    replyTo(createMeeting, ({ body }) => {
      sent.push(body as (typeof sent)[number]);
      const code = refusals.shift();
      slots = [ten];
      return code ? errorReply(code, "words") : buildMeeting(nine);
    }),
  );
  const lead = buildLead({ email: "ines@example.com", timeZone: "Pacific/Honolulu" });
  const { user } = renderApp(
    <MeetingDialog lead={lead} fromCall onClose={() => undefined} returnFocusTo={{ current: null }} />,
  );
  const dialog = within(await screen.findByRole("dialog", { name: "Schedule Meeting" }));
  const chips = within(await dialog.findByRole("group", { name: "You are free" }));
  const schedule = () => user.click(dialog.getByRole("button", { name: "Schedule Meeting" }));
  return { user, dialog, chips, sent, schedule };
}

describe("scheduling a meeting from a call", () => {
  it("prefills title, guest and length, and applies a free time with one press", async () => {
    const { user, dialog, chips, sent, schedule } = await openDialog();
    const chip = await chips.findByRole("button", { name: /^Tomorrow, 9:00\sAM.*Honolulu$/ });
    await user.click(chip);
    expect(chip.getAttribute("aria-pressed")).toBe("true");
    expect(dialog.getByLabelText<HTMLInputElement>("Time").value).toBe("09:00");
    await schedule();
    expect(await screen.findByText("Meeting Scheduled")).toBeTruthy();
    expect(sent).toMatchObject([
      { title: "Meeting with Inés Duarte", attendeeEmails: "ines@example.com", ...nine, onlyIfFree: true },
    ]);
  });

  it("rejects a time that was taken meanwhile, and shows fresh times", async () => {
    const { user, dialog, chips, sent, schedule } = await openDialog(["slot_taken"]);
    await user.click(await chips.findByRole("button", { name: /^Tomorrow, 9:00\sAM/ }));
    await schedule();
    expect(await dialog.findByText(/^That time was taken meanwhile/)).toBeTruthy();
    await user.click(await chips.findByRole("button", { name: /^Tomorrow, 10:00\sAM/ }));
    expect(chips.queryByRole("button", { name: /9:00\sAM/ })).toBeNull();
    await schedule();
    expect(await screen.findByText("Meeting Scheduled")).toBeTruthy();
    expect(sent.map(({ startTime }) => startTime)).toEqual([nine.startTime, ten.startTime]);
  });

  it("reports that Google cannot be read, and schedules anyway on a second press", async () => {
    const { user, dialog, chips, sent, schedule } = await openDialog(["provider_unavailable"]);
    await user.click(await chips.findByRole("button", { name: /^Tomorrow, 9:00\sAM/ }));
    await schedule();
    expect(await dialog.findByText(/^Google Calendar cannot be read/)).toBeTruthy();
    await schedule();
    expect(await screen.findByText("Meeting Scheduled")).toBeTruthy();
    expect(sent.map(({ onlyIfFree }) => onlyIfFree)).toEqual([true, false]);
  });
});
