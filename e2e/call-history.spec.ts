import { readFileSync } from "node:fs";
import { expectAccessible } from "./axe.ts";
import {
  expect,
  expectNoSidewaysScroll,
  letRecordingsPlay,
  type Portal,
  startSession,
  test,
} from "./fixtures.ts";

test.use({ spec: "call-history" });

/** Adds a lead of this consultant with the given number of logged calls, a minute apart; every tenth has the notes 'renewal offer'. */
async function loggedCalls(portal: Portal, email: string, name: string, count: number): Promise<number> {
  const [lead] = await portal.query<{ id: number }>(
    `insert into leads (name, company, phone, phone_e164, assigned_to, assigned_at, search)
     select $2, 'Solar del Este', '(787) 555-0144', '+17875550144', id, now(), lower($2) from users where email = $1 returning id`,
    [email, name],
  );
  await portal.query(
    `insert into call_logs (lead_id, user_id, outcome, confirmed, call_type, duration_seconds, call_date, notes, search)
     select $2, u.id, (array['answered', 'voicemail', 'busy', 'no_answer'])[n % 4 + 1], true, 'browser', 60,
       now() - n * interval '1 minute', case when n % 10 = 0 then 'renewal offer' end, case when n % 10 = 0 then 'renewal offer' else '' end
     from users u, generate_series(1, $3::int) n where u.email = $1`,
    [email, lead?.id, count],
  );
  return lead?.id ?? 0;
}

test("thousands of calls scroll with only a few rows in the page, and are filtered by the server", async ({
  page,
  portal,
  signIn,
}) => {
  await loggedCalls(portal, "ana@portal.test", "Inés Duarte", 3000);
  await signIn("ana", "/call-history");
  await expect(page.getByRole("heading", { level: 1, name: "Call History" })).toBeVisible();
  await expect(page.getByText("(212) 555-0100")).toBeVisible();
  const rows = page.getByRole("list", { name: "Calls", exact: true }).getByRole("listitem");
  await expect(rows.first()).toBeVisible();
  let most = 0;
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, 1400);
        most = Math.max(most, await rows.count());
        return Number(await rows.last().getAttribute("aria-posinset"));
      },
      { intervals: [100] },
    )
    .toBeGreaterThan(200);
  expect(most).toBeLessThanOrEqual(80);

  await page.goto("/call-history?search=renewal");
  const total = page.locator("dt", { hasText: "Total Calls" }).locator("..");
  await expect(total).toContainText("300");
  await page.getByRole("combobox", { name: "Filter by outcome" }).click();
  await page.getByRole("option", { name: "Busy" }).click();
  await expect(page).toHaveURL(/outcome=busy/);
  await expect(total).toContainText("150");
  await page.goBack();
  await expect(total).toContainText("300");

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "Export CSV" }).click();
  const file = await download;
  await expect(page.getByText("300 calls exported.").first()).toBeVisible();
  expect(file.suggestedFilename()).toBe("call-history.csv");
  expect(
    readFileSync(await file.path(), "utf8")
      .trimEnd()
      .split("\r\n"),
  ).toHaveLength(301);

  await page.getByRole("button", { name: "Clear" }).click();
  await expect(page).toHaveURL(/\/call-history$/);
  await expect(total).toContainText("3,000");
});

test("a figure of the reports links to the calls it counts", async ({ page, portal, signIn }) => {
  await loggedCalls(portal, "ana@portal.test", "Bruno Lima", 40);
  await signIn("ana", "/reports");
  await expect(page.getByRole("application", { name: /^Daily Activity: chart/ })).toBeVisible();
  await page.getByRole("tab", { name: "Calls" }).click();
  await expect(page).toHaveURL(/type=calls/);
  const answerRate = page.locator("dl > div", { hasText: "Answer Rate" });
  await expect(answerRate).toContainText("%");
  const outcomes = page.getByRole("list", { name: "Call Outcomes" });
  const busy = outcomes.getByRole("listitem").filter({ hasText: "Busy" });
  const [, count] = /Busy([\d,]+)/.exec((await busy.textContent()) ?? "") ?? [];
  expect(Number(count?.replace(",", ""))).toBeGreaterThanOrEqual(10);
  await busy.getByRole("link").click();
  await expect(page).toHaveURL(/call-history\?range=week&outcome=busy/);
  await expect(page.locator("dt", { hasText: "Total Calls" }).locator("..")).toContainText(`${count}`);
});

