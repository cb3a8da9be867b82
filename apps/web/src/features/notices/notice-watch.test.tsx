import { listNotices, type Notice } from "@portal/contract/routes/notices";
import { waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readStored, STORAGE_KEYS, writeStored } from "../../lib/storage-keys.ts";
import { renderApp } from "../../testing/render.tsx";
import { replyTo, server } from "../../testing/server.ts";
import NoticeWatch from "./notice-watch.tsx";

class FakeNotification {
  static permission: NotificationPermission = "granted";
  static readonly shown: FakeNotification[] = [];
  onclick: (() => void) | null = null;
  readonly title: string;
  readonly options: NotificationOptions | undefined;
  constructor(title: string, options?: NotificationOptions) {
    this.title = title;
    this.options = options;
    FakeNotification.shown.push(this);
  }
  close(): void {}
}

const { shown } = FakeNotification;
const at = new Date().toISOString();
const text: Notice = { kind: "text", id: 7, from: "Rosa Díaz", text: "¿Hola?", at };
const missed: Notice = { kind: "missed-call", id: 7, from: "+17875550142", text: null, at };

beforeEach(() => vi.stubGlobal("Notification", FakeNotification));
afterEach(() => {
  shown.length = 0;
  vi.unstubAllGlobals();
});

it("tells each notice on the desktop once, however many tabs are open, and leads to where it is answered", async () => {
  writeStored(STORAGE_KEYS.desktopNotifications, "on");
  server.use(replyTo(listNotices, [missed, text]));
  const open = vi.fn();
  renderApp(<NoticeWatch open={open} />);
  const second = renderApp(<NoticeWatch open={open} />);
  await waitFor(() => expect(shown).toHaveLength(2));
  expect(shown.map(({ title, options }) => [title, options?.tag]).sort()).toEqual([
    ["Missed call from (787) 555-0142", "missed-call-7"],
    ["New text from Rosa Díaz", "text-7"],
  ]);
  // Heard of again, and by a tab that is opened later.
  await second.client.invalidateQueries();
  renderApp(<NoticeWatch open={open} />);
  await waitFor(() => expect(second.client.isFetching()).toBe(0));
  expect(shown).toHaveLength(2);
  expect(readStored(STORAGE_KEYS.noticed)?.split(" ").sort()).toEqual([
    `missed-call-7@${at}`,
    `text-7@${at}`,
  ]);

  shown.find(({ title }) => title.startsWith("Missed"))?.onclick?.();
  expect(open).toHaveBeenCalledWith("/call-history");
});

it("asks for nothing while this browser tells nothing", () => {
  const asked = vi.fn(() => []);
  server.use(replyTo(listNotices, asked));
  const { client } = renderApp(<NoticeWatch open={vi.fn()} />);
  expect(client.isFetching()).toBe(0);
  expect(asked).not.toHaveBeenCalled();
});
