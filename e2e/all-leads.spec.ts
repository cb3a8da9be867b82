import { readFile } from "node:fs/promises";
import { expectAccessible } from "./axe.ts";
import { expect, expectNoSidewaysScroll, test } from "./fixtures.ts";

test.use({ spec: "all-leads" });

const many = 3_000;

test("all leads are searched, sorted, selected, assigned and exported, with only a few of many rows in the page", async ({
  page,
  portal,
  signIn,
}) => {
  await portal.query(
    `insert into leads (name, email, phone, company, search, created_at, time_zone)
     select 'Lead ' || lpad(i::text, 5, '0'), 'many-' || i || '@example.com', null, case when i % 2 = 0 then 'Sol y Viento' end,
       'lead ' || lpad(i::text, 5, '0') || ' many-' || i || '@example.com', now() - make_interval(mins => i), null
     from generate_series(1, $1::int) i`,
    [many],
  );
  await signIn("admin", "/all-leads?search=many-");
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  await expect(row("Lead 00001")).toContainText("Unassigned");
  await expect(page.getByText("1,000+ leads")).toBeVisible();

  // The list grows while scrolling, and the page contains few of its rows.
  const rows = page.locator("[data-row]");
  let most = 0;
  await expect
    .poll(
      async () => {
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
        most = Math.max(most, await rows.count());
        return rows.last().textContent();
      },
      { timeout: 60_000, intervals: [100] },
    )
    .toContain("Lead 03000");
  expect(most).toBeLessThanOrEqual(80);
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(row("Lead 00001")).toBeVisible();

  const head = page.getByRole("columnheader", { name: "Lead", exact: true });
  await head.getByRole("button").click();
  await expect(head).toHaveAttribute("aria-sort", "ascending");
  await head.getByRole("button").click();
  await expect(head).toHaveAttribute("aria-sort", "descending");
  await expect(page).toHaveURL(/sort=name_desc/);
  await expect(row("Lead 03000")).toBeVisible();

  await page.getByRole("checkbox", { name: "Select Lead 03000" }).check();
  await page.getByRole("checkbox", { name: "Select Lead 02997" }).click({ modifiers: ["Shift"] });
  await expect(page.getByText("4 selected")).toBeVisible();
  await page.getByRole("button", { name: "Assign", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Assign Leads" });
  await dialog.getByRole("combobox").click();
  await page.getByRole("option", { name: /^Luis/ }).click();
  await dialog.getByRole("button", { name: "Assign" }).click();
  await expect(page.getByText(/^4 leads given to Luis/)).toBeVisible();
  await expect(row("Lead 02998")).toContainText("Luis");
  const given = () =>
    portal.query(
      "select count(*) from leads l join users u on u.id = l.assigned_to where u.email = 'luis@portal.test' and l.email like 'many-%'",
    );
  await expect.poll(given).toEqual([{ count: "4" }]);

  await page.getByRole("combobox", { name: "Filter by assignment" }).click();
  await page.getByRole("option", { name: "Assigned", exact: true }).click();
  await expect(page.getByText("4 leads", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Export" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Export CSV" }).click();
  const file = await download;
  await expect(page.getByText("4 leads exported.").first()).toBeVisible();
  expect(file.suggestedFilename()).toBe("leads.csv");
  expect((await readFile(await file.path(), "utf8")).match(/Lead 0\d{4}/g)).toHaveLength(4);

  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(row("Lead 03000")).toBeVisible();
  await expectNoSidewaysScroll(page);
  await row("Lead 03000").getByRole("link").click();
  await expect(page.getByRole("dialog", { name: "Lead 03000" }).getByText("Luis")).toHaveCount(1);
});
