import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";

test.use({ spec: "lead-merge" });

test("two leads with one number are compared, merged with both histories, found by either number, and separated again", async ({
  page,
  portal,
  signIn,
}) => {
  const [rep] = await portal.query<{ id: number }>(
    "select id from users where role = 'consultant' order by id limit 1",
  );
  const lead = async (name: string, email: string) => {
    const [row] = await portal.query<{ id: number }>(
      `insert into leads (name, email, phone, phone_e164, search, assigned_to, assigned_at, time_zone)
       values ($1, $2, '(646) 555-0142', '+16465550142', $3, $4, now(), 'America/New_York') returning id`,
      [name, email, `${name.toLowerCase()} ${email} 16465550142`, rep?.id],
    );
    await portal.query(
      "insert into lead_events (lead_id, user_id, kind, data) values ($1, $2, 'note-added', $3)",
      [row?.id, rep?.id, { text: `Note of ${name}` }],
    );
    return row?.id ?? 0;
  };
  const kept = await lead("Marta Quintero", "marta@example.com");
  const other = await lead("Marta Q", "quintero@example.com");
  await signIn("admin", "/duplicates");
  await page.getByRole("button", { name: "Merge Marta Q into Marta Quintero" }).click();
  const dialog = page.getByRole("dialog", { name: "Merge leads" });
  await dialog.getByRole("group", { name: "Name" }).getByRole("radio", { name: "Marta Quintero" }).check();
  await dialog
    .getByRole("group", { name: "Email" })
    .getByRole("radio", { name: "marta@example.com" })
    .check();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Merge" }).click();

  await expect(page).toHaveURL(new RegExp(`/leads/${kept}\\b`));
  const panel = page.getByRole("dialog", { name: "Marta Quintero" });
  await expect(panel.getByText("Note of Marta Quintero")).toBeVisible();
  await expect(panel.getByText("Note of Marta Q", { exact: true })).toBeVisible();
  await expect(panel.getByText("Marta Q is part of this lead")).toBeVisible();
  await expect(panel.getByText("quintero@example.com")).toBeVisible();
  await expectAccessible(page);
  // The address of the other lead redirects to the remaining one.
  await page.goto(`/leads/${other}`);
  await expect(page).toHaveURL(new RegExp(`/leads/${kept}\\b`));
  await panel.getByRole("button", { name: "Undo the merge with Marta Q" }).click();
  await expect(page.getByText("Marta Q is a lead of its own again, with what it had.")).toBeVisible();
  await expect(panel.getByText("Note of Marta Q", { exact: true })).toHaveCount(0);
  await page.goto(`/leads/${other}`);
  await expect(
    page.getByRole("dialog", { name: "Marta Q", exact: true }).getByText("Note of Marta Q"),
  ).toBeVisible();
});
