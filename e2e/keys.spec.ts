import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";

test.use({ spec: "keys" });

test("a dozen leads are processed by keyboard alone, and found by search", async ({
  page,
  signIn,
  portal,
}) => {
  await portal.query(
    `insert into leads (name, phone, phone_e164, assigned_to, assigned_at, created_at, search)
     select 'Key Lead ' || lpad(n::text, 2, '0'), '+121255501' || n || '5', '+121255501' || n || '5', u.id, now(),
       now() - n * interval '1 minute', 'key lead ' || lpad(n::text, 2, '0') || ' 121255501' || n || '5'
     from (select generate_series(0, 9) n) n, users u where u.email = 'ana@portal.test'
     union all
     select 'Key Lead ' || n, '+140455501' || (n - 10) || '5', '+140455501' || (n - 10) || '5', u.id, now(),
       now() - n * interval '1 minute', 'key lead ' || n || ' 140455501' || (n - 10) || '5'
     from (select generate_series(10, 11) n) n, users u where u.email = 'ana@portal.test'`,
  );
  await portal.control("POST", "/speed", { speed: 60 });
  await portal.query(
    'update users set lists = \'{"leads":{"layout":"rows"}}\' where email = \'ana@portal.test\'',
  );
  await signIn("ana", "/?search=key");
  await expect(page.getByRole("link", { name: "Key Lead 00" })).toBeVisible();
  // The first key press loads the code of the shortcuts, and counts only for a moment, so a key without a function is pressed first. A
  // request of that code shows that it has loaded.
  const keysAreThere = page.waitForRequest(/command-palette/);
  await page.keyboard.press("x");
  await keysAreThere;
  for (let n = 0; n < 12; n += 1) {
    // A consultant may make ten calls a minute: move the first ones an hour into the past.
    if (n === 6) await portal.query("update calls set requested_at = requested_at - interval '1 hour'");
    const name = `Key Lead ${String(n).padStart(2, "0")}`;
    await page.keyboard.press("j");
    await expect(page.getByRole("link", { name })).toBeFocused();
    await page.keyboard.press("c");
    const dock = page.getByRole("dialog", { name: `Call ${name}` });
    await expect(dock.getByText("Call ended", { exact: true })).toBeVisible();
    await page.keyboard.press("4");
    await expect(dock.getByRole("button", { name: /^Busy/ })).toHaveAttribute("aria-pressed", "true");
    await page.keyboard.press("Enter");
    await expect(dock).toBeHidden();
    await expect(page.getByRole("link", { name })).toBeFocused();
  }
  const answered = () =>
    portal.query(
      "select count(distinct lead_id)::int as leads, count(*)::int as calls from call_logs where outcome = 'busy' and confirmed",
    );
  await expect.poll(answered).toEqual([{ leads: 12, calls: 12 }]);

  // A mistake is corrected at once; then a note is written in the panel, which moves through the list.
  await page.keyboard.press("u");
  await expect(page.getByRole("dialog", { name: "Correct the outcome" })).toBeVisible();
  await page.keyboard.press("3");
  await expect(page.getByRole("dialog", { name: "Correct the outcome" })).toBeHidden();
  await expect(page.getByRole("link", { name: "Key Lead 11" })).toBeFocused();
  await page.keyboard.press("n");
  await expect(page.getByRole("textbox", { name: "Note", exact: true })).toBeFocused();
  await page.keyboard.type("Wants solar cells");
  await page.keyboard.press("Control+Enter");
  await expect
    .poll(() => portal.query("select notes from leads where name = 'Key Lead 11'"))
    .toEqual([{ notes: "Wants solar cells" }]);

  // Found by the note, by a number in another notation, and by a misspelling; axe finds no violations.
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search everything" });
  await field.fill("solar cells");
  await expect(page.getByRole("option", { name: /Wants solar cells/ })).toBeVisible();
  await expectAccessible(page, { within: "[role=dialog]" });
  await field.fill("(404) 555-0105");
  await expect(page.getByRole("option", { name: /Key Lead 10/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/leads\/\d+/);
  await expect(page.getByRole("dialog", { name: "Key Lead 10" })).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
});
