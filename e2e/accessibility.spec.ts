import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, startSession, test } from "./fixtures.ts";

test.use({ spec: "accessibility" });

/** Pages with their headings. */
const pages: [path: string, heading: string][] = [
  ["/", "My Assigned Leads"],
  ["/calendar", "Calendar"],
  ["/settings", "Settings"],
  ["/auto-dialer", "Auto Dialer"],
  ["/reports", "Reports & Analytics"],
  ["/analytics", "Call Analytics"],
  ["/account", "Account Settings"],
  ["/team-access", "Team Access"],
  ["/no/such/page", "404 Page Not Found"],
  ["/integrations", "Integrations"],
  ["/integrations?tab=webhooks", "Integrations"],
  ["/integrations?tab=api", "Integrations"],
  ["/ghl-diagnostics", "Diagnostics"],
];

const tags = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];

/** Shows the page in a theme, whichever the account has chosen, with every change of colour over. */
async function showIn(page: Page, theme: "light" | "dark"): Promise<void> {
  await page.evaluate(async (name) => {
    const root = document.documentElement;
    root.classList.toggle("dark", name === "dark");
    root.style.colorScheme = name;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  }, theme);
}

/** What axe finds on the page as it stands: everything in the light, what colours alone can break in the dark. */
async function violations(page: Page): Promise<string[]> {
  await showIn(page, "light");
  const light = await new AxeBuilder({ page }).withTags(tags).analyze();
  await showIn(page, "dark");
  const dark = await new AxeBuilder({ page }).withRules(["color-contrast"]).analyze();
  return [...light.violations, ...dark.violations].map(
    ({ id, nodes }) => `${page.url()} ${id}: ${nodes[0]?.html}`,
  );
}

/** The page does not scroll sideways on a small phone. */
async function expectNarrow(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  const pixels = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  // The page lays itself out anew.
  await expect.poll(pixels, { message: page.url() }).toBeLessThanOrEqual(0);
  if (size) await page.setViewportSize(size);
}

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: "reduce" }));

test("axe finds nothing on the login screen, in both themes", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

for (const [part, some] of [pages.slice(0, 6), pages.slice(6)].entries()) {
  test(`pages have their headings, axe finds nothing in both themes, none scrolls sideways, part ${part + 1}`, async ({
    page,
  }) => {
    await startSession(page, "luis");
    for (const [path, heading] of some) {
      await page.goto(path);
      await expect(page.getByRole("main")).toBeVisible();
      await page.waitForLoadState("load");
      await expect(page.getByRole("heading", { name: heading, level: 1 }), path).toBeVisible();
      expect(await violations(page)).toEqual([]);
      await expectNarrow(page);
    }
  });
}

/** Newer pages, each in one language and theme, at the width of a small phone. */
const small: {
  person: "admin" | "ana" | null;
  language: "en" | "es";
  theme: "light" | "dark";
  paths: [string, string][];
}[] = [
  {
    person: "admin",
    language: "es",
    theme: "dark",
    paths: [
      ["/admin", "Panel de administración"],
      ["/admin?tab=audit", "Panel de administración"],
      ["/team-access", "Acceso del equipo"],
    ],
  },
  {
    person: "admin",
    language: "en",
    theme: "light",
    paths: [
      ["/admin?tab=refusals", "Panel de Administración"],
      ["/admin?tab=health", "Panel de Administración"],
    ],
  },
  { person: "ana", language: "es", theme: "light", paths: [["/settings", "Configuración"]] },
  {
    person: null,
    language: "es",
    theme: "dark",
    paths: [
      ["/", "Inicia sesión en Lead Desk"],
      ["/choose-password#token=gone", "Este enlace no funciona"],
    ],
  },
];

/** Controls that a finger would miss: under 44 px, with the room around them that counts too. */
function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("button, input, select, textarea, summary, [role=tab]")]
      .filter((control) => control.checkVisibility() && !control.matches(":disabled, .sr-only"))
      .filter((control) => {
        const room = control.closest("label") ?? control;
        const after = getComputedStyle(control, "::after");
        const reach = after.position === "absolute" ? Number.parseFloat(after.height) : 0;
        return Math.max(room.getBoundingClientRect().height, reach || 0) < 43.5;
      })
      .map(({ outerHTML }) => outerHTML.slice(0, 160)),
  );
}

test("small phones: people's pages in both languages, nothing that axe or a finger would miss", async ({
  browser,
  baseURL,
  consoleWatch,
}) => {
  // The link that does not work.
  consoleWatch.allow(/40\d/);
  for (const { person, language, theme, paths } of small) {
    const context = await browser.newContext({
      ...(baseURL !== undefined && { baseURL }),
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: "reduce",
      colorScheme: theme,
    });
    await context.addInitScript((name) => localStorage.setItem("lead-desk.language", name), language);
    const page = await context.newPage();
    if (person) {
      await startSession(page, person);
      expect(
        (await page.request.patch("/api/interface-settings", { data: { language, theme: "auto" } })).status(),
      ).toBe(200);
    }
    for (const [path, heading] of paths) {
      await page.goto(path);
      await expect(page.getByRole("heading", { name: heading, level: 1 }), path).toBeVisible();
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      const { violations: found } = await new AxeBuilder({ page }).withTags(tags).analyze();
      expect(
        found.map(({ id, nodes }) => `${path} ${id}: ${nodes[0]?.html}`),
        path,
      ).toEqual([]);
      expect(await tooSmall(page), path).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(360);
      expect(await page.evaluate(() => document.documentElement.lang), path).toBe(language);
    }
    await context.close();
  }
});
