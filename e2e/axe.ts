import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

interface Look {
  /** A selector for parts of the page. */
  within?: string;
  /** Rules that the page violates on purpose. */
  except?: string[];
  /** In both themes, whatever the account has chosen; the page stays dark. */
  inBothThemes?: boolean;
  /** Message of a failure. */
  message?: string;
}

/** Shows the page in a theme, if one is given, and waits until all transitions have ended. */
async function settle(page: Page, theme?: "light" | "dark"): Promise<void> {
  await page.evaluate(async (name) => {
    const root = document.documentElement;
    if (name) {
      root.classList.toggle("dark", name === "dark");
      root.style.colorScheme = name;
    }
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const ending = document
      .getAnimations()
      .filter(
        ({ playState, effect }) => playState === "running" && effect?.getTiming().iterations !== Infinity,
      );
    await Promise.allSettled(ending.map(({ finished }) => finished));
  }, theme);
}

/** Violations found by axe, one line for each rule. Pages have no frames, in which axe would also be started. */
async function faults(page: Page, { within = "html", except = [] }: Look, rule?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().include(within);
  // All default rules, and the one of WCAG 2.2 that is off by default; lists of passed rules are not needed.
  const off = Object.fromEntries(except.map((id) => [id, { enabled: false }]));
  axe.options({ resultTypes: ["violations"], rules: { "target-size": { enabled: true }, ...off } });
  if (rule) axe.withRules([rule]);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${page.url()} ${id}: ${nodes[0]?.html}`);
}

/**
 * Expects no violations on the page, or in a part of it. Repeats the check while there are any: a toast that appears or disappears is
 * translucent for a moment, and settings that arrive during a check restore the page's own theme. In the dark theme only colours are
 * checked, because everything else is the same.
 */
export async function expectAccessible(page: Page, part: Look = {}): Promise<void> {
  const { inBothThemes, message } = part;
  const look = async () => {
    await settle(page, inBothThemes ? "light" : undefined);
    const found = await faults(page, part);
    if (!inBothThemes) return found;
    await settle(page, "dark");
    return [...found, ...(await faults(page, part, "color-contrast"))];
  };
  await expect.poll(look, message).toEqual([]);
}
