import type { Page, Route } from "@playwright/test";
import { expect, type Portal, people, startSession, test } from "../../e2e/fixtures.ts";

test.use({ spec: "failing-server" });

/** Faulty responses of the server to a request for data, and no response. */
const answers: Record<string, (route: Route) => Promise<void>> = {
  "500": (route) => route.fulfill({ status: 500, json: { message: "down", requestId: "x" } }),
  "an empty answer": (route) => route.fulfill({ status: 200, body: "" }),
  "a page of HTML": (route) =>
    route.fulfill({
      status: 200,
      contentType: "text/html",
      body: "<!doctype html><html><body>proxy</body></html>",
    }),
  "a proxy's 502": (route) =>
    route.fulfill({ status: 502, contentType: "text/html", body: "<html><body>Bad gateway</body></html>" }),
  "half a document": (route) =>
    route.fulfill({ status: 200, contentType: "application/json", body: '{"leads": [' }),
  "no connection": (route) => route.abort("connectionrefused"),
};
const consultantPages = [
  ...["/", "/today", "/inbox", "/calendar", "/call-history", "/reports", "/all-leads", "/analytics"],
  ...["/auto-dialer", "/contacts", "/settings", "/integrations"],
];
const adminPages = [
  "/admin",
  "/all-leads",
  "/team-access",
  "/integrations",
  "/go-live",
  "/reports",
  "/settings",
];
/** Messages that browsers log for any failed request; everything else on the console is a fault of the page. */
const networksOwn =
  /Service Worker registration blocked by Playwright|preloaded using link preload|Failed to load resource|net::ERR_|the server responded with a status of|ERR_CONNECTION_REFUSED/;

const isData = (url: URL) => url.pathname.startsWith("/api/") && url.pathname !== "/api/events";

/** The text of the page's content, without the navigation. */
const words = (page: Page) =>
  page.evaluate(() => {
    const root = document.querySelector("main") ?? document.body;
    return (root as HTMLElement).innerText.replaceAll(/\s+/g, " ").trim();
  });

async function watchPage(page: Page) {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !networksOwn.test(message.text()))
      problems.push(message.text());
  });
  return problems;
}

const tellsOfFault =
  /could not|cannot|no se pudo|error|failed|try again|reintentar|retry|sesi[oó]n expirada|no network|unavailable|not available|down|waiting to be sent/i;

for (const [who, pages] of [
  ["ana", consultantPages],
  ["admin", adminPages],
] as const)
  for (const [name, answer] of Object.entries(answers))
    test(`${who}: when data requests get ${name}, no page is blank, each reports the fault and recovers`, async ({
      page,
      consoleWatch,
    }) => {
      consoleWatch.allow(/./);
      const problems = await watchPage(page);
      await startSession(page, who);
      const silent: string[] = [];
      for (const path of pages) {
        // The account can be read, all other data fails.
        await page.route((url) => isData(url) && url.pathname !== "/api/current-user", answer);
        await page.goto(path);
        await expect.poll(() => words(page), `${path} is white`).not.toBe("");
        const says = async () => tellsOfFault.test(await page.locator("body").innerText());
        const saysFailure = await expect
          .poll(says, { timeout: 20_000 })
          .toBe(true)
          .then(
            () => true,
            () => false,
          );
        if (!saysFailure) silent.push(`${path}: ${(await words(page)).slice(0, 200)}`);
        await page.unrouteAll({ behavior: "wait" });
        const again = page
          .getByRole("button", { name: /try again|retry|reintentar|intentar de nuevo/i })
          .first();
        if (await again.isVisible()) await again.click();
      }
      expect(silent).toEqual([]);
      expect(problems).toEqual([]);
    });

test("no page is blank when the account itself cannot be read", async ({ page, consoleWatch }) => {
  consoleWatch.allow(/./);
  const problems = await watchPage(page);
  for (const [name, answer] of Object.entries(answers)) {
    await startSession(page, "ana");
    await page.route((url) => isData(url), answer);
    await page.goto("/call-history");
    await expect.poll(() => page.locator("body").innerText(), name).toMatch(/\w{3}/);
    await expect(page.locator("#skeleton"), name).toHaveCount(0);
    await page.unrouteAll({ behavior: "wait" });
    await page.goto("/call-history");
    await expect(page.getByRole("heading", { name: "Call History", level: 1 }), name).toBeVisible();
  }
  expect(problems).toEqual([]);
});

