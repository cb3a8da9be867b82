import { expectAccessible } from "./axe.ts";
import { expect, people, startSession, test } from "./fixtures.ts";

test.use({ spec: "assignment" });

test("a lead is transferred with everything on it while both consultants watch, and its follow-up is completed", async ({
  page,
  browser,
  signIn,
  portal,
}) => {
  const name = "Tania Transfer";
  await portal.query(
    `with l as (
       insert into leads (name, first_name, email, phone, phone_e164, assigned_to, assigned_at, search, next_follow_up_date)
       select $1::text, 'Tania', 'tania@example.com', '+13055550161', '+13055550161', u.id, now(), lower($1), now()
         from users u where u.email = 'ana@portal.test' returning id, assigned_to),
     m as (
       insert into messages (lead_id, direction, body, status, from_number, to_number)
       select id, 'inbound', '¿Me puede llamar?', 'received', '+13055550161', '+13055550100' from l)
     insert into meetings (user_id, lead_id, title, starts_at, ends_at, time_zone, calendar_type)
     select assigned_to, id, 'Roof visit', now() + interval '2 days', now() + interval '49 hours', 'America/New_York', 'local' from l`,
    [name],
  );
  const other = await browser.newContext({ baseURL: portal.url });
  const luis = await other.newPage();
  await startSession(luis, "luis");
  await luis.goto("/");
  await expect(luis.getByText("No leads found")).toBeVisible();
  await signIn("ana");
  const card = page.getByRole("article", { name });
  await expect(card).toBeVisible();

  await page.getByRole("button", { name: `More for ${name}` }).press("Enter");
  await page.getByRole("menuitem", { name: "Transfer Lead" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Transfer Lead" });
  await dialog.getByRole("combobox", { name: "Sales Representative" }).click();
  await expect(page.getByRole("option", { name: "Luis Mendoza" })).toBeVisible();
  await expect(page.getByRole("option", { name: "Ana Torres" })).toHaveCount(0);
  await page.getByRole("option", { name: "Luis Mendoza" }).click();
  await dialog.getByLabel("Notes").fill("Lives in your area");
  await expectAccessible(page, { within: "[data-dialog]" });
  await dialog.getByRole("button", { name: "Transfer", exact: true }).click();
  await expect(page.getByText(`${name} is now with Luis Mendoza.`).first()).toBeVisible();
  await expect(card).toBeHidden();

  const there = luis.getByRole("article", { name });
  await expect(there).toBeVisible();
  await expect(there.getByText("Follow-up today")).toBeVisible();
  await expect(luis.getByRole("button", { name: `Send SMS ${name}` })).toHaveAccessibleName(/1 unread text/);
  const history = luis.getByRole("button", { name: `History of ${name}` });
  await history.click();
  const entry = luis.getByRole("listitem").filter({ hasText: "Transferred" });
  await expect(entry).toContainText("by Ana Torres");
  await expect(entry).toContainText("Luis Mendoza");
  await expect(entry).toContainText("Lives in your area");
  await luis.keyboard.press("Escape");
  await expect(history).toBeFocused();

  const tile = luis.getByRole("button", { name: "Fechas de Seguimiento" });
  await tile.press("Enter");
  const drawer = luis.getByRole("dialog", { name: "Fechas de Seguimiento" });
  await expect(drawer.getByRole("tab", { name: /^Today\s*1/ })).toHaveAttribute("aria-selected", "true");
  await expect(drawer.getByText("Due today")).toBeVisible();
  await expectAccessible(luis, { within: "[data-dialog]" });
  await drawer.getByRole("button", { name: `Follow-up with ${name} is done` }).press("Enter");
  await expect(drawer.getByText("Nothing is due today")).toBeVisible();
  await luis.keyboard.press("Escape");
  await expect(there.getByText("Follow-up today")).toBeHidden();

  const rows = () =>
    portal.query(
      `select u.email, m.title, l.next_follow_up_date from leads l join meetings m on m.lead_id = l.id join users u on u.id = m.user_id
        where l.name = $1 and l.assigned_to = u.id`,
      [name],
    );
  await expect
    .poll(rows)
    .toEqual([{ email: people.luis.email, title: "Roof visit", next_follow_up_date: null }]);
  await other.close();
});
