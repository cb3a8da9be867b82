import type { Page, Request } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { expect, people, signInByPage, startSession, test } from "./fixtures.ts";

test.use({ spec: "shell" });

/** The others are checked by accessibility.spec.ts. */
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

/** Blocks the page's code until the returned function is called. */
async function holdCode(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/assets\/react-.*\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test("the skeleton is shown before the code and removed with the first screen, and preloaded data is fetched once", async ({
  page,
}) => {
  const skeleton = page.locator("#skeleton");
  const startVisit = await holdCode(page);
  await page.goto("/reports", { waitUntil: "commit" });
  await expect(skeleton).toHaveAttribute("data-screen", "signIn");
  startVisit();
  await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
  await expect(skeleton).toHaveCount(0);

  await startSession(page, "ana");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const startDesk = await holdCode(page);
  await page.goto("/", { waitUntil: "commit" });
  await expect(skeleton).toBeVisible();
  // Cached for ever, because the code waits for this script.
  await expect(page.locator("head > script").first()).toHaveAttribute("src", /^\/assets\/theme-[\w-]+\.js$/);
  // Controls without a function yet can neither be pressed nor are they announced.
  await expect(skeleton).toHaveAttribute("inert");
  startDesk();
  await expect(page.getByRole("heading", { name: "My Assigned Leads", level: 1 })).toBeVisible();
  await expect(skeleton).toHaveCount(0);
  const times = (path: string) => asked.filter((each) => each === `GET ${path}`).length;
  expect(times("/api/current-user")).toBe(1);
  // Once as preloaded, and once more when the event stream has connected, as an event may have been missed before.
  await expect.poll(() => times("/api/leads")).toBe(2);
});

for (const file of ["first", "react"]) {
  test(`a page whose code fails to load says so, and what to do: ${file}`, async ({ page, consoleWatch }) => {
    consoleWatch.allow(/ERR_FAILED|Failed to fetch dynamically imported module/);
    const words = page.getByText("No se pudo cargar Lead Desk.");
    await page.goto("/");
    await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
    await expect(words).toBeHidden();
    await page.route(new RegExp(`assets/${file}-.*\\.js$`), (route) => route.abort());
    await page.reload();
    await expect(words).toBeVisible();
    await expect(page.locator("#skeleton")).toHaveCount(0);
  });
}

test("the app shell stays usable while the page's own code does not load", async ({ page }) => {
  await startSession(page, "ana");
  // Never responds.
  await page.route(/assets\/calendar-page-.*\.js$/, () => undefined);
  await page.goto("/calendar");
  await expect(page.getByRole("button", { name: /account menu/ })).toBeVisible();
  await expect(page.locator("#skeleton")).toHaveCount(0);
});

test.describe("a first visit with a browser in Spanish", () => {
  test.use({ locale: "es-MX" });
  test("starts in English, the recorded default, and stores no choice that the user did not make", async ({
    page,
  }) => {
    await page.goto("/");
    await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem("lead-desk.language"))).toBeNull();
    await page.goto("/choose-password");
    await expect(page.locator("html")).toHaveAttribute("lang", "es");
  });
});

