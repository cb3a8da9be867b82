import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

interface Look {
  /** Parts of the page, as a selector. */
  within?: string;
  /** Rules that the page breaks on purpose. */
  except?: string[];
  /** In the light and in the dark, whichever the account has chosen; the page stays dark. */
  inBothThemes?: boolean;
  /** What a failure is told with. */
  message?: string;
}

/** Shows the page in a theme, if one is named, and waits until every change of colour and place is over. */
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

/** What axe finds: one line for each rule. Pages have no frames, in each of which it would be started. */
async function faults(page: Page, { within = "html", except = [] }: Look, rule?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().include(within);
  // Every rule that is on by itself, and the one of WCAG 2.2 that is not; nobody reads the lists of what is in order.
  const off = Object.fromEntries(except.map((id) => [id, { enabled: false }]));
  axe.options({ resultTypes: ["violations"], rules: { "target-size": { enabled: true }, ...off } });
  if (rule) axe.withRules([rule]);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${page.url()} ${id}: ${nodes[0]?.html}`);
}

/**
 * axe finds nothing on the page, or in a part of it. It looks again for as long as it finds something: a toast that comes or goes is see-through for a
 * moment, and settings that arrive in the middle of a look give the page its own theme back. Of the dark only colours are looked at, for all else is the
 * same there.
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
