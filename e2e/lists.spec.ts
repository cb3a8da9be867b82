import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, startSession, test } from "./fixtures.ts";

test.use({ spec: "lists" });

/** Where the rows of a list stand: px of the first one's top and height, and how many are wholly in view. */
const measure = (page: Page) =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll("[data-row]")].map((row) => row.getBoundingClientRect());
    const [first] = rows.sort((one, other) => one.top - other.top);
    const inView = rows.filter(({ bottom }) => bottom <= window.innerHeight).length;
    return { top: first?.top ?? Number.NaN, height: first?.height, inView };
  });

test("the leads page is a list for whoever chooses it: dense, filtered, sorted, with columns and views of one's own", async ({
  page,
  portal,
}) => {
  await startSession(page, "ana");
  await portal.query(
    `insert into leads (name, company, phone, phone_e164, assigned_to, created_at, attempts, last_attempt_at, last_attempt_outcome,
       next_follow_up_date, search)
     select 'Lead ' || lpad(n::text, 2, '0'), 'Company ' || n, '+1212555' || lpad(n::text, 4, '0'), '+1212555' || lpad(n::text, 4, '0'), u.id,
       now() - n * interval '1 minute', n % 3, case when n % 3 > 0 then now() - n * interval '4 minutes' end,
       case when n % 3 > 0 then 'busy' end, case when n % 10 = 0 then now() + interval '3 days' end, 'lead ' || n
     from generate_series(1, 60) n, users u where u.email = 'ana@portal.test'`,
  );
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/");
  // Cards are what one meets first.
  await expect(page.getByRole("article").first()).toBeVisible();
  await page.getByRole("button", { name: "List", exact: true }).click();
  const table = page.getByRole("table", { name: "Leads" });
  await expect(table.getByRole("link", { name: "Lead 01" })).toBeVisible();
  const wide = await measure(page);
  expect(wide.top).toBeLessThanOrEqual(240);
  expect(wide.height).toBe(40);
  expect(wide.inView).toBeGreaterThanOrEqual(15);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(async () => (await measure(page)).inView).toBeGreaterThanOrEqual(12);
  await expect(table.getByRole("row", { name: /Lead 01/ })).toContainText(/Busy · .* · 1st try/);
  await expect(table.getByRole("button", { name: "Call Now Lead 01" })).toBeVisible();
  await expect(table.getByRole("button", { name: "Send SMS Lead 01" })).toBeVisible();

  // The choice is the account's: a reload comes back to it.
  await page.reload();
  await expect(table.getByRole("link", { name: "Lead 01" })).toBeVisible();

  await table.getByRole("button", { name: "Follow-up" }).click();
  await expect(page).toHaveURL(/sort=follow_up/);
  await expect(table.getByRole("row").nth(1)).toContainText("Lead 10");
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("combobox", { name: "Call attempts" }).click();
  await page.getByRole("option", { name: "Two" }).click();
  await expect(page).toHaveURL(/attempts=two/);
  await page.keyboard.press("Escape");
  await expect(table.getByRole("columnheader", { name: "Leads (20)" })).toBeVisible();

  await page.getByRole("button", { name: "Columns" }).click();
  // The address and the account say which are chosen: a box follows them, and not the press.
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
  const axe = await new AxeBuilder({ page }).analyze();
  expect(axe.violations).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Clear Filters" }).click();
  await expect(page).not.toHaveURL(/attempts/);
  await page.getByRole("button", { name: "Views" }).click();
  await view.click();
  await expect(page).toHaveURL(/attempts=two/);
  await expect(page.getByRole("button", { name: "Third try" })).toBeVisible();

  // A range by Shift.
  await table.getByRole("checkbox").nth(1).click();
  await table
    .getByRole("checkbox")
    .nth(4)
    .click({ modifiers: ["Shift"] });
  await expect(page.getByRole("region", { name: "Selected leads" })).toContainText("4 selected");
  await table.getByRole("link").first().click();
  await expect(page).toHaveURL(/\/leads\/\d+\?from=/);
});
