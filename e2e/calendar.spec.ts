import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

test.use({ spec: "calendar" });

// A zone with daylight saving time, whatever the machine's is.
test.use({ timezoneId: "America/New_York", locale: "en-US" });

async function pickDay(page: Page, nextMonths: number, day: RegExp): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name: /^Date/ }).click();
  const month = page.getByRole("dialog", { name: "Calendar" });
  for (let pressed = 0; pressed < nextMonths; pressed += 1)
    await month.getByRole("button", { name: "Next month" }).click();
  await month.getByRole("button", { name: day }).click();
}

/** Months from now until March of next year. */
const monthsToMarch = () => 14 - new Date().getMonth();

test("a meeting is scheduled from a lead, reported as a clash, edited, downloaded and deleted; in Spanish too", async ({
  page,
  signIn,
  portal,
}) => {
  await portal.query(
    `insert into leads (name, first_name, email, assigned_to, assigned_at, search)
     select 'Marta Reunión', 'Marta', 'marta@example.com', u.id, now(), 'marta reunion' from users u where u.email = 'sofia@portal.test'`,
  );
  await signIn("sofia", "/?search=marta");
  await page.getByRole("button", { name: "More for Marta Reunión" }).click();
  await page.getByRole("menuitem", { name: "Schedule Meeting" }).click();
  const dialog = page.getByRole("dialog", { name: "Schedule Meeting" });
  await dialog.getByRole("button", { name: "Schedule Meeting" }).click();
  await expect(page.getByText("Please fill in all required fields.").first()).toBeVisible();
  await dialog.getByLabel("Title").fill("Solar offer");
  await pickDay(page, monthsToMarch(), /March 20/);
  await dialog.getByLabel("Time").fill("09:00");
  await dialog.getByRole("button", { name: "Invite marta@example.com" }).click();
  await dialog.getByRole("button", { name: "Schedule Meeting" }).click();
  await expect(page.getByText("Meeting Scheduled").first()).toBeVisible();
  await expect(dialog).toBeHidden();

  await page.goto("/calendar");
  const first = page.getByRole("article", { name: "Solar offer" });
  await expect(first.getByText("9:00 AM – 9:30 AM")).toBeVisible();
  await expect(first.getByText("1 attendee")).toBeVisible();
  await page.getByRole("button", { name: "Schedule Meeting" }).click();
  await dialog.getByLabel("Title").fill("Second");
  await pickDay(page, monthsToMarch(), /March 20/);
  await dialog.getByLabel("Time").fill("09:15");
  await expect(dialog.getByText(/You already have “Solar offer” at that time/)).toBeVisible();
  // On the second Sunday of March the clocks skip half past two.
  await pickDay(page, 0, /Sunday, March (8|9|1[0-4]),/);
  await dialog.getByLabel("Time").fill("02:30");
  await expect(dialog.getByText(/This time does not exist on that day/)).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();

  const menu = page.getByRole("button", { name: "Actions for Solar offer" });
  await menu.click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.getByRole("dialog", { name: "Edit Meeting" }).getByLabel("Time").fill("10:00");
  await page.getByRole("button", { name: "Update Meeting" }).click();
  await expect(first.getByText("10:00 AM – 10:30 AM")).toBeVisible();
  await expect(menu).toBeFocused();
  await menu.click();
  const file = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Download (.ics)" }).click();
  expect((await file).suggestedFilename()).toMatch(/^meeting-\d+\.ics$/);

  await page.evaluate(() => localStorage.setItem("lead-desk.language", "es"));
  await page.reload();
  await expect(page.getByRole("heading", { name: "20 mar", exact: false })).toBeVisible();
  await page.getByRole("button", { name: "Acciones de Solar offer" }).click();
  await page.getByRole("menuitem", { name: "Eliminar" }).click();
  await expect(page.getByText("¿Seguro que quieres eliminar este evento?")).toBeVisible();
  await page.getByRole("alertdialog").getByRole("button", { name: "Eliminar" }).click();
  await expect(page.getByText("No hay reuniones programadas")).toBeVisible();
  const kinds = async () => {
    const events = await portal.query<{ kind: string }>(
      "select e.kind from lead_events e join leads l on l.id = e.lead_id where l.name = 'Marta Reunión' order by e.id",
    );
    return events.map(({ kind }) => kind);
  };
  await expect.poll(kinds).toEqual(["meeting-scheduled", "meeting-changed", "meeting-deleted"]);
});
