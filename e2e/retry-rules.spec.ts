import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";

test.use({ spec: "retry-rules" });

test("an administrator previews a rule's effect and saves it; the dialer and the lead's panel show the next try, and the consultant decides", async ({
  page,
  signIn,
  portal,
}) => {
  await portal.query(
    "update leads set assigned_to = null where assigned_to = (select id from users where email = 'luis@portal.test')",
  );
  await portal.query(
    `with lead as (
       insert into leads (name, phone, phone_e164, assigned_to, assigned_at, search, status)
       select 'Rita Later', '+12125550160', '+12125550160', id, now(), 'rita later', 'contacted'
       from users where email = 'luis@portal.test' returning id, assigned_to)
     insert into call_logs (lead_id, user_id, confirmed, call_type, duration_seconds, call_date, outcome)
     select id, assigned_to, true, 'manual', 5, now() - interval '90 minutes', 'no_answer' from lead`,
  );

  await signIn("admin", "/settings");
  const noAnswer = page.getByRole("group", { name: "No Answer" });
  await noAnswer.getByLabel("Further tries").fill("0");
  await noAnswer.getByRole("combobox", { name: "After the last try" }).click();
  await page.getByRole("option", { name: "Ask the consultant" }).click();
  const preview = page.getByRole("region", { name: "What this changes" });
  await expect(preview.getByText("To be decided").first()).toBeVisible();
  await expect(preview).toHaveAttribute("aria-busy", "false");
  await expectAccessible(page);
  expect(await portal.query("select 1 from organisation_settings where retry_version > 1")).toEqual([]);
  await page.getByRole("button", { name: "Save Retry Rules" }).click();
  await expect(page.getByText("The retry rules have been saved.").first()).toBeVisible();
  await expect(preview).toBeHidden();

  // The previous page sends no more requests.
  await page.goto("about:blank");
  await signIn("luis");
  await page.getByRole("button", { name: "Auto-Dialer" }).click();
  const dialer = page.getByRole("dialog", { name: "Auto-Dialer" });
  await dialer.getByRole("combobox", { name: "Lead filter" }).click();
  await page.getByRole("option", { name: "All", exact: true }).click();
  await dialer.getByRole("button", { name: "1 without further tries: you decide" }).click();
  await dialer.getByRole("link", { name: "Rita Later" }).click();

  const panel = page.getByRole("dialog", { name: "Rita Later" });
  await expect(panel.getByText(/No more tries by the rules: you decide · No Answer, 1 try/)).toBeVisible();
  await expectAccessible(page);
  await panel.getByRole("button", { name: "Rest 30 days" }).click();
  await expect(panel.getByText(/^Rests until/)).toBeVisible();
  await panel.getByRole("button", { name: "Try again" }).click();
  await expect(panel.getByText(/^Rests until/)).toBeHidden();
  // The rule does not prevent a manual call.
  await panel.getByRole("button", { name: "Call Now" }).click();
  await expect
    .poll(() =>
      portal.query("select 1 from calls c join leads l on l.id = c.lead_id where l.name = 'Rita Later'"),
    )
    .toHaveLength(1);
});
