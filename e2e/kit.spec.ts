import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { expect, expectNoSidewaysScroll, holdToasts, startSession, test } from "./fixtures.ts";

test.use({ spec: "kit" });

/** All components that the kit page shows. */
const parts = [
  ...[
    "button",
    "badge",
    "chip",
    "segments",
    "tabs",
    "field",
    "checkbox",
    "select-box",
    "switch",
    "choice-cards",
  ],
  ...[
    "stat-card",
    "stat-strip",
    "metric-list",
    "bar-list",
    "table",
    "list-table",
    "pick-row",
    "pane-row",
    "recent-list",
  ],
  ...["empty-state", "list-failed", "rows-skeleton", "more-rows", "new-items"],
];

const phone = { width: 360, height: 740 };

async function openKit(page: Page, language: "en" | "es"): Promise<void> {
  await startSession(page, "ana");
  const answer = await page.request.patch("/api/interface-settings", { data: { language } });
  expect(answer.ok()).toBe(true);
  await page.goto("/kit");
  await expect(
    page.getByRole("heading", { level: 1, name: language === "en" ? "Kit" : "Piezas" }),
  ).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
}

/** Distinct heights of the elements that match `selector`, in ascending order. */
const heights = (page: Page, selector: string) => () =>
  page.evaluate((wanted) => {
    const found = [...document.querySelectorAll(wanted)].map((each) => each.getBoundingClientRect().height);
    return [...new Set(found.map((height) => Math.round(height * 10) / 10))].sort((a, b) => a - b);
  }, selector);

/** Gaps within components that are not multiples of 4 px. */
function oddGaps(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("[data-part] > div *")].flatMap((element) => {
      const { display, rowGap, columnGap } = getComputedStyle(element);
      if (!/flex|grid/.test(display)) return [];
      const odd = [rowGap, columnGap].filter((gap) => Number.parseFloat(gap) % 4 > 0);
      const part = element.closest<HTMLElement>("[data-part]")?.dataset.part;
      return odd.length === 0 ? [] : [`${part}: ${odd.join(" ")} of ${element.outerHTML.slice(0, 200)}`];
    }),
  );
}

/** Elements that overflow their specimen, unless an ancestor scrolls or clips them. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("[data-part]")].flatMap((specimen) => {
      // Scrolling elements extend by 4 px for the focus rings inside.
      const edge = specimen.getBoundingClientRect().right + 4.5;
      const isHeld = (element: Element): boolean => {
        for (let at = element.parentElement; at && at !== specimen; at = at.parentElement) {
          const { overflowX } = getComputedStyle(at);
          if (overflowX !== "visible" && at.getBoundingClientRect().right <= edge) return true;
        }
        return false;
      };
      return [...specimen.querySelectorAll("*")]
        .filter((element) => element.getBoundingClientRect().right > edge && !isHeld(element))
        .map(
          (element) =>
            `${specimen.dataset.part} ${specimen.dataset.state}: ${element.outerHTML.slice(0, 160)}`,
        );
    }),
  );
}

/** Colours on a side that are not tokens of its theme, with any opacity. */
function strangeColours(page: Page, side: "light" | "dark"): Promise<string[]> {
  return page.evaluate((theme) => {
    const root = document.querySelector(`[data-side=${theme}]`);
    const probe = root?.appendChild(document.createElement("i"));
    if (!probe) return ["no such side"];
    /** Lightness and the two colour axes, in whatever notation; null for an invisible colour. */
    const parsed = (colour: string): number[] | null => {
      probe.style.color = `color-mix(in oklab, ${colour}, ${colour})`;
      const [, l, a, b, alpha = "1"] =
        /^oklab\(([^ ]+) ([^ ]+) ([^ ]+)(?: \/ (.+))?\)$/.exec(getComputedStyle(probe).color) ?? [];
      return alpha === "0" ? null : [Number(l), Number(a), Number(b)];
    };
    const texts = (rules: CSSRuleList): string[] =>
      [...rules].flatMap((rule) => (rule instanceof CSSGroupingRule ? texts(rule.cssRules) : [rule.cssText]));
    const names = [...document.styleSheets]
      .flatMap((sheet) => texts(sheet.cssRules))
      .filter((text) => /^(\.light|:root|\.dark)/.test(text))
      .flatMap((text) => [...text.matchAll(/(--[a-z-]+):/g)].map(([, name = ""]) => name));
    const tokens = [...new Set(names)].flatMap((name) => {
      const value = getComputedStyle(probe).getPropertyValue(name);
      return CSS.supports("color", value) ? [parsed(value) ?? []] : [];
    });
    const known = new Map<string, boolean>();
    const isToken = (colour: string) => {
      const own = parsed(colour);
      return (
        own === null ||
        tokens.some(
          (token) => token.length === 3 && token.every((part, at) => Math.abs(part - (own[at] ?? 9)) < 0.005),
        )
      );
    };
    const found = [...document.querySelectorAll(`[data-side=${theme}] [data-part] *`)].flatMap((element) => {
      const style = getComputedStyle(element);
      const colours = [style.color, style.backgroundColor];
      if (style.borderTopWidth !== "0px") colours.push(style.borderTopColor);
      if (style.outlineStyle !== "none") colours.push(style.outlineColor);
      return colours
        .filter((colour) => {
          if (!known.has(colour)) known.set(colour, isToken(colour));
          return known.get(colour) === false;
        })
        .map((colour) => `${colour}: ${element.outerHTML.slice(0, 120)}`);
    });
    probe.remove();
    return tokens.length < 20 ? [`${tokens.length} tokens`] : [...new Set(found)];
  }, side);
}

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: "reduce" }));

