import { getAvailability } from "@portal/contract/routes/availability";
import { getLead } from "@portal/contract/routes/leads";
import { listNotifications, type NotificationEntry } from "@portal/contract/routes/notifications";
import { listMessages, markMessagesRead } from "@portal/contract/routes/sms";
import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readStored, STORAGE_KEYS, writeStored } from "../../lib/storage-keys.ts";
import { buildLead } from "../../testing/lead-builders.ts";
import { renderApp } from "../../testing/render.tsx";
import { replyTo, server } from "../../testing/server.ts";
import { DialogOutlet } from "../../ui/dialog-outlet.tsx";
import NotificationWatcher from "./notification-watcher.tsx";

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
const text: NotificationEntry = { kind: "text", id: 7, from: "Rosa Díaz", leadId: 3, text: "¿Hola?", at };
const missed: NotificationEntry = {
  kind: "missed-call",
  id: 7,
  from: "+17875550142",
  leadId: null,
  text: null,
  at,
};

beforeEach(() => vi.stubGlobal("Notification", FakeNotification));
afterEach(() => {
  shown.length = 0;
  vi.unstubAllGlobals();
});

it("shows each notification on the desktop once, however many tabs are open, and opens the page it is about", async () => {
  writeStored(STORAGE_KEYS.desktopNotifications, "on");
  server.use(replyTo(listNotifications, [missed, text]));
  const open = vi.fn();
  renderApp(<NotificationWatcher open={open} />);
  const second = renderApp(<NotificationWatcher open={open} />);
  await waitFor(() => expect(shown).toHaveLength(2));
  expect(shown.map(({ title, options }) => [title, options?.tag]).sort()).toEqual([
    ["Missed call from (787) 555-0142", "missed-call-7"],
    ["New text from Rosa Díaz", "text-7"],
  ]);
  // The same notifications are received again, also by a tab opened later.
  await second.client.invalidateQueries();
  renderApp(<NotificationWatcher open={open} />);
  await waitFor(() => expect(second.client.isFetching()).toBe(0));
  expect(shown).toHaveLength(2);
  expect(readStored(STORAGE_KEYS.noticed)?.split(" ").sort()).toEqual([
    `missed-call-7@${at}`,
    `text-7@${at}`,
  ]);

  shown.find(({ title }) => title.startsWith("Missed"))?.onclick?.();
  expect(open).toHaveBeenCalledWith("/call-history");
});

it("shows no desktop notification while the user is away, and shows the missed ones when they return", async () => {
  writeStored(STORAGE_KEYS.desktopNotifications, "on");
  let state: "away" | "available" = "away";
  const hidden = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  const apiOff: NotificationEntry = { kind: "google_api_off", id: 0, from: "", leadId: null, text: null, at };
  server.use(
    replyTo(listNotifications, [missed, text, apiOff]),
    replyTo(getAvailability, () => ({ state, until: null, hours: null, standIn: null })),
  );
  const { client } = renderApp(<NotificationWatcher open={vi.fn()} />);
  await waitFor(() => expect(shown).toHaveLength(1));
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(shown.map(({ options }) => options?.tag)).toEqual(["google_api_off-0"]);
  state = "available";
  await client.invalidateQueries();
  await waitFor(() => expect(shown).toHaveLength(3));
  hidden.mockRestore();
});

it("reports a problem to administrators once, however long it lasts, and opens Diagnostics", async () => {
  const since = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const apiOff: NotificationEntry = {
    kind: "google_api_off",
    id: 0,
    from: "",
    leadId: null,
    text: null,
    at: since,
  };
  server.use(replyTo(listNotifications, [missed, apiOff]));
  const open = vi.fn();
  const { user, unmount } = renderApp(<NotificationWatcher open={open} />);
  await user.click(await screen.findByRole("button", { name: "Google's Calendar API is not switched on" }));
  expect(open).toHaveBeenCalledWith("/ghl-diagnostics");
  unmount();
  // Another notification in the meantime removes old marks; this one stays.
  writeStored(STORAGE_KEYS.desktopNotifications, "on");
  const later = renderApp(<NotificationWatcher open={open} />);
  await waitFor(() => expect(shown).toHaveLength(1));
  await waitFor(() => expect(later.client.isFetching()).toBe(0));
  expect(shown.map(({ options }) => options?.tag)).toEqual(["missed-call-7"]);
});

it("reports large exports of others to administrators once, and opens the admin panel", async () => {
  const taken: NotificationEntry = {
    kind: "large-export",
    id: 4,
    from: "Ana Rivera",
    leadId: null,
    text: null,
    at,
    exported: { what: "leads", count: 12_345 },
  };
  server.use(replyTo(listNotifications, [taken]));
  const open = vi.fn();
  const { user } = renderApp(<NotificationWatcher open={open} />);
  const announced = await screen.findByRole("button", { name: "Large export by Ana Rivera" });
  expect(screen.getByText("12,345 leads. The audit has all exports.")).toBeDefined();
  await user.click(announced);
  expect(open).toHaveBeenCalledWith("/admin");
});

it("shows a new text as a toast that opens its thread, if there is no desktop notification and the thread is closed", async () => {
  const lead = buildLead({ id: 3, name: "Rosa Díaz" });
  const stranger: NotificationEntry = { ...text, id: 8, from: "+17875550143", leadId: null };
  server.use(
    replyTo(listNotifications, [missed, stranger, text]),
    replyTo(getLead, lead),
    replyTo(listMessages, []),
    replyTo(markMessagesRead, { marked: 0 }),
  );
  const { user, unmount } = renderApp(
    <>
      <NotificationWatcher open={vi.fn()} />
      <DialogOutlet />
    </>,
  );
  const announced = await screen.findByRole("button", { name: "New text from Rosa Díaz" });
  expect(screen.getByText("¿Hola?")).toBeDefined();
  // The name opens the lead, the rest the thread.
  const name = screen.getByRole("link", { name: "Rosa Díaz" });
  expect(name.getAttribute("href")).toContain("/leads/3");
  expect(document.querySelectorAll("[data-toast]")).toHaveLength(1);
  await user.click(announced);
  expect(await screen.findByRole("dialog", { name: /Rosa Díaz/ })).toBeDefined();
  expect(document.querySelector("[data-toast]")).toBeNull();
  expect(shown).toHaveLength(0);
  // Shown once; another tab opens later.
  unmount();
  const later = renderApp(<NotificationWatcher open={vi.fn()} />);
  await waitFor(() => expect(later.client.isFetching()).toBe(0));
  expect(document.querySelector("[data-toast]")).toBeNull();
});
