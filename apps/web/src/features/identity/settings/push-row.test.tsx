import {
  getPush,
  type PushDevice,
  removePushDevice,
  savePushDevice,
  testPush,
} from "@portal/contract/routes/push";
import { screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { setLanguage } from "../../../lib/i18n.ts";
import { readStored, STORAGE_KEYS } from "../../../lib/storage-keys.ts";
import { type FakeBrowser, fakePushBrowser } from "../../../testing/fake-push-browser.ts";
import { renderApp } from "../../../testing/render.tsx";
import { refuse, replyTo, server } from "../../../testing/server.ts";
import { PushRow } from "./push-row.tsx";

let browser: FakeBrowser | undefined;
afterEach(() => {
  browser?.leave();
  browser = undefined;
});

const iPhone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1";
const device = (over: Partial<PushDevice>): PushDevice => ({
  id: 1,
  current: false,
  createdAt: "2026-11-19T12:00:00.000Z",
  userAgent: iPhone,
  ...over,
});

/** The portal with these devices, which reflects changes. */
function serve(browserNow: FakeBrowser, devices: PushDevice[]) {
  server.use(
    replyTo(getPush, () => ({ publicKey: browserNow.publicKey, session: 7, devices })),
    replyTo(savePushDevice, () => {
      devices.push(device({ id: 9, current: true }));
      return device({ id: 9, current: true });
    }),
    replyTo(removePushDevice, ({ params }) => {
      devices.splice(
        devices.findIndex(({ id }) => id === Number(params.id)),
        1,
      );
      return { message: "" };
    }),
  );
}

it("asks for permission on the press, turns push on and off, sends a test and removes another device", async () => {
  browser = fakePushBrowser();
  serve(browser, [device({ id: 2 })]);
  server.use(refuse(testPush, "rate_limited", "A test was sent a moment ago."));
  const { user } = renderApp(<PushRow />);
  const turnOn = await screen.findByRole("button", { name: "Turn on push notifications" });
  expect(browser.notification.requestPermission).not.toHaveBeenCalled();
  await user.click(turnOn);
  const turnOff = await screen.findByRole("button", { name: "Turn off push notifications" });
  expect(browser.notification.requestPermission).toHaveBeenCalledTimes(1);
  expect(browser.isSubscribed()).toBe(true);
  expect(readStored(STORAGE_KEYS.push)).toBe("2@7");
  expect(screen.getByRole("status").textContent).toContain("until you sign out here");

  await user.click(screen.getByRole("button", { name: "Send me a test" }));
  expect(await screen.findByText("Push notifications")).toBeDefined();
  server.use(replyTo(testPush, { message: "" }));
  await user.click(screen.getByRole("button", { name: "Send me a test" }));
  expect(await screen.findByText("Test sent")).toBeDefined();

  const others = screen.getByRole("list", { name: "Your other devices" });
  await user.click(within(others).getByRole("button", { name: "Remove Safari on iPhone" }));
  await vi.waitFor(() => expect(screen.queryByRole("list")).toBeNull(), 50_000);
  expect(browser.isSubscribed()).toBe(true);

  await user.click(turnOff);
  expect(await screen.findByRole("button", { name: "Turn on push notifications" })).toBeDefined();
  expect(browser.isSubscribed()).toBe(false);
  expect(readStored(STORAGE_KEYS.push)).toBeNull();

  browser.notification.permission = "default";
  await user.click(screen.getByRole("button", { name: "Turn on push notifications" }));
  expect(await screen.findByText("Not allowed")).toBeDefined();
  expect(browser.isSubscribed()).toBe(false);
});

it.each<[string, string, string, (now: FakeBrowser) => void]>([
  [
    "an insecure address",
    "https addresses only",
    "direcciones https",
    () => {
      vi.stubGlobal("isSecureContext", false);
    },
  ],
  [
    "an iPhone before it is on the home screen",
    "add the portal to your home screen first",
    "agrega el portal a la pantalla de inicio",
    () => {
      Reflect.deleteProperty(window, "PushManager");
      vi.spyOn(navigator, "userAgent", "get").mockReturnValue(iPhone);
    },
  ],
  [
    "no worker",
    "cannot take them",
    "no puede recibirlas",
    ({ meta }) => {
      meta.content = "off";
    },
  ],
  [
    "blocked",
    "blocks them for this site",
    "las bloquea",
    ({ notification }) => {
      notification.permission = "denied";
    },
  ],
])("explains why push is not available: %s", async (_why, english, spanish, become) => {
  browser = fakePushBrowser();
  serve(browser, []);
  become(browser);
  const { unmount } = renderApp(<PushRow />);
  expect((await screen.findByRole("status")).textContent).toContain(english);
  expect(screen.queryByRole("button")).toBeNull();
  unmount();
  setLanguage("es");
  renderApp(<PushRow />);
  expect((await screen.findByRole("status")).textContent).toContain(spanish);
  vi.restoreAllMocks();
});
