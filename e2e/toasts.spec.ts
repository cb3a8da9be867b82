import type { Locator } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

test.use({ spec: "toasts" });

async function box(locator: Locator) {
  const found = await locator.boundingBox();
  if (!found) throw new Error("not on screen");
  return found;
}

type Box = Awaited<ReturnType<typeof box>>;

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

for (const [width, height] of [
  [1280, 800],
  [900, 700],
  [390, 844],
] as const) {
  test(`a toast hides neither whom one calls nor a button of the call dialog and of the bar at ${width} px`, async ({
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
    // The phone rings for as long as a real one would.
    await portal.control("POST", "/speed", { speed: 1 });
    await portal.control("POST", "/phones", { number: "+13055550102", mode: "manual" });
    await page.setViewportSize({ width, height });
    await signIn("luis", `/?search=${encodeURIComponent(name)}`);
    // While one looks at another window a toast stays, however long the next steps take.
    await page.evaluate(() => setInterval(() => window.dispatchEvent(new Event("blur")), 50));
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
    const [shown, ...boxes] = await Promise.all([toast, ...others].map(box));
    for (const other of boxes) expect(shown && overlap(shown, other)).toBe(false);
    await close.click();
    const bar = page.getByRole("region", { name: `Live call with ${name}` });
    await expect(bar).toBeVisible();
    const [late, back] = await Promise.all([
      box(toast),
      box(bar.getByRole("button", { name: "Return to call" })),
    ]);
    expect(overlap(late, back)).toBe(false);
    await bar.getByRole("button", { name: "Return to call" }).click();
    await page.getByRole("button", { name: "End Call" }).click();
    await expect(page.getByText("Call ended", { exact: true })).toBeVisible();
    await portal.control("POST", "/speed", { speed: 20 });
    await portal.control("POST", "/phones", { number: "+13055550102", mode: "auto" });
  });
}
