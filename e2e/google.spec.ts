import { expect, test } from "./fixtures.ts";

test.use({ spec: "google" });

test("a calendar is connected by consent and shows its appointments", async ({ page, signIn, portal }) => {
  await signIn("ana", "/calendar");
  const card = page.getByRole("region", { name: "Google Calendar" });
  await card.getByRole("button", { name: "Connect Google Calendar" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Connection Failed", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/calendar$/);

  const start = new Date(Date.now() + 26 * 3_600_000);
  const time = (minutes: number) => ({
    dateTime: new Date(start.getTime() + minutes * 60_000).toISOString(),
  });
  const dentist = { summary: "Dentist", start: time(0), end: time(30) };
  await portal.control("POST", "/google/events", { account: "ana@portal.test", ...dentist });
  await card.getByRole("button", { name: "Connect Google Calendar" }).click();
  await expect(page.getByRole("textbox", { name: "Account" })).toHaveValue("ana@portal.test");
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(card.getByText("Connected as ana@portal.test")).toBeVisible();
  // The first sync follows by itself, and its meetings by the live events.
  await expect(page.getByRole("article", { name: "Dentist" })).toBeVisible();

  await card.getByRole("button", { name: "Disconnect" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).click();
  await expect(card.getByRole("button", { name: "Connect Google Calendar" })).toBeVisible();
});
