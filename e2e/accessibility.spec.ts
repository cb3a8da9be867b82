import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "./fixtures.ts";

const pages = [
  "/",
  "/calendar",
  "/settings",
  "/auto-dialer",
  "/reports",
  "/account",
  "/team-access",
  "/no/such/page",
  "/integrations",
  "/integrations?tab=webhooks",
  "/integrations?tab=api",
  "/ghl-diagnostics",
];

for (const theme of ["light", "dark"] as const) {
  test(`axe finds nothing on the pages, ${theme}`, async ({ page, signIn }) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    const violations = async () =>
      (
        await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]).analyze()
      ).violations.map(({ id, nodes }) => `${page.url()} ${id}: ${nodes[0]?.html}`);
    await page.goto("/");
    await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
    expect(await violations()).toEqual([]);
    await signIn("luis");
    for (const path of pages) {
      await page.goto(path);
      await expect(page.getByRole("main")).toBeVisible();
      await page.waitForLoadState("load");
      await expect(page.getByRole("heading").first()).toBeVisible();
      expect(await violations()).toEqual([]);
    }
  });
}

test("no page scrolls sideways at 360 px", async ({ page, signIn }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn("luis");
  for (const path of pages) {
    await page.goto(path);
    await expect(page.getByRole("main")).toBeVisible();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, path).toBeLessThanOrEqual(0);
  }
});