test("a call is played in the history, among the recordings and on the lead's timeline", async ({
  page,
  portal,
  signIn,
}) => {
  await letRecordingsPlay(page);
  // A lead whose simulated phone answers and talks.
  await portal.query(
    `insert into leads (name, phone, phone_e164, assigned_to, assigned_at, search)
     select 'Óscar Peña', '(787) 555-0140', '+17875550140', id, now(), 'oscar pena' from users where email = 'luis@portal.test'`,
  );
  await signIn("luis");
  await page.getByRole("button", { name: "Call Now Óscar Peña" }).click();
  await expect
    .poll(
      async () =>
        (await portal.query("select 1 from recordings where status = 'completed' and lead_id is not null"))
          .length,
    )
    .toBeGreaterThan(0);

  await page.goto("/call-history");
  const entry = page.getByRole("article", { name: "Óscar Peña" }).first();
  await expect(entry.getByText("Recording Available")).toBeVisible();
  await entry.getByRole("button", { name: "Play recording" }).click();
  await expect(entry.getByRole("button", { name: "Pause recording" })).toBeVisible();
  await entry.getByRole("button", { name: "Pause recording" }).click();
  await expect(entry.getByRole("slider", { name: "Volume" })).toBeVisible();

  await entry.getByRole("link", { name: "Óscar Peña" }).click();
  const drawer = page.getByRole("dialog", { name: "Óscar Peña" });
  await expect(drawer.getByRole("group", { name: /Call recording/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();

  await page.getByRole("tab", { name: "Twilio Recordings" }).click();
  const recording = page.getByRole("article", { name: "Óscar Peña" }).first();
  await recording.getByRole("button", { name: "Play recording" }).click();
  await expect(recording.getByRole("button", { name: "Pause recording" })).toBeVisible();
  const download = page.waitForEvent("download");
  await recording.getByRole("link", { name: /^Download/ }).click();
  expect((await download).suggestedFilename()).toMatch(/\.(mp3|wav)$/);
});

/** Adds a missed call of an unknown caller to the shared number. */
async function missedStranger(portal: Portal, number: string): Promise<void> {
  await portal.query(
    `with call as (
       insert into inbound_calls (call_sid, from_number, stage, result, transcription, ended_at)
       values ('CA' || md5($1), $1, 'ended', 'voicemail', 'Please call me back', now()) returning id, call_sid)
     insert into call_logs (inbound_call_id, call_sid, outcome, confirmed, direction, call_type, duration_seconds)
     select id, call_sid, 'voicemail', true, 'inbound', 'inbound', 9 from call`,
    [number],
  );
}

for (const scheme of ["light", "dark"] as const) {
  test(`axe finds no violation in the history and the drawer, ${scheme}; both fit 390 px`, async ({
    page,
    portal,
    signIn,
  }) => {
    await loggedCalls(portal, "sofia@portal.test", `Marta ${scheme}`, 20);
    await missedStranger(portal, scheme === "light" ? "+17875550161" : "+17875550162");
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width: 390, height: 844 });
    await signIn("sofia", "/call-history");
    await expect(page.getByRole("article").first()).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    const missed = page.getByRole("region", { name: /^Missed calls/ });
    // A button that is `disabled` while pending would lose the focus to the top of the page.
    await missed.getByRole("button", { name: /^Done/ }).first().focus();
    await page.keyboard.press("Enter");
    await expect(missed.getByText(/Off the list/)).toBeVisible();
    await expect(missed.getByRole("button", { name: /^Undo/ })).toBeFocused();
    await expect(missed.locator("[aria-busy=true], [aria-disabled=true]")).toHaveCount(0);
    await page.keyboard.press("Enter");
    await expect(missed.getByText(/Off the list/)).toBeHidden();
    const called = page.getByRole("dialog").getByText("Voicemail · 1:00").first();
    // The undone entry returns to the list meanwhile, and the rows move.
    await expect(async () => {
      const row = page.getByRole("link", { name: `Marta ${scheme}` }).first();
      if (!(await called.isVisible())) await row.click({ timeout: 5_000 });
      await expect(called).toBeVisible({ timeout: 5_000 });
    }).toPass();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Twilio Recordings" }).click();
    await expect(page.getByText("No recordings found")).toBeVisible();
    await expectAccessible(page);
    // The longer Spanish texts must not make the page wider than a small phone.
    await page.evaluate(() => localStorage.setItem("lead-desk.language", "es"));
    await page.setViewportSize({ width: 360, height: 780 });
    await page.reload();
    await expect(page.getByRole("tab", { name: "Grabaciones de Twilio" })).toBeVisible();
    await expectNoSidewaysScroll(page);
  });
}

test("a reported call without a matching call at Twilio is kept, marked, and found by administrators", async ({
  page,
  portal,
  signIn,
  browser,
}) => {
  await loggedCalls(portal, "ana@portal.test", "Berta Ruiz", 1);
  await signIn("ana", "/call-history");
  const saved = await page.evaluate(async () => {
    const [{ leadId }] = await (await fetch("/api/call-logs?limit=1")).json();
    const body = { leadId, duration: "1:05", outcome: "busy", twilioCallSid: `CA${"7".repeat(32)}` };
    const headers = { "content-type": "application/json" };
    const answer = await fetch("/api/call-logs", { method: "POST", headers, body: JSON.stringify(body) });
    return { status: answer.status, leadName: (await answer.json()).leadName };
  });
  expect(saved).toEqual({ status: 200, leadName: "Berta Ruiz" });
  await expect(page.getByRole("article", { name: "Berta Ruiz" }).first()).toContainText("1:05 (reported)");

  const context = await browser.newContext({ baseURL: new URL(page.url()).origin });
  const admin = await context.newPage();
  await startSession(admin, "admin");
  await admin.goto("/ghl-diagnostics");
  await expect(admin.getByText(/not that consultant's with that lead: 1/)).toBeVisible();
  await admin.goto("/call-history");
  await admin.getByRole("combobox", { name: "Filter by where the duration comes from" }).click();
  await admin.getByRole("option", { name: "Reported, not matched" }).click();
  const rows = admin.getByRole("article");
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText("Not matched");
  await context.close();
});