test("the kit shows every component, with sizes and gaps on the grid, in the colors of the theme", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await openKit(page, "en");
  for (const side of ["light", "dark"]) {
    for (const part of parts) {
      await expect(page.locator(`[data-side=${side}] [data-part=${part}]`).first(), part).toBeVisible();
    }
  }

  for (const [selector, height] of [
    // Rows of every kind.
    ["[data-part=list-table] [data-row]", 40],
    ["[data-part=table][data-state=rest] tbody tr", 40],
    ["[data-part=pick-row][data-state=rest] button", 40],
    ["[data-part=table] thead tr, [data-part=list-table] [aria-rowindex='1']", 32],
    // Controls.
    ["[data-part=button][data-state=rest] button", 36],
    ["[data-part=button][data-state=busy] button", 36],
    ["[data-part=field] input, [data-part=field] [role=combobox]", 36],
    ["[data-part=segments] fieldset", 36],
    ["[data-part=chip] button", 32],
    ["[data-part=stat-strip] button", 32],
    ["[data-part=checkbox] input, [data-part=select-box] input", 18],
  ] as const)
    await expect.poll(heights(page, selector), selector).toEqual([height]);
  await expect.poll(() => oddGaps(page)).toEqual([]);

  // Each theme uses only its own colours.
  await expect.poll(() => strangeColours(page, "light")).toEqual([]);
  await expect.poll(() => strangeColours(page, "dark")).toEqual([]);

  // The specimens of hover and focus match the styles that a pointer and a key cause.
  const sample = (state: string) =>
    page.locator(`[data-side=light] [data-part=button][data-state=${state}] button`);
  const looksOf = (
    state: string,
    property: "backgroundColor" | "outlineColor" | "outlineWidth",
    at: number,
  ) =>
    sample(state)
      .nth(at)
      .evaluate((button, name) => getComputedStyle(button)[name], property);
  for (const at of [0, 1, 2, 3, 4]) {
    await sample("rest").nth(at).hover();
    await expect
      .poll(() => looksOf("rest", "backgroundColor", at))
      .toBe(await looksOf("hover", "backgroundColor", at));
  }
  await page.mouse.move(0, 0);
  await sample("rest").first().focus();
  await page.keyboard.press("Tab");
  await expect(sample("rest").nth(1)).toBeFocused();
  for (const property of ["outlineColor", "outlineWidth"] as const) {
    await expect.poll(() => looksOf("rest", property, 1)).toBe(await looksOf("focus", property, 1));
  }
});

for (const language of ["en", "es"] as const) {
  test(`the kit has contrast, names and room for its texts at every width (${language})`, async ({
    page,
  }) => {
    await openKit(page, language);
    for (const size of [{ width: 1280, height: 800 }, phone]) {
      await page.setViewportSize(size);
      await expect.poll(() => overflowing(page), `${size.width} px`).toEqual([]);
      await expectNoSidewaysScroll(page, `${size.width} px`);
      // Every component is shown in each of its states.
      const except = ["landmark-unique"];
      await expectAccessible(page, { within: "[data-side]", except, message: `${size.width} px` });
    }
  });
}

test("overlays fit the page, have names and contrast in both themes, and return the focus", async ({
  page,
}) => {
  await openKit(page, "en");
  const overlays = [
    ["Dialog", "[role=dialog]"],
    ["Question", "[role=alertdialog]"],
    ["Menu", "[role=menu]"],
    ["Popover", "[role=dialog]"],
    ["Toast: warning", "[data-toast]"],
    ["Toast: failed", "[data-toast]"],
  ] as const;
  for (const [opener, selector] of overlays) {
    // Menus close when the window loses the focus, so toasts are held only after them.
    if (selector === "[data-toast]") await holdToasts(page);
    for (const size of [{ width: 1280, height: 800 }, phone]) {
      await page.setViewportSize(size);
      const shown = page.locator(selector);
      const button = page.getByRole("button", { name: opener, exact: true });
      await button.click();
      await expect(shown, opener).toBeVisible();
      if (size === phone)
        await expectAccessible(page, { within: selector, inBothThemes: true, message: opener });
      const fits = async () => {
        const { x = -1, width = 0 } = (await shown.boundingBox()) ?? {};
        return x >= 0 && x + width <= size.width;
      };
      await expect.poll(fits, opener).toBe(true);
      await page.keyboard.press("Escape");
      await expect(shown, opener).toBeHidden();
      await expect(button, opener).toBeFocused();
    }
  }
});

test.describe("touch targets", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: phone });

  test("rows and everything that can be pressed are 44 px high", async ({ page }) => {
    await openKit(page, "en");
    for (const selector of [
      "[data-part=list-table] [data-row]",
      "[data-part=table][data-state=rest] tbody tr",
      "[data-part=chip] button",
      "[data-part=button][data-state=rest] button",
    ])
      await expect.poll(heights(page, selector), selector).toEqual([44]);
    const pressed = heights(
      page,
      "[data-part] button:not([role=switch]), [data-part] label:has(input), [data-part] a[data-lead-link]",
    );
    const low = async () => (await pressed()).filter((height) => height > 0 && height < 44);
    await expect.poll(low).toEqual([]);
  });
});

test("the kit exists in demo mode only, and its address is not found elsewhere", async ({ page }) => {
  await startSession(page, "ana");
  await page.route("**/kit", async (route) => {
    const answer = await route.fetch();
    const html = await answer.text();
    expect(html).toContain('name="demo-mode" content="true"');
    await route.fulfill({
      response: answer,
      body: html.replace('name="demo-mode" content="true"', 'name="demo-mode" content="false"'),
    });
  });
  await page.goto("/kit");
  await expect(page.getByRole("heading", { level: 1, name: "404 Page Not Found" })).toBeVisible();
});
