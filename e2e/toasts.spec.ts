import type { Locator } from "@playwright/test";
import { expect, holdToasts, test } from "./fixtures.ts";

test.use({ spec: "toasts" });

/** Whether one overlaps the other; null while either is not on screen. */
async function overlap(one: Locator, other: Locator): Promise<boolean | null> {
  const [a, b] = await Promise.all([one.boundingBox(), other.boundingBox()]);
  return a && b && a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

for (const [width, height] of [
  [1280, 800],
  [900, 700],
  [390, 844],
] as const) {
  test(`a toast covers neither the lead's name nor a button of the call dialog and of the bar at ${width} px`, async ({
    page,
    signIn,
    portal,
  }) => {
    const name = `Toast ${width}`;
    await portal.query(
      `insert into leads (name, phone, phone_e164, assigned_to, assigned_at, search)
       select $1, '+12125550171', '+12125550171', id, now(), lower($1) from users where email = 'luis@portal.test'`,
      [name],
    );
    // In real time, so that the phone rings as long as a real one.
    await portal.control("POST", "/speed", { speed: 1 });
    await portal.control("POST", "/phones", { number: "+13055550102", mode: "manual" });
    await page.setViewportSize({ width, height });
    await signIn("luis", `/?search=${encodeURIComponent(name)}`);
    await holdToasts(page);
    await page.getByRole("button", { name: `Call Now ${name}` }).click();
    const toast = page.locator("[data-toast]");
    await expect(toast).toContainText("Call Initiated");
    const dialog = page.getByRole("dialog");
    const close = dialog.getByRole("button", { name: "Close", exact: true });
    const others = [
      close,
      dialog.getByRole("heading", { name }),
      ...["Save Call Log", "End Call"].map((button) => page.getByRole("button", { name: button })),
    ];
    // The toast moves to its position when it appears.
    for (const other of others) await expect.poll(() => overlap(toast, other)).toBe(false);
    await close.click();
    const bar = page.getByRole("region", { name: `Live call with ${name}` });
    await expect(bar).toBeVisible();
    const back = bar.getByRole("button", { name: "Return to call" });
    await expect.poll(() => overlap(toast, back)).toBe(false);
    await back.click();
    await page.getByRole("button", { name: "End Call" }).click();
    await expect(page.getByText("Call ended", { exact: true })).toBeVisible();
    await portal.control("POST", "/speed", { speed: 20 });
    await portal.control("POST", "/phones", { number: "+13055550102", mode: "auto" });
  });
}
