import type { Page, Route } from "@playwright/test";
import { expect, type Portal, people, startSession, test } from "../../e2e/fixtures.ts";

test.use({ spec: "pressed-again" });

const phoneOf = (n: number) => `+1212555${String(100 + n).padStart(4, "0")}`;
let leads = 0;

/** Adds a lead of this consultant whose simulated phone answers. */
async function addLead(portal: Portal, who: "ana" | "luis" = "ana"): Promise<string> {
  leads += 1;
  const name = `Pia Pressed ${leads} `.trim();
  await portal.query(
    `insert into leads (name, email, phone, phone_e164, assigned_to, assigned_at, search)
     select $1, $3, $2, $2, id, now(), lower($1) from users where email = $4`,
    [name, phoneOf(leads * 10), `pia${leads}@example.com`, people[who].email],
  );
  return name;
}

/** Presses five times within 50 ms, like an impatient user; the button may disappear after the first press. */
const pressFive = (page: Page, name: RegExp | string, within = "body") =>
  page.evaluate(
    async ({ source, flags, inside }) => {
      const label = new RegExp(source, flags);
      const buttons = () =>
        [...document.querySelectorAll<HTMLButtonElement>(`${inside} button`)].filter((one) =>
          label.test(one.getAttribute("aria-label") ?? one.innerText),
        );
      const button = buttons().at(-1);
      for (let n = 0; n < 5; n += 1) {
        button?.click();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    name instanceof RegExp
      ? { source: name.source, flags: name.flags, inside: within }
      : { source: `^${name}`, flags: "", inside: within },
  );

/** Actions that must take effect once: how they are started, with which button, and a query that counts their effect. */
function intents(page: Page, portal: Portal) {
  const countOf = (sql: string, name: string) => async () =>
    (await portal.query<{ n: number }>(sql, [name]))[0]?.n;
  return [
    {
      what: "a call",
      path: "**/api/make-call",
      open: (name: string) => page.goto(`/?search=${encodeURIComponent(name)}`),
      button: /^Call Now/,
      again: /^(Call Now|Return to call|Try again)/,
      count: (name: string) =>
        countOf(
          "select count(*)::int as n from calls c join leads l on l.id = c.lead_id where l.name = $1",
          name,
        ),
    },
    {
      what: "a text",
      path: "**/api/leads/*/sms",
      open: async (name: string) => {
        await page.goto(`/?search=${encodeURIComponent(name)}`);
        await page
          .getByRole("button", { name: /^Send SMS/ })
          .first()
          .click();
        await page.getByRole("dialog").getByRole("textbox", { name: "Message" }).fill(`Hello ${name}`);
      },
      button: /^Send$/,
      again: /^Send$/,
      count: (name: string) =>
        countOf(
          "select count(*)::int as n from messages m join leads l on l.id = m.lead_id where l.name = $1",
          name,
        ),
    },
    {
      what: "a client",
      path: "**/api/leads/*/convert",
      open: async (name: string) => {
        await page.goto(`/?search=${encodeURIComponent(name)}`);
        await page
          .getByRole("button", { name: /^Update Status/ })
          .first()
          .click();
        await page.getByRole("button", { name: "Convert to Client" }).click();
        await page.getByLabel("Conversion Value ($)").fill("2500");
      },
      button: /^Convert to Client$/,
      again: /^Convert to Client$/,
      count: (name: string) =>
        countOf(
          "select count(*)::int as n from clients c join leads l on l.id = c.lead_id where l.name = $1",
          name,
        ),
    },
    {
      what: "a meeting",
      path: "**/api/calendar/events",
      open: async (name: string) => {
        await page.goto("/calendar");
        await page.getByRole("button", { name: "Schedule Meeting" }).click();
        const dialog = page.getByRole("dialog", { name: "Schedule Meeting" });
        await dialog.getByLabel("Title").fill(`Offer ${name}`);
        await dialog.getByRole("button", { name: /Pick a date/ }).click();
        await page.getByRole("gridcell").locator("button:not([disabled])").last().click();
        await dialog.getByLabel("Time").fill("22:00");
      },
      button: /^Schedule Meeting$/,
      again: /^Schedule Meeting$/,
      count: (name: string) =>
        countOf("select count(*)::int as n from meetings where title = 'Offer ' || $1", name),
    },
  ];
}

test.beforeEach(async ({ page, consoleWatch }) => {
  // The tests delay and abort requests on purpose.
  consoleWatch.allow(/Failed to load resource|net::ERR_/);
  await startSession(page, "ana");
});

const endCall = async (page: Page, portal: Portal) => {
  const end = page.getByRole("button", { name: "End Call" });
  if (await end.isVisible().catch(() => false)) await end.click();
  await expect
    .poll(async () => (await portal.query("select 1 from calls where state <> 'ended'")).length)
    .toBe(0);
};

test("five presses in 50 ms over a slow network take effect once, also if the page is left by Back and reopened", async ({
  page,
  portal,
}) => {
  for (const { what, path, open, button, count } of intents(page, portal))
    for (const goesBack of [false, true]) {
      const name = await addLead(portal);
      await page.goto("/reports");
      await open(name);
      // The request is slow; if Back is pressed, the response is, so that the server has acted.
      await page.route(path, async (route) => {
        if (route.request().method() !== "POST") return route.continue();
        const response = goesBack ? await route.fetch() : null;
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        return (response ? route.fulfill({ response }) : route.continue()).catch(() => undefined);
      });
      await expect(page.getByRole("button", { name: button }).last()).toBeEnabled();
      await pressFive(page, button);
      if (goesBack) {
        await expect.poll(count(name), what).toBe(1);
        await page.goBack();
        await page.goForward();
      }
      await expect.poll(count(name), `${what}${goesBack ? ", Back" : ""}`).toBe(1);
      await page.unrouteAll({ behavior: "wait" });
      await page.waitForTimeout(1_000);
      expect(await count(name)(), `${what}${goesBack ? ", Back" : ""}`).toBe(1);
      await endCall(page, portal);
      await portal.query("update calls set requested_at = requested_at - interval '1 day'");
    }
});

test("a lost response after the server acted, and a second press, take effect once", async ({
  page,
  portal,
}) => {
  for (const { what, path, open, button, again, count } of intents(page, portal)) {
    const name = await addLead(portal);
    await open(name);
    let lost = 0;
    const lose = async (route: Route) => {
      if (route.request().method() !== "POST" || lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort("connectionreset");
    };
    await page.route(path, lose);
    await page.getByRole("button", { name: button }).last().click();
    await expect.poll(count(name), what).toBe(1);
    await expect.poll(() => lost).toBe(1);
    const second = page.getByRole("button", { name: again }).last();
    if (await second.isVisible({ timeout: 5_000 }).catch(() => false)) await second.click();
    await page.waitForTimeout(2_000);
    expect(await count(name)(), what).toBe(1);
    await page.unrouteAll({ behavior: "wait" });
    await page.keyboard.press("Escape");
    await endCall(page, portal);
  }
});

const dialled = async (portal: Portal) =>
  portal.query<{ n: number }>("select count(*)::int as n from calls group by lead_id order by n desc");

test("two contexts start the dialer, one closes during a call, the other sleeps for 20 minutes: no lead is called twice, and the session continues", async ({
  page,
  portal,
  browser,
}) => {
  await portal.query("delete from call_logs");
  for (let n = 0; n < 3; n += 1) await addLead(portal, "luis");
  const contexts = [await browser.newContext(), await browser.newContext()];
  const [first, second] = await Promise.all(contexts.map((context) => context.newPage()));
  if (!first || !second) throw new Error("no pages");
  const at = (tab: Page) => tab.goto(`${portal.url}/auto-dialer`);
  for (const context of contexts)
    expect(
      (await context.request.post(`${portal.url}/api/login/local`, { data: people.luis })).status(),
    ).toBe(200);
  await second.clock.install();
  await Promise.all([at(first), at(second)]);
  // Both show the list, and Start is pressed in both at the same moment.
  for (const tab of [first, second]) await expect(tab.getByRole("button", { name: "Start" })).toBeEnabled();
  await Promise.all([first, second].map((tab) => tab.getByRole("button", { name: "Start" }).click()));
  const calls = () =>
    portal.query("select 1 from calls c join users u on u.id = c.user_id where u.email = $1", [
      people.luis.email,
    ]);
  await expect.poll(async () => (await calls()).length).toBe(1);
  // The second context shows the same session.
  const panel = second.getByRole("region", { name: "Auto-Dialer" });
  await expect(panel.getByText(/Pia Pressed/).first()).toBeVisible();
  await first.close();
  await expect(panel.getByText(/How did it go with/)).toBeVisible();
  // It sleeps: it sends no request, and its clock is 20 minutes later when it wakes.
  await panel.getByRole("button", { name: /^Save/ }).click();
  await contexts[1]?.setOffline(true);
  const before = (await calls()).length;
  await expect
    .poll(
      async () =>
        (
          await portal.query<{ status: string }>(
            "select status from dialer_sessions order by id desc limit 1",
          )
        )[0]?.status,
      {
        timeout: 180_000,
      },
    )
    .toBe("paused");
  const paused = (await calls()).length;
  expect(paused - before).toBeLessThanOrEqual(1);
  await second.clock.fastForward("20:00");
  await second.waitForTimeout(3_000);
  expect((await calls()).length).toBe(paused);
  await contexts[1]?.setOffline(false);
  const resume = second.getByRole("button", { name: /^Resume at lead|^Resume/ }).first();
  await expect(resume).toBeVisible();
  for (const { n } of await dialled(portal)) expect(n).toBe(1);
  await resume.click();
  await expect.poll(async () => (await calls()).length).toBeGreaterThan(before);
  await page.waitForTimeout(1_000);
  const luis = await portal.query<{ n: number }>(
    "select count(*)::int as n from calls c join users u on u.id = c.user_id where u.email = $1 group by lead_id",
    [people.luis.email],
  );
  for (const { n } of luis) expect(n).toBe(1);
  for (const context of contexts) await context.close();
});
