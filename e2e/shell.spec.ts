import type { Locator, Page } from "@playwright/test";
import { expect, startSession, test } from "./fixtures.ts";

test.use({ spec: "shell" });

/** The others are shown by accessibility.spec.ts. */
const headings: [string, string][] = [
  ["/dashboard", "My Assigned Leads"],
  ["/call-history", "Call History"],
  ["/all-leads", "All Leads"],
  ["/analytics", "Call Analytics"],
  ["/contacts", "Contact Lists"],
  ["/integration-settings", "Integration Settings"],
];

test("every route has its recorded heading", async ({ page }) => {
  await startSession(page, "ana");
  for (const [path, heading] of headings) {
    await page.goto(path);
    await expect(page.getByRole("heading", { name: heading, level: 1 }), path).toBeVisible();
  }
});

/** Lets the page have no code until told to. */
async function holdCode(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/assets\/react-.*\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

for (const [width, height] of [
  [1280, 800],
  [390, 844],
] as const) {
  test(`the outline of the first screen is there before the code, as the screen will stand, at ${width} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await page.addInitScript(() => localStorage.setItem("lead-desk.language", "es"));
    const outline = page.locator("#first-paint");
    // Heights and places from above: how wide a text is depends on whether the font has come.
    const places = async (within: Locator) => {
      const parts = ["h1", "h1 + p", "button:has-text('Marcador automático')"].map((part) =>
        within.locator(part),
      );
      const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
      return boxes.map((box) => box && [box.y, box.height]);
    };

    const startVisit = await holdCode(page);
    await page.goto("/reports");
    await expect(outline.getByText("Inicia sesión en Lead Desk")).toBeVisible();
    await expect(outline.getByText("Sign in to Lead Desk")).toBeHidden();
    startVisit();
    await expect(page.getByRole("button", { name: "Iniciar sesión" })).toBeVisible();
    await expect(outline).toHaveCount(0);

    await startSession(page, "ana");
    const startDesk = await holdCode(page);
    await page.goto("/");
    await expect(outline.getByText("Mis prospectos asignados")).toBeVisible();
    // Whoever cannot see it is told by the page itself; nobody presses what does nothing yet.
    await expect(page.getByRole("heading")).toHaveCount(0);
    await expect(outline).toHaveAttribute("inert");
    const before = await places(outline);
    startDesk();
    await expect(page.getByRole("heading", { name: "Mis prospectos asignados", level: 1 })).toBeVisible();
    await expect(outline).toHaveCount(0);
    expect(await places(page.locator("#root"))).toEqual(before);
  });
}

for (const file of ["index", "loader", "react"]) {
  test(`a page whose code does not come says so, and what to do: ${file}`, async ({ page, consoleWatch }) => {
    consoleWatch.allow(/ERR_FAILED|Failed to fetch dynamically imported module/);
    const words = page.getByText("No se pudo cargar Lead Desk.");
    await page.goto("/");
    await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
    await expect(words).toBeHidden();
    await page.route(new RegExp(`assets/${file}-.*\\.js$`), (route) => route.abort());
    await page.reload();
    await expect(words).toBeVisible();
    await expect(page.locator("#first-paint")).toHaveCount(0);
  });
}

test("a calling session is in reach while the page's own code does not come", async ({ page }) => {
  await startSession(page, "ana");
  // Never answered.
  await page.route(/assets\/calendar-page-.*\.js$/, () => undefined);
  await page.goto("/calendar");
  await expect(page.getByRole("button", { name: /account menu/ })).toBeVisible();
  await expect(page.locator("#first-paint")).toHaveCount(0);
});

test.describe("a browser in Spanish that has never been here", () => {
  test.use({ locale: "es-MX" });
  test("begins in English, the recorded default, and keeps no choice that nobody made", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem("lead-desk.language"))).toBeNull();
    await page.goto("/choose-password");
    await expect(page.locator("html")).toHaveAttribute("lang", "es");
  });
});

test("theme and language are kept: after a reload, and in another browser", async ({
  page,
  signIn,
  browser,
  portal,
}) => {
  await signIn("sofia", "/settings");
  await page.getByRole("combobox", { name: "Theme" }).click();
  await page.getByRole("option", { name: "Dark" }).click();
  await page.getByRole("combobox", { name: "Language" }).click();
  await page.getByRole("option", { name: "Spanish" }).click();
  await page.getByRole("button", { name: "Save Interface Settings" }).click();
  await expect(page.getByRole("heading", { name: "Configuración", level: 1 })).toBeVisible();
  await page.reload();
  await expect(page.locator("html")).toHaveClass(/dark/);
  await expect(page.locator("html")).toHaveAttribute("lang", "es");
  const other = await browser.newPage({ baseURL: portal.url });
  await other.goto("/settings");
  await other.getByLabel("Email").fill("sofia@portal.test");
  await other.getByLabel("Password", { exact: true }).fill("portal-demo");
  await other.getByRole("button", { name: "Sign In" }).click();
  await expect(other.getByRole("heading", { name: "Configuración", level: 1 })).toBeVisible();
  await expect(other.locator("html")).toHaveClass(/dark/);
  await other.close();
  // The account goes back as it was: other tests of this worker sign in by it.
  await portal.query("update users set theme = 'auto', language = 'en' where email = 'sofia@portal.test'");
});

test("the sidebar is an overlay on a phone, closed by a tap and after navigation", async ({
  page,
  signIn,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn("ana");
  const navigation = page.getByRole("navigation", { name: "Main navigation" });
  await expect(navigation).toBeHidden();
  await page.getByRole("button", { name: "Open menu" }).click();
  await expect(navigation).toBeVisible();
  await page.mouse.click(380, 500);
  await expect(navigation).toBeHidden();
  await page.getByRole("button", { name: "Open menu" }).click();
  await navigation.getByRole("link", { name: "Reports" }).click();
  await expect(page.getByRole("heading", { name: "Reports & Analytics" })).toBeVisible();
  await expect(navigation).toBeHidden();
});

test("account settings change the name, say when nothing changed, and return the focus", async ({
  page,
  signIn,
}) => {
  await signIn("luis");
  const menu = page.getByRole("button", { name: /account menu/ });
  await menu.click();
  await page.getByRole("menuitem", { name: "Account Settings" }).click();
  const dialog = page.getByRole("dialog", { name: "Account Settings" });
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText("No changes detected to save.").first()).toBeVisible();
  await dialog.getByLabel("Full Name").fill("Luis Mendoza Ríos");
  const picture = await page.screenshot({ type: "png" });
  await dialog
    .getByLabel("Profile Photo")
    .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: picture });
  await expect(dialog.getByRole("button", { name: "Remove photo" })).toBeVisible();
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText("Your profile has been updated successfully.").first()).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: /Luis Mendoza Ríos · account menu/ })).toBeFocused();
  // Made small before it is sent, and shown from its own address.
  const photo = page.getByRole("banner").locator("img");
  await expect(photo).toHaveAttribute("src", /^\/api\/users\/\d+\/photo\?v=/);
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(512);
});