async function addLead(portal: Portal, name: string): Promise<void> {
  await portal.query(
    `insert into leads (name, email, phone, phone_e164, assigned_to, assigned_at, search)
     select $1, 'typed@example.com', '+12125550141', '+12125550141', id, now(), lower($1) from users where email = $2`,
    [name, people.ana.email],
  );
}

test("typed input is kept when saving fails, and saved once the server responds", async ({
  page,
  portal,
  signIn,
  consoleWatch,
}) => {
  consoleWatch.allow(/./);
  const problems = await watchPage(page);
  await addLead(portal, "Tina Typed");
  const forms = [
    {
      what: "a text",
      open: async () => {
        await page.goto("/?search=tina");
        await page
          .getByRole("button", { name: /^Send SMS/ })
          .first()
          .click();
      },
      field: () => page.getByRole("dialog").getByRole("textbox", { name: "Message" }),
      save: () => page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }),
      kept: "select count(*)::int as n from messages where body = $1",
    },
    {
      what: "a lead's notes",
      open: async () => {
        await page.goto("/?search=tina");
        await page
          .getByRole("button", { name: /^Update Status/ })
          .first()
          .click();
      },
      field: () => page.getByRole("dialog", { name: "Update Lead Status" }).getByLabel("Notes"),
      save: () => page.getByRole("button", { name: "Update Lead" }),
      kept: "select count(*)::int as n from leads where notes = $1",
    },
    {
      what: "a meeting",
      open: async () => {
        await page.goto("/calendar");
        await page.getByRole("button", { name: "Schedule Meeting" }).click();
        const dialog = page.getByRole("dialog", { name: "Schedule Meeting" });
        await dialog.getByRole("button", { name: /Pick a date/ }).click();
        await page.getByRole("gridcell").locator("button:not([disabled])").last().click();
        await dialog.getByLabel("Time").fill("22:00");
      },
      field: () => page.getByRole("dialog", { name: "Schedule Meeting" }).getByLabel("Title"),
      save: () => page.getByRole("dialog").getByRole("button", { name: "Schedule Meeting" }),
      kept: "select count(*)::int as n from meetings where title = $1",
    },
    {
      what: "the account's name",
      open: async () => {
        await page.goto("/");
        await page.getByRole("button", { name: /account menu/ }).click();
        await page.getByRole("menuitem", { name: "Account Settings" }).click();
      },
      field: () => page.getByRole("dialog", { name: "Account Settings" }).getByLabel("Full Name"),
      save: () => page.getByRole("dialog").getByRole("button", { name: "Save Changes" }),
      kept: "select count(*)::int as n from users where name = $1",
    },
  ];
  await signIn("ana");
  for (const { what, open, field, save, kept } of forms)
    for (const [name, answer] of Object.entries(answers)) {
      const typed = `Typed ${what} ${name}`;
      await open();
      await field().fill(typed);
      await page.route(
        (url) => isData(url),
        (route) => (route.request().method() === "GET" ? route.fallback() : answer(route)),
      );
      await save().click();
      await expect
        .poll(
          async () => tellsOfFault.test(await page.locator("body").innerText()),
          `${what}, ${name}: nothing is said`,
        )
        .toBe(true);
      // If it is unknown whether the server acted, the write is queued in the browser and sent later.
      const waiting = page.getByRole("button", { name: /waiting to be sent/ });
      const isWaiting = await waiting.isVisible();
      if (!isWaiting) await expect(field(), `${what}, ${name}`).toHaveValue(typed);
      await page.unrouteAll({ behavior: "wait" });
      if (!isWaiting) await save().click();
      await expect
        .poll(async () => (await portal.query<{ n: number }>(kept, [typed]))[0]?.n, `${what}, ${name}`)
        .toBe(1);
      await expect(waiting).toHaveCount(0);
    }
  expect(problems).toEqual([]);
});

test("a slow server keeps every page usable: the page is shown at once, its data when it arrives", async ({
  page,
  signIn,
}) => {
  await signIn("ana");
  await page.route(
    (url) => isData(url),
    async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      await route.continue();
    },
  );
  for (const path of consultantPages) {
    await page.goto(path);
    await expect.poll(async () => (await page.locator("body").innerText()).trim(), path).not.toBe("");
    await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
    await expect(page.locator("[aria-busy=true]"), path).toHaveCount(0);
  }
  await page.unrouteAll({ behavior: "ignoreErrors" });
});