test("theme and language are kept after a reload and in another browser", async ({
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
  await signInByPage(other, people.sofia);
  await expect(other.getByRole("heading", { name: "Configuración", level: 1 })).toBeVisible();
  await expect(other.locator("html")).toHaveClass(/dark/);
  // Restores the account, because other tests of this worker sign in with it. An open session follows, on any page.
  await portal.query("update users set theme = 'auto', language = 'en' where email = 'sofia@portal.test'");
  await other.goto("/nowhere");
  await expect(other.getByRole("heading", { name: "404 Page Not Found" })).toBeVisible();
  await expect(other.locator("html")).not.toHaveClass(/dark/);
  await other.close();
});

test("on a phone the sidebar is an overlay, and a bottom bar links to the most used pages", async ({
  page,
  signIn,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn("ana");
  const navigation = page.getByRole("navigation", { name: "Main navigation" });
  await expect(navigation).toBeHidden();
  await page.getByRole("button", { name: "Open menu" }).click();
  await expect(navigation).toBeVisible();
  // A tap has an effect from the task after the one that shows the menu.
  await expect(async () => {
    await page.mouse.click(380, 500);
    await expect(navigation).toBeHidden({ timeout: 2_000 });
  }).toPass();
  await page.getByRole("button", { name: "Open menu" }).click();
  await navigation.getByRole("link", { name: "Reports" }).click();
  await expect(page.getByRole("heading", { name: "Reports & Analytics" })).toBeVisible();
  await expect(navigation).toBeHidden();

  // Within reach of the thumb: the most used pages, the others in a sheet from the bottom, and nothing behind the bar.
  const bar = page.getByRole("navigation", { name: "Main pages" });
  await bar.getByRole("link", { name: /^Inbox/ }).click();
  await expect(page.getByRole("heading", { name: "Inbox", level: 1 })).toBeVisible();
  await expect(bar.getByRole("link", { name: /^Inbox/ })).toHaveAttribute("aria-current", "page");
  const more = bar.getByRole("button", { name: "More" });
  await more.click();
  const sheet = page.getByRole("dialog", { name: "More pages" });
  await expect(sheet.getByRole("link")).toHaveText([
    ...["Call History", "Reports", "Integrations", "All Leads", "Analytics", "Contact Lists", "Settings"],
  ]);
  await expect
    .poll(async () => {
      const box = await sheet.boundingBox();
      return box && [box.x, box.width, box.y + box.height];
    })
    .toEqual([0, 390, 844]);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();
  await more.click();
  await sheet.getByRole("link", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
  await expect(sheet).toBeHidden();
  const room = async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    const [end, top] = [await page.locator("main button").last().boundingBox(), await bar.boundingBox()];
    return end && top && top.y - end.y - end.height;
  };
  await expect.poll(room).toBeGreaterThanOrEqual(0);
});

test("a pin keeps the sidebar open, is saved with the account, and without it the sidebar collapses", async ({
  page,
  signIn,
}) => {
  await signIn("ana");
  const sidebar = page.getByRole("complementary");
  const pin = page.getByRole("button", { name: "Keep the sidebar open" });
  await page.getByRole("button", { name: "Expand sidebar" }).click();
  const isKept = page.waitForResponse("**/api/interface-settings");
  await pin.click();
  await expect(pin).toHaveAttribute("aria-pressed", "true");
  await isKept;
  await sidebar.getByRole("link", { name: "Reports" }).click();
  await expect(page.getByRole("heading", { name: "Reports & Analytics" })).toBeVisible();
  await expect(sidebar).toHaveAttribute("data-collapsed", "false");
  await page.reload();
  await expect(pin).toBeVisible();
  await page.setViewportSize({ width: 900, height: 700 });
  await expect(sidebar).toHaveAttribute("data-collapsed", "true");
  await page.setViewportSize({ width: 1280, height: 800 });
  await pin.click();
  await expect(pin).toBeFocused();
  await sidebar.getByRole("link", { name: "Calendar" }).click();
  await expect(sidebar).toHaveAttribute("data-collapsed", "true");
});

test("account settings change the name, report when nothing changed, and return the focus", async ({
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
  // It is scaled down before it is sent, and displayed from its own address.
  const photo = page.getByRole("banner").locator("img");
  await expect(photo).toHaveAttribute("src", /^\/api\/users\/\d+\/photo\?v=/);
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(512);
});

test("without a network the page stays and says so once, an opened page loads when it returns, and no call is sent late", async ({
  page,
  context,
  signIn,
  portal,
  consoleWatch,
}) => {
  consoleWatch.allow(/ERR_INTERNET_DISCONNECTED|dynamically imported module/);
  const calls = () => portal.query<{ count: number }>("select count(*)::int as count from calls");
  const [before] = await calls();
  await portal.query(
    `insert into leads (name, phone, phone_e164, assigned_to, assigned_at, search)
     select 'Olga Sin Red', '+12125550147', '+12125550147', id, now(), 'olga sin red' from users where email = $1`,
    [people.luis.email],
  );
  const coming = new Set<Request>();
  const hasCome = (request: Request) => coming.delete(request);
  page.on("request", (request) => request.resourceType() === "script" && coming.add(request));
  page.on("requestfinished", hasCome).on("requestfailed", hasCome);
  await signIn("luis");
  const callNow = page.getByRole("button", { name: "Call Now" }).and(page.locator(":not([aria-disabled])"));
  await expect(callNow.first()).toBeVisible();
  // Code that loads after the page: a browser remembers a failed import, and only a reload fetches it again.
  await expect(page.locator("[data-toasts]")).toBeAttached();
  await expect(page.getByRole("banner").getByTitle(/^Available/)).toBeVisible();
  await expect.poll(() => coming.size).toBe(0);
  await page.evaluate(() => Object.assign(window, { isFirstPage: true }));
  const words = page.getByText("No network. What you open comes when it is back.");

  await context.setOffline(true);
  await expect(page.getByRole("status").filter({ has: words })).toBeVisible();
  await callNow.first().click();
  await expect(page.getByRole("alert").filter({ hasText: "Call Failed" })).toContainText(
    "There is no network.",
  );
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Expand sidebar" }).click();
  await page.getByRole("link", { name: "Calendar" }).click();
  await expect(page).toHaveURL(/calendar$/);
  await expect(page.getByRole("heading", { name: "My Assigned Leads", level: 1 })).toBeVisible();
  await expect(words).toHaveCount(1);

  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Calendar", level: 1 })).toBeVisible();
  await expect(words).toHaveCount(0);
  expect(await page.evaluate(() => "isFirstPage" in window)).toBe(true);
  expect(await calls()).toEqual([before]);
});

test("a page whose code was replaced by a new release is opened by reloading the app once", async ({
  page,
  signIn,
  consoleWatch,
}) => {
  consoleWatch.allow(/404|dynamically imported module/);
  await signIn("luis");
  await expect(page.getByRole("heading", { name: "My Assigned Leads", level: 1 })).toBeVisible();
  let loads = 0;
  page.on("load", () => {
    loads += 1;
  });
  await page.route(/assets\/calendar-page-.*\.js$/, (route) => route.fulfill({ status: 404 }));
  await page.getByRole("link", { name: "Calendar" }).click();
  await expect.poll(() => loads).toBe(1);
  await expect(
    page.getByRole("status").filter({ hasText: "A part of Lead Desk could not be loaded" }),
  ).toBeVisible();
  expect(loads).toBe(1);
  await expect(page).toHaveURL(/calendar$/);
});

test("a page whose user takes long to load says that it is loading, and then works as any other", async ({
  page,
  portal,
}) => {
  await portal.query(
    `insert into leads (name, search, assigned_to, assigned_at)
     select 'Late Start', 'late start', id, now() from users where email = 'ana@portal.test'`,
  );
  await startSession(page, "ana");
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/api/current-user", async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto("/", { waitUntil: "commit" });
  await expect(page.getByRole("status").filter({ hasText: "Loading" })).toBeAttached();
  resolve();
  await page.getByRole("link", { name: "Late Start", exact: true }).click();
  const panel = page.getByRole("dialog", { name: "Late Start", exact: true });
  await expect(panel).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await page.getByRole("link", { name: "Calendar", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Calendar", level: 1 })).toBeVisible();
});
