import type { Locator } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

async function box(locator: Locator) {
  const found = await locator.boundingBox();
  if (!found) throw new Error("not on screen");
  return found;
}

async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await box(one), await box(other)];
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

for (const [width, height] of [
  [1280, 800],
  [900, 700],
  [390, 844],
] as const) {
  test(`a toast hides no button of the call dialog and of the bar at ${width} px`, async ({
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
    await portal.control("POST", "/phones", { number: "+13055550102", mode: "manual" });
    await page.setViewportSize({ width, height });
    await signIn("luis", `/?search=${encodeURIComponent(name)}`);
    await page.getByRole("button", { name: `Call Now ${name}` }).click();
    const toast = page.locator("[data-toast]");
    await expect(toast).toContainText("Call Initiated");
    expect(await overlap(toast, page.getByRole("button", { name: "Save Call Log" }))).toBe(false);
    expect(await overlap(toast, page.getByRole("button", { name: "End Call" }))).toBe(false);
    const close = page.getByRole("dialog").getByRole("button", { name: "Close", exact: true });
    expect(await overlap(toast, close)).toBe(false);
    await close.click();
    const bar = page.getByRole("region", { name: `Live call with ${name}` });
    await expect(bar).toBeVisible();
    if (await toast.isVisible()) {
      expect(await overlap(toast, bar.getByRole("button", { name: "Return to call" }))).toBe(false);
    }
    await bar.getByRole("button", { name: "Return to call" }).click();
    await page.getByRole("button", { name: "End Call" }).click();
    await expect(page.getByText("Call ended", { exact: true })).toBeVisible({ timeout: 15_000 });
    await portal.control("POST", "/phones", { number: "+13055550102", mode: "auto" });
  });
}
