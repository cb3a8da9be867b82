import { AxeBuilder as Builder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/**
 * axe on a page of ours. Pages have no frames: a second page, in which axe puts together what it finds in each, would only cost a process of
 * the browser; and nobody reads the lists of what is in order.
 */
export class AxeBuilder extends Builder {
  constructor(options: { page: Page }) {
    super(options);
    this.setLegacyMode().options({ resultTypes: ["violations"] });
  }
}

export const tags = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];

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

async function analyze(page: Page, within: string): Promise<string[]> {
  await showIn(page, "light");
  const light = await new AxeBuilder({ page }).include(within).withTags(tags).analyze();
  await showIn(page, "dark");
  const dark = await new AxeBuilder({ page }).include(within).withRules(["color-contrast"]).analyze();
  return [...light.violations, ...dark.violations].map(
    ({ id, nodes }) => `${page.url()} ${id}: ${nodes[0]?.html}`,
  );
}

/**
 * What axe finds on the page, or in a part of it: everything in the light, what colours alone can break in the dark. Settings that arrive in the middle of a
 * look give the page its own theme back, so that colours of both are mixed: what is found must be there at the second look, too.
 */
export async function violations(page: Page, within = "html"): Promise<string[]> {
  const found = await analyze(page, within);
  return found.length === 0 ? [] : analyze(page, within);
}
