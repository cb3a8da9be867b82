import { expect, type Portal, test } from "./fixtures.ts";

test.use({ spec: "contact-policy", market: "US" });

/** A zone in which it is this hour now. */
function zoneAt(hour: number): string {
  const east = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
  return east === 0 ? "Etc/GMT" : `Etc/GMT${east > 0 ? "-" : "+"}${Math.abs(east)}`;
}

async function addLead(portal: Portal, name: string, phone: string, hour: number): Promise<void> {
  await portal.query(
    `insert into leads (name, phone, phone_e164, time_zone, assigned_to, assigned_at, search)
     select $1, $2, $2, $3, id, now(), lower($1) from users where email = 'ana@portal.test'`,
    [name, phone, zoneAt(hour)],
  );
}

test("a lead outside their hours is not called, and the button shows until when", async ({
  page,
  signIn,
  portal,
}) => {
  await addLead(portal, "Nora Night", "+12125550150", 3);
  await signIn("ana", "/?search=Nora");
  const button = page.getByRole("button", { name: "Call Now Nora Night" });
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await expect(button).toHaveAccessibleDescription(
    /Outside this lead's hours\. Allowed again: .+, your time\./,
  );
  await expect(page.getByText(/Allowed again: /).first()).toBeVisible();
  await expect(page.getByRole("button", { name: /Call anyway/ })).toHaveCount(0);
});

test("an administrator calls anyway with a reason, and the call is shown on every page", async ({
  page,
  signIn,
  portal,
}) => {
  await addLead(portal, "Olga Override", "+12125550151", 3);
  await portal.query(
    "update users set personal_phone_e164 = '+13055550104' where email = 'admin@portal.test'",
  );
  await portal.control("POST", "/phones", { number: "+13055550104", mode: "manual" });
  // In real time, so that the phone rings as long as a real one.
  await portal.control("POST", "/speed", { speed: 1 });
  await signIn("admin", "/?search=Olga");
  await page.getByRole("button", { name: "Call anyway… Olga Override" }).click();
  await page.getByLabel("Reason").fill("She asked for a call tonight");
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await expect(page.getByText("Your phone is ringing")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  const bar = page.getByRole("region", { name: "Live call with Olga Override" });
  await expect(bar).toBeVisible();
  await page.getByRole("link", { name: "Reports" }).click();
  await expect(page).toHaveURL(/reports/);
  await expect(bar.getByRole("timer")).toHaveText(/\d:\d\d/);
  await bar.getByRole("button", { name: "Return to call" }).click();
  await page.getByRole("button", { name: "End Call" }).click();
  await expect(page.getByText("Call ended", { exact: true })).toBeVisible();
  const [audit] = await portal.query("select data from audit_log where action = 'contact-override'");
  expect(audit).toMatchObject({
    data: { channel: "call", refusal: "outside_hours", reason: "She asked for a call tonight" },
  });
});

test("an administrator sends a text anyway with a reason", async ({ page, signIn, portal }) => {
  await addLead(portal, "Tina Text", "+12125550152", 3);
  await signIn("admin", "/?search=Tina");
  await page.getByRole("button", { name: /^Send SMS Tina Text/ }).click();
  const thread = page.getByRole("dialog", { name: "SMS with Tina Text" });
  await thread.getByRole("button", { name: "Text anyway… Tina Text" }).click();
  await page.getByLabel("Reason").fill("She asked for an answer tonight");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Text", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  const field = thread.getByRole("textbox", { name: "Message" });
  await field.fill("Hola, Tina");
  await field.press("Enter");
  await expect(thread.getByRole("img", { name: "Delivered" })).toBeVisible();
  await expect(thread.getByRole("button", { name: /Text anyway/ })).toBeVisible();
  const [audit] = await portal.query(
    "select data from audit_log where action = 'contact-override' and data ->> 'channel' = 'text'",
  );
  expect(audit).toMatchObject({
    data: { refusal: "outside_hours", reason: "She asked for an answer tonight" },
  });
});
