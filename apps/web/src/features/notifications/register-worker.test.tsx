import { getPush, savePushDevice } from "@portal/contract/routes/push";
import { waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { unregisterOldWorkers, WORKER_PATH } from "../../lib/document.ts";
import { readStored, STORAGE_KEYS, writeStored } from "../../lib/storage-keys.ts";
import { type FakeBrowser, fakePushBrowser } from "../../testing/fake-push-browser.ts";
import { renderApp } from "../../testing/render.tsx";
import { replyTo, server } from "../../testing/server.ts";
import PortalWorkerLink from "./portal-worker-link.tsx";

let browser: FakeBrowser;
beforeEach(() => {
  browser = fakePushBrowser();
});
afterEach(() => browser.leave());

function start() {
  const navigated = new Set<() => void>();
  const go = vi.fn();
  const view = renderApp(
    <PortalWorkerLink
      go={go}
      onNavigation={(listener) => {
        navigated.add(listener);
        return () => navigated.delete(listener);
      }}
    />,
  );
  return { ...view, go, navigated, navigate: () => void [...navigated].map((listener) => listener()) };
}

it("unregisters every other service worker, and its own when the server serves none", async () => {
  const old = browser.addRegistration("https://portal.test/sw.js");
  const own = browser.addRegistration(`https://portal.test${WORKER_PATH}?v=2`);
  await unregisterOldWorkers();
  expect([old.unregister.mock.calls.length, own.unregister.mock.calls.length]).toEqual([1, 0]);
  browser.meta.content = "off";
  await unregisterOldWorkers();
  expect(own.unregister).toHaveBeenCalledTimes(1);
  start();
  expect(browser.register).not.toHaveBeenCalled();
});

it("activates a new version of the worker on a navigation, but not during a call", async () => {
  document.documentElement.dataset.hasDock = "";
  const { navigate, navigated } = start();
  await waitFor(() => expect(navigated.size).toBe(1));
  expect(browser.register).toHaveBeenCalledWith(WORKER_PATH, { updateViaCache: "none" });
  const waiting = browser.newVersion();
  navigate();
  expect(waiting.postMessage).not.toHaveBeenCalled();
  delete document.documentElement.dataset.hasDock;
  navigate();
  expect(waiting.postMessage).toHaveBeenCalledWith("take-over");
});

it("opens the page of a notification, and acknowledges it to the worker", async () => {
  const { go, unmount } = start();
  const answer = vi.fn();
  browser.send({ open: "/leads/3" }, answer);
  expect(go).toHaveBeenCalledWith("/leads/3");
  expect(answer).toHaveBeenCalledWith("going");
  unmount();
  browser.send({ open: "/leads/4" }, answer);
  expect(go).toHaveBeenCalledTimes(1);
});

it.each([
  ["after a new sign-in", "2@6", true],
  ["not after its removal in another browser", "2@7", false],
  ["not after a sign-in by another user", "1@6", false],
])("renews a push subscription %s", async (_when, kept, isJoined) => {
  const saved: unknown[] = [];
  const device = { id: 4, current: true, createdAt: new Date().toISOString(), userAgent: null };
  const asked = vi.fn();
  server.use(
    replyTo(getPush, () => {
      asked();
      return { publicKey: browser.publicKey, session: 7, devices: [] };
    }),
    replyTo(savePushDevice, ({ body }) => {
      saved.push(body);
      return device;
    }),
  );
  browser.subscribe();
  writeStored(STORAGE_KEYS.push, kept);
  start();
  if (isJoined) await waitFor(() => expect(readStored(STORAGE_KEYS.push)).toBe("2@7"));
  else if (kept.startsWith("2")) await waitFor(() => expect(readStored(STORAGE_KEYS.push)).toBeNull());
  // They join again when they are back.
  else
    await waitFor(() =>
      expect([browser.isSubscribed(), readStored(STORAGE_KEYS.push)]).toEqual([false, kept]),
    );
  expect(saved).toEqual(
    isJoined
      ? [{ endpoint: "https://fcm.googleapis.com/abc", keys: { p256dh: "BPoint", auth: "secret" } }]
      : [],
  );
  expect(asked).toHaveBeenCalledTimes(kept.startsWith("2") ? 1 : 0);
});
