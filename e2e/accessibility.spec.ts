import type { Browser, Locator, Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { cutRings } from "./cut-rings.ts";
import { expect, expectNoSidewaysScroll, type people, startSession, test } from "./fixtures.ts";

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
  ["/duplicates", "Possible Duplicates"],
];

type Person = keyof typeof people;

/** The page does not scroll sideways on a small phone. */
async function expectNarrow(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page, page.url());
  if (size) await page.setViewportSize(size);
}

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: "reduce" }));

test("axe finds no violation on the login screen, in both themes", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
  await expectAccessible(page, { inBothThemes: true });
});

for (const [part, some] of [pages.slice(0, 6), pages.slice(6)].entries()) {
  test(`pages have their headings, no axe violation in both themes and no horizontal scrolling, part ${part + 1}`, async ({
    page,
  }) => {
    await startSession(page, "luis");
    for (const [path, heading] of some) {
      await page.goto(path);
      await expect(page.getByRole("main")).toBeVisible();
      await page.waitForLoadState("load");
      await expect(page.getByRole("heading", { name: heading, level: 1 }), path).toBeVisible();
      await expect(page.locator("[aria-busy=true]"), path).toHaveCount(0);
      await expectAccessible(page, { inBothThemes: true });
      await expectNarrow(page);
      await expect.poll(() => cutRings(page), path).toEqual([]);
    }
  });
}

/** Newer pages, each in one language and theme, at the width of a small phone. */
const small: {
  person: Person | null;
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
      ["/settings", "Configuración"],
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

/** Controls that are too small for a finger: under 44 px, including the space around them that is part of the target. */
function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        "button, input, select, textarea, summary, [role=tab], [role=menuitem], [role=option]",
      ),
    ]
      .filter(
        (control) =>
          control.checkVisibility() &&
          !control.matches(":disabled, .sr-only, [aria-hidden=true] *, [aria-hidden=true]"),
      )
      .filter((control) => {
        const room = control.closest("label") ?? control;
        const after = getComputedStyle(control, "::after");
        const reach = after.position === "absolute" ? Number.parseFloat(after.height) : 0;
        return Math.max(room.getBoundingClientRect().height, reach || 0) < 43.5;
      })
      .map(({ outerHTML }) => outerHTML.slice(0, 160)),
  );
}

/** Opens a page as on a small phone in one language and theme, signed in. */
async function openPhone(
  browser: Browser,
  baseURL: string | undefined,
  { person, language, theme }: { person: Person | null; language: "en" | "es"; theme: "light" | "dark" },
): Promise<Page> {
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
    const settings = { data: { language, theme: "auto" } };
    expect((await page.request.patch("/api/interface-settings", settings)).status()).toBe(200);
  }
  return page;
}

test("people's pages have no axe violation and no small touch target on small phones, in both languages", async ({
  browser,
  baseURL,
  consoleWatch,
}) => {
  // The invalid link fails on purpose.
  consoleWatch.allow(/40\d/);
  for (const { person, language, theme, paths } of small) {
    const page = await openPhone(browser, baseURL, { person, language, theme });
    for (const [path, heading] of paths) {
      await page.goto(path);
      await expect(page.getByRole("heading", { name: heading, level: 1 }), path).toBeVisible();
      await expect(page.locator("[aria-busy=true]"), path).toHaveCount(0);
      await expect(page.locator("html"), path).toHaveAttribute("lang", language);
      await expectAccessible(page);
      await expect.poll(() => tooSmall(page), path).toEqual([]);
      await expectNoSidewaysScroll(page, path);
    }
    await page.context().close();
  }
});

const overlayRoles = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";

