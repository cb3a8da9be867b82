import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, type Portal, test } from "./fixtures.ts";

test.use({ spec: "dialer" });

/** A lead of Luis's, newest first in the order given back to front. */
async function addLead(portal: Portal, name: string, phone: string | null): Promise<void> {
  await portal.query(
    `insert into leads (name, phone, phone_e164, assigned_to, assigned_at, search)
     select $1, $2, $2, id, now(), lower($1) from users where email = 'luis@portal.test'`,
    [name, phone],
  );
}

async function violations(page: Page): Promise<string[]> {
  const found = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"])
    .analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

const callsMade = async (portal: Portal) =>
  (
    await portal.query<{ name: string }>(
      `select leads.name from calls join leads on leads.id = calls.lead_id
       join users on users.id = calls.user_id
       where users.email = 'luis@portal.test' and leads.assigned_to = users.id order by calls.id`,
    )
  ).map(({ name }) => name);

test.beforeEach(async ({ portal }) => {
  await portal.query(
    "update leads set assigned_to = null where assigned_to = (select id from users where email = 'luis@portal.test')",
  );
});

test("a session calls each lead, keeps its outcome by keys, and passes over who opted out meanwhile", async ({
  page,
  signIn,
  portal,
}) => {
  // The last one made is the first one called.
  await addLead(portal, "Tres Talks", "+12125550163");
  await addLead(portal, "Dos Optsout", "+12125550164");
  await addLead(portal, "Uno Busy", "+12125550165");
  await signIn("luis");
  await page.getByRole("button", { name: "Auto-Dialer" }).click();
  const dialer = page.getByRole("dialog", { name: "Auto-Dialer" });
  await expect(dialer.getByText("3 leads:")).toBeVisible();
  await dialer.getByRole("button", { name: "3 now" }).click();
  await expect(dialer.getByText("Dos Optsout")).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await dialer.getByRole("combobox", { name: "Delay between calls" }).click();
  await page.getByRole("option", { name: "3 seconds" }).click();
  await dialer.getByRole("button", { name: "Start" }).click();

  await expect(dialer.getByText("How did it go with Uno Busy?")).toBeVisible();
  await expect(dialer.getByRole("button", { name: /^Busy/ })).toHaveAttribute("aria-pressed", "true");
  expect(await violations(page)).toEqual([]);
  await portal.query("update leads set call_opt_out = 'dnd' where name = 'Dos Optsout'");
  // Closed, the dialer goes on behind its bar.
  await page.keyboard.press("Escape");
  const bar = page.getByRole("region", { name: /^Auto-Dialer: Activo/ });
  await bar.getByRole("button", { name: "Choose outcome" }).click();
  await dialer.getByLabel("Notes about this call").fill("Try at noon");
  await page.keyboard.press("Control+Enter");
  await expect(dialer.getByRole("button", { name: "Hold" })).toBeVisible();

  await expect(dialer.getByText("How did it go with Tres Talks?")).toBeVisible();
  await page.keyboard.press("2");
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 leads called.").first()).toBeVisible();
  await expect(dialer.getByText("Completado")).toBeVisible();
  await dialer.getByRole("button", { name: "1 opted out" }).click();
  await expect(dialer.getByText("Dos Optsout")).toBeVisible();
  expect(await violations(page)).toEqual([]);
  expect(await callsMade(portal)).toEqual(["Uno Busy", "Tres Talks"]);
  const logs = await portal.query(
    `select l.outcome, l.notes, l.confirmed from call_logs l join leads on leads.id = l.lead_id
     where leads.name in ('Uno Busy', 'Tres Talks') order by l.id`,
  );
  expect(logs).toEqual([
    { outcome: "busy", notes: "Try at noon", confirmed: true },
    { outcome: "voicemail", notes: null, confirmed: true },
  ]);
  await dialer.getByRole("button", { name: "Close" }).first().click();
  await expect(dialer.getByRole("button", { name: "Start" })).toBeVisible();
});

test("a page loaded anew in mid-session rings nobody, and offers to resume where it stood", async ({
  page,
  signIn,
  portal,
}) => {
  await addLead(portal, "Segundo Waits", "+12125550161");
  await addLead(portal, "Primero Busy", "+12125550175");
  await signIn("luis", "/auto-dialer");
  const panel = page.getByRole("region", { name: "Auto-Dialer" });
  await page.getByRole("combobox", { name: "Delay between calls" }).click();
  await page.getByRole("option", { name: "30 seconds" }).click();
  await page.getByRole("button", { name: "Start" }).click();
  await expect(panel.getByText("How did it go with Primero Busy?")).toBeVisible();
  await panel.getByRole("button", { name: "Save and go on" }).click();
  await expect(panel.getByText("Next: Segundo Waits")).toBeVisible();
  await page.reload();
  await expect(panel.getByText("The page was closed or loaded anew.")).toBeVisible();
  await expect(panel.getByRole("button", { name: "Resume at lead 2 of 2" })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  expect(await callsMade(portal)).not.toContain("Segundo Waits");
  await page.goto("/settings");
  await expect(page.getByRole("region", { name: "Auto-Dialer: Pausado, Segundo Waits" })).toBeVisible();
  await page.getByRole("button", { name: "Resume at lead 2 of 2" }).click();
  await expect.poll(() => callsMade(portal)).toContain("Segundo Waits");
});
