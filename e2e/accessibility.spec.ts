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