/** Overlays, by the names of the buttons that are pressed in sequence; the last one opens the overlay. */
const openers: { person: Person; path: string; opened: [string | RegExp, ...(string | RegExp)[]][] }[] = [
  {
    person: "ana",
    path: "/?search=Zoe",
    opened: [
      [/menú de la cuenta/],
      [/menú de la cuenta/, "Configuración de la cuenta"],
      ["Abrir menú"],
      [/^Marcador$/],
      [/^Fechas de seguimiento/],
      ["Filtrar por estado"],
      ["Editar el nombre de Zoe Phone"],
      ["Historial de Zoe Phone"],
      ["Enviar SMS Zoe Phone"],
      ["Actualizar estado Zoe Phone"],
      ["Actualizar estado Zoe Phone", /^Fecha del próximo seguimiento/],
      ["Más acciones para Zoe Phone"],
      ["Más acciones para Zoe Phone", "Programar reunión"],
      ["Más acciones para Zoe Phone", "Transferir prospecto"],
    ],
  },
  {
    person: "admin",
    path: "/team-access",
    opened: [
      ["Agregar persona"],
      ["Acciones de Luis Mendoza"],
      ["Acciones de Luis Mendoza", "Editar"],
      ["Acciones de Luis Mendoza", "Desactivar"],
    ],
  },
];

const hasFocus = (overlay: Element) => overlay.contains(document.activeElement);

/** Parts of an overlay that are outside of the window, or scroll sideways. */
function reachesOut(overlay: Element): string[] {
  const { left, right, top, bottom } = overlay.getBoundingClientRect();
  const isOut = left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
  const scrolls = [overlay, ...overlay.querySelectorAll("*:not([role=tablist], pre, input)")].filter(
    (part) => /auto|scroll/.test(getComputedStyle(part).overflowX) && part.scrollWidth > part.clientWidth + 1,
  );
  return [...(isOut ? [overlay] : []), ...scrolls].map(({ outerHTML }) => outerHTML.slice(0, 160));
}

test("dialogs, menus and pickers open by keys on a small phone, have no axe violation and no small touch target, and Escape returns the focus", async ({
  browser,
  baseURL,
  portal,
}) => {
  await portal.query(
    `insert into leads (name, email, phone, phone_e164, assigned_to, assigned_at, search)
     select 'Zoe Phone', 'zoe.of.the.long.address@example.com', '+12125550171', '+12125550171', id, now(), 'zoe phone' from users where email = 'ana@portal.test'`,
  );
  for (const { person, path, opened } of openers) {
    const page = await openPhone(browser, baseURL, { person, language: "es", theme: "dark" });
    await page.goto(path);
    // Cards are collapsed on a phone.
    if (path.startsWith("/?")) await page.getByRole("button", { name: /^Abrir la tarjeta/ }).click();
    const overlays = page.locator(overlayRoles);
    const overlay = overlays.last();
    for (const buttons of opened) {
      const where = buttons.join(" > ");
      const focused: Locator[] = [];
      for (const name of buttons) {
        const scope = focused.length > 0 ? overlay : page;
        const button = scope
          .getByRole("button", { name })
          .or(scope.getByRole("menuitem", { name }))
          .or(scope.getByRole("combobox", { name }))
          .first();
        focused.push(button);
        await overlays.evaluateAll((all) => {
          for (const each of all) each.setAttribute("data-before", "");
        });
        await button.press("Enter");
        // A new overlay instead of the menu that opened it, with the focus inside.
        await expect(overlays.and(page.locator(":not([data-before])")), where).toBeVisible();
        await expect(overlay.locator("[aria-busy=true]"), where).toHaveCount(0);
        await expect.poll(() => overlay.evaluate(hasFocus), where).toBe(true);
      }
      await expectAccessible(page, { within: overlayRoles, message: where });
      await expect.poll(() => tooSmall(page), where).toEqual([]);
      await expectNoSidewaysScroll(page, where);
      await expect.poll(() => overlay.evaluate(reachesOut), where).toEqual([]);
      const [opener] = focused;
      for (let open = await overlays.count(); open > 0; open -= 1) {
        await page.keyboard.press("Escape");
        await expect.poll(() => overlays.count(), where).toBeLessThan(open);
      }
      if (opener) await expect(opener, where).toBeFocused();
    }
    await page.context().close();
  }
});
