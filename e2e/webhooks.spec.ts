import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";

test.use({ spec: "webhooks" });

test("a source gets a key and is tested, and its deliveries are shown live and replayed", async ({
  page,
  portal,
  signIn,
}) => {
  await signIn("admin", "/integrations?tab=webhooks");
  await page.getByRole("button", { name: "Configure Any system" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const shownKey = dialog.getByRole("textbox", { name: "New key" });
  await expect(shownKey).not.toHaveValue("");
  const key = await shownKey.inputValue();
  const post = (body: string, headers: Record<string, string>) =>
    fetch(`${portal.url}/api/webhook/lead`, { method: "POST", body, headers });
  const body = JSON.stringify({ name: "lucía ibarra", email: "lucia.ibarra@example.com" });
  expect((await post(body, {})).status).toBe(401);

  await dialog.getByRole("tab", { name: "Test" }).click();
  await dialog.getByRole("button", { name: "Send Test" }).click();
  const result = dialog.getByRole("region", { name: "Result of the test" });
  await expect(result).toContainText("200 OK");
  await expect(result).toContainText("Webhook received");

  await dialog.getByRole("tab", { name: "Deliveries" }).click();
  await expect(dialog.getByText("Would be taken")).toBeVisible();
  expect((await post(body, { "x-webhook-secret": key })).status).toBe(200);
  const newest = dialog.getByRole("list", { name: "Last deliveries" }).getByRole("listitem").first();
  await expect(newest).toContainText("New lead");
  await expect(newest).toContainText("Lucía Ibarra");
  await expectAccessible(page);
  await newest.getByRole("button", { name: /Replay delivery/ }).click();
  await expect(newest).toContainText("Nothing new");
  const leads = () =>
    portal.query(
      "select u.email as owner from leads l join users u on u.id = l.assigned_to where l.email = 'lucia.ibarra@example.com'",
    );
  await expect.poll(leads).toEqual([{ owner: "ana@portal.test" }]);

  await page.setViewportSize({ width: 360, height: 740 });
  await newest.getByRole("button", { name: "Open the history of Lucía Ibarra" }).click();
  await expect(page.getByRole("dialog", { name: "History of Lucía Ibarra" })).toContainText("Lead created");
  await page.keyboard.press("Escape");
  await expect(dialog.getByRole("tab", { name: "Deliveries" })).toBeVisible();
});
