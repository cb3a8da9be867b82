import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { expect, expectNoSidewaysScroll, startSession, test } from "./fixtures.ts";

test.use({ spec: "lists" });

/** Position of a list's rows: px of the first row's top, of its height, or the number of rows that are completely visible. */
const measure = (page: Page, what: "top" | "height" | "inView") => () =>
  page.evaluate((key) => {
    const rows = [...document.querySelectorAll("[data-row]")].map((row) => row.getBoundingClientRect());
    const [first] = rows.sort((one, other) => one.top - other.top);
    const inView = rows.filter(({ bottom }) => bottom <= window.innerHeight).length;
    return { top: first?.top ?? Number.NaN, height: first?.height, inView }[key];
  }, what);

/** Chooses single-line rows, which appear at once, and waits until the account has stored the choice: a reload would abort that. */
async function chooseRows(page: Page): Promise<void> {
  const isKept = page.waitForResponse("**/api/interface-settings");
  await page.getByRole("button", { name: "List", exact: true }).click();
  await isKept;
}

test("the leads page has a list layout: dense, filtered, sorted, with the user's own columns and views", async ({
  page,
  portal,
}) => {
  await startSession(page, "ana");
  await portal.query(
    `insert into leads (name, company, phone, phone_e164, assigned_to, created_at, attempts, last_attempt_at, last_attempt_outcome,
       next_follow_up_date, next_follow_up_time, next_follow_up_zone, next_follow_up_at, search)
     select 'Lead ' || lpad(n::text, 2, '0'), 'Company ' || n, '+1212555' || lpad(n::text, 4, '0'), '+1212555' || lpad(n::text, 4, '0'), u.id,
       now() - n * interval '1 minute', n % 3, case when n % 3 > 0 then now() - n * interval '4 minutes' end,
       case when n % 3 > 0 then 'busy' end, case when n % 10 = 0 then now() + interval '3 days' end,
       case when n = 10 then '12:00' end, case when n = 10 then 'UTC' end, case when n = 10 then now() + interval '3 days' end, 'lead ' || n
     from generate_series(1, 60) n, users u where u.email = 'ana@portal.test'`,
  );
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/");
  // Cards are the default.
  await expect(page.getByRole("article").first()).toBeVisible();
  await chooseRows(page);
  const table = page.getByRole("table", { name: "Leads" });
  await expect(table.getByRole("link", { name: "Lead 01" })).toBeVisible();
  await expect.poll(measure(page, "top")).toBeLessThanOrEqual(240);
  await expect.poll(measure(page, "height")).toBe(40);
  await expect.poll(measure(page, "inView")).toBeGreaterThanOrEqual(15);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(measure(page, "inView")).toBeGreaterThanOrEqual(12);
  await expect(table.getByRole("row", { name: /Lead 01/ })).toContainText(/Busy · .* · 1st try/);
  await expect(table.getByRole("button", { name: "Call Now Lead 01" })).toBeVisible();
  await expect(table.getByRole("button", { name: "Send SMS Lead 01" })).toBeVisible();

  // The choice belongs to the account: it is still there after a reload.
  await page.reload();
  await expect(table.getByRole("link", { name: "Lead 01" })).toBeVisible();

  await table.getByRole("button", { name: "Follow-up" }).click();
  await expect(page).toHaveURL(/sort=follow_up/);
  await expect(table.getByRole("row").nth(1)).toContainText("Lead 10");
  // A follow-up at a time shows it, one by day its date.
  await expect(table.getByRole("row").nth(1)).toContainText(/[A-Z][a-z]{2} \d{1,2}, \d{1,2}:\d{2} [AP]M/);
  await expect(table.getByRole("row").nth(2)).toContainText(/[A-Z][a-z]{2} \d{1,2}, \d{4}/);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("combobox", { name: "Call attempts" }).click();
  await page.getByRole("option", { name: "Two" }).click();
  await expect(page).toHaveURL(/attempts=two/);
  await page.keyboard.press("Escape");
  await expect(table.getByRole("columnheader", { name: "Leads (20)" })).toBeVisible();

  await page.getByRole("button", { name: "Columns" }).click();
  // The choice is stored in the address and the account: a checkbox follows them, and not the press.
  for (const [column, isChosen] of [
    ["Status", false],
    ["Phone", true],
  ] as const) {
    const box = page.getByRole("checkbox", { name: column });
    await box.click();
    await expect(box).toBeChecked({ checked: isChosen });
  }
  await page.keyboard.press("Escape");
  await expect(table.getByRole("columnheader", { name: "Phone" })).toBeVisible();
  await expect(table.getByRole("columnheader", { name: "Status" })).toHaveCount(0);

  await page.getByRole("button", { name: "Views" }).click();
  await page.getByLabel("Save this view as").fill("Third try");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const view = page.getByRole("button", { name: /Third try 20 rows/ });
  await expect(view).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Clear Filters" }).click();
  await expect(page).not.toHaveURL(/attempts/);
  await page.getByRole("button", { name: "Views" }).click();
  await view.click();
  await expect(page).toHaveURL(/attempts=two/);
  await expect(page.getByRole("button", { name: "Third try" })).toBeVisible();
  await expect(table.getByRole("columnheader", { name: "Leads (20)" })).toBeVisible();

  // Selects a range by Shift.
  await table.getByRole("checkbox").nth(1).click();
  await table
    .getByRole("checkbox")
    .nth(4)
    .click({ modifiers: ["Shift"] });
  await expect(page.getByRole("region", { name: "Selected leads" })).toContainText("4 selected");
  // Changes all of them at once, and undoes it.
  const interested = () =>
    portal.query<{ n: number }>(
      "select count(*)::int as n from leads where status = 'interested' and name like 'Lead %'",
    );
  await page.getByRole("button", { name: "Change", exact: true }).click();
  await page.getByRole("menuitem", { name: "Change status…" }).click();
  const dialog = page.getByRole("dialog", { name: "Change Status" });
  await dialog.getByRole("combobox", { name: "Status" }).click();
  await page.getByRole("option", { name: "Interested", exact: true }).click();
  await expect(dialog.getByText("4 leads will change.")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Change" }).click();
  const bar = page.getByRole("region", { name: "Last change of many leads" });
  await expect(bar).toContainText("4 leads set to Interested.");
  await expect.poll(interested).toEqual([{ n: 4 }]);
  await bar.getByRole("button", { name: "Undo" }).click();
  await expect(bar).toContainText("Undone: 4 leads are as they were.");
  await expect.poll(interested).toEqual([{ n: 0 }]);
  await bar.getByRole("button", { name: "Changes made together" }).click();
  await expect(page.getByRole("dialog", { name: "Changes made together" })).toContainText("Undone: 4 leads");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await table.getByRole("link").first().click();
  await expect(page).toHaveURL(/\/leads\/\d+\?from=/);
});

test("All Leads, Contact Lists and Call History have a list layout, each saved with the account", async ({
  page,
  portal,
}) => {
  await startSession(page, "ana");
  await portal.query(
    `with made as (
       insert into leads (name, company, phone, phone_e164, assigned_to, created_at, attempts, last_attempt_at, last_attempt_outcome, search, status)
       select 'Client ' || lpad(n::text, 2, '0'), 'Company ' || n, '+1212556' || lpad(n::text, 4, '0'), '+1212556' || lpad(n::text, 4, '0'), u.id,
         now() - n * interval '1 minute', n % 3, case when n % 3 > 0 then now() - n * interval '4 minutes' end,
         case when n % 3 > 0 then 'busy' end, 'client ' || n, 'converted'
       from generate_series(1, 40) n, users u where u.email = 'ana@portal.test' returning id, name, assigned_to, created_at),
     sold as (insert into clients (lead_id, converted_by, conversion_value, converted_at) select id, assigned_to, 1000, created_at from made)
     insert into call_logs (lead_id, user_id, outcome, confirmed, call_type, duration_seconds, call_date, notes)
     select id, assigned_to, 'busy', true, 'browser', 60, created_at, 'Notes of ' || name from made`,
  );
  await portal.query("update leads set attempts = right(name, 2)::int % 3 where name like 'Client %'");
  await page.setViewportSize({ width: 1280, height: 800 });
  const chosen = async (name: string, row: string) => {
    await chooseRows(page);
    const table = page.getByRole("table", { name, exact: true });
    await expect(table.getByText(row).first()).toBeVisible();
    // For administrators cards are a table with the same name, so this waits until they have disappeared.
    await expect.poll(measure(page, "height")).toBe(40);
    await expect.poll(measure(page, "inView")).toBeGreaterThanOrEqual(12);
    await page.reload();
    await expect(table.getByText(row).first()).toBeVisible();
    await expectAccessible(page);
    return table;
  };

  await page.goto("/all-leads?search=client");
  await expect(page.getByRole("heading", { name: "Recent Activity" })).toBeVisible();
  const leads = await chosen("Leads", "Client 01");
  await expect(leads.getByRole("row", { name: /Client 01/ })).toContainText(/Busy · .* · 1st try/);
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await page.getByRole("combobox", { name: "Call attempts" }).click();
  await page.getByRole("option", { name: "Two" }).click();
  await expect(page).toHaveURL(/attempts=two/);
  await page.keyboard.press("Escape");
  await expect(leads.getByRole("columnheader", { name: "Leads (13)" })).toBeVisible();
  await leads.getByRole("button", { name: "Last attempt" }).click();
  await expect(page).toHaveURL(/sort=attempt_desc/);
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByLabel("Save this view as").fill("Twice tried");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("button", { name: /Twice tried 13 rows/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await leads.getByRole("checkbox").nth(0).click();
  await leads
    .getByRole("checkbox")
    .nth(3)
    .click({ modifiers: ["Shift"] });
  await expect(page.getByText("4 selected")).toBeVisible();

  await page.goto("/contacts");
  const clients = await chosen("Clients", "Client 01");
  await expect(clients.getByRole("row", { name: /Client 01/ })).toContainText(/Busy · .* · 1st try/);
  await clients.getByRole("button", { name: "Name" }).click();
  await expect(page).toHaveURL(/sort=name/);
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "Sales Rep" }).click();
  await expect(clients.getByRole("columnheader", { name: "Sales Rep" })).toHaveCount(0);
  await page.keyboard.press("Escape");

  await page.goto("/call-history");
  const calls = await chosen("Calls", "Client 01");
  const when = calls.getByRole("columnheader", { name: "When" });
  await expect(when).toHaveAttribute("aria-sort", "descending");
  await when.getByRole("button").click();
  await expect(page).toHaveURL(/sort=oldest/);
  await expect(page.locator("[data-row]").first()).toContainText("Client 40");
  await when.getByRole("button").click();
  await expect(page.locator("[data-row]").first()).toContainText("Client 01");
  await calls
    .getByRole("row", { name: /Client 07/ })
    .getByRole("button")
    .click();
  const opened = page.getByRole("region", { name: "Opened call" });
  await expect(opened.getByText("Notes of Client 07")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(opened).toHaveCount(0);
  await expect(calls.getByRole("row", { name: /Client 07/ }).getByRole("button")).toBeFocused();
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(calls.getByRole("row", { name: /Client 01/ })).toContainText("Busy");
  await expectNoSidewaysScroll(page);
  // On a phone heading and buttons are one line, search and filters another; a row shows the status once.
  await expect.poll(measure(page, "top")).toBeLessThanOrEqual(290);
  await page.goto("/contacts");
  await expect(clients.getByRole("row", { name: /Client 01/ })).toContainText(/Busy · .* · 1st try/);
  await expect.poll(measure(page, "top")).toBeLessThanOrEqual(290);
  await expectNoSidewaysScroll(page);
  await page.goto("/all-leads?search=client");
  await expect(
    leads.getByText("Converted", { exact: false }).filter({ visible: true }).first(),
  ).toBeVisible();
  await expect.poll(measure(page, "top")).toBeLessThanOrEqual(290);
  const words = () => leads.getByRole("row", { name: /Client 01/ }).innerText();
  await expect.poll(async () => (await words()).match(/Converted/g)).toHaveLength(1);
  await expectNoSidewaysScroll(page);
});

test("All Leads has Call, SMS and unread texts per row for administrators, who change many leads there and undo it", async ({
  page,
  portal,
}) => {
  await startSession(page, "admin");
  await portal.query(
    `with made as (
       insert into leads (name, phone, phone_e164, assigned_to, created_at, search)
       select 'Rowan ' || n, '+1212557000' || n, '+1212557000' || n, u.id, now() - n * interval '1 minute', 'rowan ' || n
       from generate_series(1, 4) n, users u where u.email = 'luis@portal.test' returning id, name, phone_e164)
     insert into messages (lead_id, direction, body, status, from_number, to_number)
     select id, 'inbound', 'Hello', 'received', phone_e164, '+12125550100' from made where name = 'Rowan 2'`,
  );
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/all-leads?search=rowan");
  await chooseRows(page);
  const table = page.getByRole("table", { name: "Leads", exact: true });
  const row = (n: number) => table.getByRole("row", { name: new RegExp(`Rowan ${n}`) });
  await expect(row(2).getByText("1 unread text")).toBeVisible();
  await expect(row(1).getByRole("button", { name: "Call Now Rowan 1" })).toBeVisible();
  await expect.poll(measure(page, "height")).toBe(40);
  await row(2).getByRole("button", { name: "Send SMS Rowan 2" }).click();
  const thread = page.getByRole("dialog", { name: /Rowan 2/ });
  await expect(thread.getByText("Hello")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(thread).toBeHidden();

  await table.getByRole("checkbox", { name: "Select Rowan 1" }).check();
  await table.getByRole("checkbox", { name: "Select Rowan 3" }).click({ modifiers: ["Shift"] });
  const bar = page.getByRole("region", { name: "Selected leads" });
  await expect(bar.getByText("3 selected")).toBeVisible();
  await bar.getByRole("button", { name: "Change", exact: true }).click();
  await page.getByRole("menuitem", { name: "Change priority…" }).click();
  const dialog = page.getByRole("dialog", { name: "Change Priority" });
  await dialog.getByRole("combobox").click();
  await page.getByRole("option", { name: "High" }).click();
  await expect(dialog.getByText("3 leads will change.")).toBeVisible();
  await dialog.getByRole("button", { name: "Change" }).click();
  const priorities = async () =>
    (
      await portal.query<{ priority: string }>(
        "select priority from leads where name like 'Rowan %' order by name",
      )
    ).map(({ priority }) => priority);
  await expect.poll(priorities).toEqual(["high", "high", "high", "medium"]);
  const notice = page.getByRole("region", { name: "Last change of many leads" });
  await expect(notice.getByText("3 leads set to priority High.")).toBeVisible();
  await notice.getByRole("button", { name: "Undo" }).click();
  await expect.poll(priorities).toEqual(["medium", "medium", "medium", "medium"]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(row(1).getByRole("button", { name: "Call Now Rowan 1" })).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});
