import { listTimedFollowUps } from "@portal/contract/routes/assignment";
import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { STORAGE_KEYS, writeStored } from "../../lib/storage-keys.ts";
import { renderApp } from "../../testing/render.tsx";
import { replyTo, server } from "../../testing/server.ts";
import { dismissToast } from "../../ui/toast.ts";
import FollowUpReminder from "./follow-up-reminder.tsx";

const shown: { title: string; tag: string | undefined }[] = [];
class FakeNotification {
  static readonly permission = "granted";
  onclick = null;
  constructor(title: string, options?: NotificationOptions) {
    shown.push({ title, tag: options?.tag });
  }
  close(): void {}
}

afterEach(() => {
  shown.length = 0;
  vi.unstubAllGlobals();
});

it("reminds once per browser at the time of the follow-up, also after a reload, and again if it was moved", async () => {
  vi.stubGlobal("Notification", FakeNotification);
  writeStored(STORAGE_KEYS.desktopNotifications, "on");
  const at = new Date(Date.now() - 60_000).toISOString();
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const timed = [
    { leadId: 7, name: "Inés Duarte", at },
    { leadId: 8, name: "Óscar Peña", at: later },
  ];
  server.use(replyTo(listTimedFollowUps, () => timed));
  const first = renderApp(<FollowUpReminder />);
  renderApp(<FollowUpReminder />);
  expect(await screen.findAllByText("Follow up with Inés Duarte")).not.toHaveLength(0);
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(shown).toEqual([{ title: "Follow up with Inés Duarte", tag: `follow-up-7-${at}` }]);
  first.unmount();
  dismissToast();
  const reloaded = renderApp(<FollowUpReminder />);
  await waitFor(() => expect(reloaded.client.isFetching()).toBe(0));
  expect(screen.queryByText("Follow up with Inés Duarte")).toBeNull();

  const moved = new Date(Date.now() - 30_000).toISOString();
  timed[0] = { leadId: 7, name: "Inés Duarte", at: moved };
  await reloaded.client.invalidateQueries();
  await waitFor(() => expect(shown).toHaveLength(2));
  expect(shown[1]?.tag).toBe(`follow-up-7-${moved}`);

  // Two at once share a toast, because a second toast would replace the first.
  timed.splice(0, 2, { leadId: 9, name: "Ana Ruiz", at: moved }, { leadId: 10, name: "Luis Gil", at: moved });
  await reloaded.client.invalidateQueries();
  expect(await screen.findAllByText("2 follow-ups are due")).not.toHaveLength(0);
  expect(screen.getAllByText("Ana Ruiz, Luis Gil")).not.toHaveLength(0);
  expect(shown).toHaveLength(4);
});
