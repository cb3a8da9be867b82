import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { expect, expectNoSidewaysScroll, type Portal, type SignIn, test } from "./fixtures.ts";

test.use({ spec: "texts" });

async function addLead(portal: Portal, name: string, phone: string, rep = "ana"): Promise<void> {
  await portal.query(
    `insert into leads (name, first_name, email, phone, phone_e164, assigned_to, assigned_at, search)
     select $1::text, split_part($1, ' ', 1), $2, $3::text, $3, u.id, now(), lower($1) from users u where u.email = $4`,
    [name, `${phone.slice(1)}@example.com`, phone, `${rep}@portal.test`],
  );
}

const writes = (portal: Portal, from: string, body: string) =>
  portal.control("POST", "/texts", { from, body });

/** The selected text of a field. */
const selected = (field: HTMLTextAreaElement) => field.value.slice(field.selectionStart, field.selectionEnd);

/** Signs Ana in on the page of this lead, and opens their SMS. */
async function openThread(page: Page, signIn: SignIn, name: string) {
  await signIn("ana", `/?search=${encodeURIComponent(name)}`);
  await page.getByRole("button", { name: new RegExp(`^Send SMS ${name}`) }).click();
  const dialog = page.getByRole("dialog", { name: new RegExp(`^SMS with ${name}`) });
  await expect(dialog).toBeVisible();
  return dialog;
}

test("a text is written, counted, sent on Enter and delivered", async ({ page, signIn, portal }) => {
  await addLead(portal, "Delia Delivered", "+13055550120");
  const dialog = await openThread(page, signIn, "Delia Delivered");
  await expect(dialog.getByText("No messages yet")).toBeVisible();
  const field = dialog.getByRole("textbox", { name: "Message" });
  await field.fill("Hola, ¿cómo está?");
  await expect(dialog.getByText("17/1600 · 1 segment")).toBeVisible();
  await field.press("Enter");
  await expect(dialog.getByRole("log").getByText("Hola, ¿cómo está?")).toBeVisible();
  await expect(field).toHaveValue("");
  await expect(dialog.getByRole("img", { name: "Delivered" })).toBeVisible();
  const rows = () =>
    portal.query(
      "select m.status, m.user_id is not null as signed from messages m join leads l on l.id = m.lead_id where l.name = 'Delia Delivered'",
    );
  await expect.poll(rows).toEqual([{ status: "delivered", signed: true }]);
});

test("a very long word wraps in the name, the texts and the field", async ({ page, signIn, portal }) => {
  const phone = "+13055550121";
  const word = "Wolfeschlegelsteinhausenbergerdorff".repeat(9);
  await addLead(portal, `Wanda ${word.slice(0, 150)}`, phone);
  const dialog = await openThread(page, signIn, "Wanda");
  await writes(portal, phone, `https://example.com/${word}`);
  await expect(dialog.getByText(/example.com/)).toBeVisible();
  await dialog.getByRole("textbox", { name: "Message" }).fill(word);
  await expect(dialog.getByRole("button", { name: "Send", exact: true })).toBeInViewport({ ratio: 1 });
  await expect.poll(() => dialog.evaluate((panel) => panel.scrollWidth - panel.clientWidth)).toBe(0);
  // The newest SMS stays visible while the field grows.
  const thread = dialog.getByRole("region", { name: "Messages" });
  await expect
    .poll(() => thread.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight))
    .toBeLessThan(2);
});

test("a double press sends once, and a failed text shows the reason with its code", async ({
  page,
  signIn,
  portal,
}) => {
  await addLead(portal, "Felix Failed", "+13055550125");
  const dialog = await openThread(page, signIn, "Felix Failed");
  await dialog.getByRole("textbox", { name: "Message" }).fill("¿Hablamos mañana?");
  await dialog.getByRole("button", { name: "Send", exact: true }).dblclick();
  const failure = dialog.getByRole("button", { name: /cannot be reached: it is off or has no signal/ });
  await expect(failure).toBeVisible();
  await failure.hover();
  await expect(page.getByRole("tooltip", { name: "Error code 30003" })).toBeVisible();
  const rows = await portal.query(
    "select count(*)::int as sent from messages m join leads l on l.id = m.lead_id where l.name = 'Felix Failed'",
  );
  expect(rows).toEqual([{ sent: 1 }]);
});

test("a draft survives a closed dialog, and a refused text returns to the field for editing", async ({
  page,
  signIn,
  portal,
  consoleWatch,
}) => {
  consoleWatch.allow(/502/);
  const phone = "+13055550128";
  await addLead(portal, "Rita Refused", phone);
  const dialog = await openThread(page, signIn, "Rita Refused");
  const field = dialog.getByRole("textbox", { name: "Message" });
  await field.fill("Buenas tardes");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: /^Send SMS Rita Refused/ }).click();
  await expect(field).toHaveValue("Buenas tardes");
  await field.press("Enter");
  await expect(page.getByText("This is not a number that can be texted.").first()).toBeVisible();
  await expect(field).toHaveValue("Buenas tardes");
  await expect(dialog.getByRole("img", { name: "Failed" })).toBeVisible();
});

test("STOP locks the thread while it is open, and START unlocks it", async ({ page, signIn, portal }) => {
  const phone = "+13055550130";
  await addLead(portal, "Olga Optout", phone);
  const dialog = await openThread(page, signIn, "Olga Optout");
  const field = dialog.getByRole("textbox", { name: "Message" });
  await expect(field).toBeVisible();
  await writes(portal, phone, "Stop");
  await expect(dialog.getByText(/gets no texts: they asked for it/)).toBeVisible();
  await expect(field).toBeHidden();
  await writes(portal, phone, "START");
  await expect(field).toBeVisible();
});

test("an inbound text is shown at once on the card and in the sidebar, until it is read", async ({
  page,
  signIn,
  portal,
}) => {
  const phone = "+13055550140";
  await addLead(portal, "Irene Inbound", phone, "luis");
  await signIn("luis", "/?search=Irene");
  const button = page.getByRole("button", { name: /^Send SMS Irene Inbound/ });
  await expect(button).toBeVisible();
  await writes(portal, phone, "¿Me puede llamar?");
  await expect(button).toHaveAccessibleName(/1 unread text/);
  const dashboard = page.getByRole("link", { name: /Dashboard/ });
  await expect(dashboard).toHaveAccessibleName(/1 unread text/);
  // The browser reports a frame later that the thread is in view.
  const isRead = page.waitForResponse(/\/sms\/read$/);
  await button.click();
  const dialog = page.getByRole("dialog", { name: "SMS with Irene Inbound" });
  await expect(dialog.getByText("¿Me puede llamar?")).toBeVisible();
  await isRead;
  await page.keyboard.press("Escape");
  await expect(button).not.toHaveAccessibleName(/unread/);
  await expect(dashboard).not.toHaveAccessibleName(/unread/);

  // In the lead's panel the SMS may be below the end of a low window: it is read once it is scrolled into view.
  await page.setViewportSize({ width: 1280, height: 420 });
  await writes(portal, phone, "¿Mañana mejor?");
  await expect(button).toHaveAccessibleName(/1 unread text/);
  await page.getByRole("list", { name: "Leads" }).getByRole("link", { name: "Irene Inbound" }).click();
  const panel = page.getByRole("dialog", { name: "Irene Inbound" });
  const thread = panel.getByRole("region", { name: "Messages" }).getByText("¿Mañana mejor?");
  await expect(thread).toBeAttached();
  await expect(thread).not.toBeInViewport();
  await page.reload();
  await expect(thread).toBeAttached();
  await expect(dashboard).toHaveAccessibleName(/1 unread text/);
  await thread.scrollIntoViewIfNeeded();
  await expect(dashboard).not.toHaveAccessibleName(/unread/);
});

test("a text from an unknown number waits until it is attached to a lead", async ({
  page,
  signIn,
  portal,
}) => {
  await addLead(portal, "Nora Known", "+13055550150", "sofia");
  await signIn("sofia", "/?search=Nora");
  await writes(portal, "+13475550191", "Soy Nora, este es mi número nuevo");
  await page.getByRole("button", { name: /Unknown numbers/ }).click();
  const inbox = page.getByRole("dialog", { name: "Texts from unknown numbers" });
  const text = inbox.getByRole("listitem", { name: "Text from (347) 555-0191" });
  await expect(text).toContainText("Soy Nora");
  await text.getByRole("button", { name: "Attach to a lead" }).click();
  await text.getByRole("searchbox", { name: "Search your leads" }).fill("Nora");
  await text.getByRole("button", { name: /Nora Known/ }).click();
  await expect(inbox.getByText("No texts waiting")).toBeVisible();
  await inbox.getByRole("button", { name: "Close", exact: true }).click();
  await expect(inbox).toBeHidden();
  await expect(page.getByRole("button", { name: /Unknown numbers/ })).toBeHidden();
  await page.getByRole("button", { name: /^Send SMS Nora Known/ }).click();
  const dialog = page.getByRole("dialog", { name: "SMS with Nora Known" });
  await expect(dialog.getByText("Soy Nora, este es mi número nuevo")).toBeVisible();
});

test("a sender who is not a lead becomes one with their text, and an existing lead with the same email is named", async ({
  page,
  signIn,
  portal,
  consoleWatch,
}) => {
  consoleWatch.allow(/409 \(Conflict\)/);
  await addLead(portal, "Rita Registrada", "+13055550151", "luis");
  await signIn("sofia", "/?search=nobody-of-this-name");
  await writes(portal, "+13475550192", "Quisiera un presupuesto");
  await page.getByRole("button", { name: /Unknown numbers/ }).click();
  await page.getByRole("button", { name: "New lead with (347) 555-0192" }).click();
  const dialog = page.getByRole("dialog", { name: "New Lead" });
  await expect(dialog.getByLabel("Phone")).toHaveValue("+13475550192");
  await dialog.getByLabel("Email").fill("13055550151@EXAMPLE.com");
  await expect(dialog.getByRole("link", { name: "Rita Registrada" })).toBeVisible();
  await expect(dialog.getByText(/with Luis.* · same email/)).toBeVisible();
  await expectAccessible(page, { within: "[role=dialog]:has(form)" });
  await dialog.getByRole("button", { name: "Add Lead" }).click();
  await expect(dialog.getByText("A lead with this email address exists already.")).toBeVisible();

  await dialog.getByLabel("Email").fill("nueva@example.com");
  await expect(dialog.getByRole("link", { name: "Rita Registrada" })).toBeHidden();
  await dialog.getByLabel("First name").fill("Elena");
  await dialog.getByLabel("Last name").fill("Nueva");
  await dialog.getByRole("button", { name: "Add Lead" }).dblclick();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/leads\/\d+/);
  await expect(page.getByText("Quisiera un presupuesto").last()).toBeVisible();
  const rows = () =>
    portal.query(
      `select l.name, u.email, (select count(*)::int from messages m where m.lead_id = l.id) as texts
       from leads l join users u on u.id = l.assigned_to where l.phone_e164 = '+13475550192'`,
    );
  await expect.poll(rows).toEqual([{ name: "Elena Nueva", email: "sofia@portal.test", texts: 1 }]);
});

test("the inbox replies beside the list, holds an unknown number behind a pill and answers it by a key, and shows one pane at a time on a phone", async ({
  page,
  signIn,
  portal,
}) => {
  const [phone, other, stranger] = ["+13055550160", "+13055550163", "+13475550195"];
  await addLead(portal, "Ines Inbox", phone);
  await addLead(portal, "Omar Other", other);
  const kept = (from: string) => () =>
    portal.query("select 1 from messages where from_number = $1", [from]).then(({ length }) => length);
  await writes(portal, phone, "¿Está ahí?");
  await writes(portal, other, "Call me tomorrow");
  await expect.poll(kept(phone)).toBe(1);
  await expect.poll(kept(other)).toBe(1);
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn("ana", "/inbox");
  const list = page.getByRole("list", { name: "Who waits for an answer" });
  const row = list.getByRole("button", { name: /^Ines Inbox/ });
  await row.click();
  const pane = page.getByRole("region", { name: "Ines Inbox" });
  await expect(pane.getByText("¿Está ahí?")).toBeVisible();
  await expect(row).toContainText("Done");
  await expectAccessible(page);
  const field = pane.getByRole("textbox", { name: "Message" });
  await field.fill("Sí, aquí estoy");
  await field.press("Enter");
  await expect(pane.getByRole("img", { name: "Delivered" })).toBeVisible();

  // An arriving SMS does not move anything.
  await writes(portal, stranger, "¿Cuánto cuesta?");
  const unknown = list.getByRole("button", { name: /^\(347\) 555-0195/ });
  const pill = page.getByRole("button", { name: /^\d+ new$/ });
  await expect(pill).toBeVisible();
  await expect(unknown).toBeHidden();
  await pill.click();
  await unknown.click();
  await expect(page.getByRole("region", { name: "(347) 555-0195" })).toContainText("¿Cuánto cuesta?");
  await expectAccessible(page);
  await page.keyboard.press("e");
  await expect(unknown).toContainText("Done");
  const done = () =>
    portal.query("select 1 from messages where from_number = $1 and dismissed_at is not null", [stranger]);
  await expect.poll(done).toHaveLength(1);

  // The next one was opened and read; they write again while nobody is looking.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/account");
  await writes(portal, other, "Are you there?");
  await expect.poll(kept(other)).toBe(2);
  await page.goto("/inbox");
  await expectAccessible(page);
  await list.getByRole("button", { name: /^Omar Other/ }).click();
  const small = page.getByRole("region", { name: "Omar Other" });
  await expect(small.getByText("Call me tomorrow")).toBeVisible();
  await expect(list).toBeHidden();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await small.getByRole("button", { name: "Back to the list" }).click();
  await expect(list).toBeVisible();
  await expect(list.getByRole("button", { name: /^Omar Other/ })).toBeFocused();
});

test("a template is saved, found by the slash menu in the lead's language, filled, and sent", async ({
  page,
  signIn,
  portal,
}) => {
  const phone = "+13055550131";
  await addLead(portal, "Teresa Template", phone);
  await signIn("ana", "/settings");
  await page.getByRole("button", { name: "Manage templates" }).click();
  await page.getByRole("button", { name: "New template" }).click();
  const form = page.getByRole("dialog", { name: "New template" });
  await form.getByRole("textbox", { name: "Name" }).fill("Saludo");
  await form
    .getByRole("textbox", { name: "Text in English" })
    .fill("Hi {{first_name}}, it's {{consultant}}.");
  await form
    .getByRole("textbox", { name: "Text in Spanish" })
    .fill("Hola {{first_name}}, sobre {{company}}.");
  await form.getByRole("button", { name: "Save" }).click();
  const list = page.getByRole("dialog", { name: "Templates of texts" });
  await expect(list.getByText("Saludo")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  await writes(portal, phone, "¿Me puede llamar mañana por la tarde?");
  await page.goto(`/?search=${encodeURIComponent("Teresa Template")}`);
  await page.getByRole("button", { name: /^Send SMS Teresa Template/ }).click();
  const dialog = page.getByRole("dialog", { name: /^SMS with Teresa Template/ });
  await expect(dialog.getByText("¿Me puede llamar mañana por la tarde?")).toBeVisible();
  const field = dialog.getByRole("textbox", { name: "Message" });
  await field.pressSequentially("/salu");
  await expect(dialog.getByRole("option", { name: /Saludo/ })).toContainText("Hola Teresa");
  await expectAccessible(page);
  await field.press("Enter");
  await expect(field).toHaveValue("Hola Teresa, sobre {{company}}.");
  await field.press("Enter");
  await expect(dialog.getByText(/Nothing is known for “Company”/)).toBeVisible();
  // An unknown field is selected, so that typing replaces it.
  await expect.poll(() => field.evaluate(selected)).toBe("{{company}}");
  await page.keyboard.type("su negocio");
  await expect(field).toHaveValue("Hola Teresa, sobre su negocio.");
  await field.press("Enter");
  await expect(dialog.getByRole("log").getByText("Hola Teresa, sobre su negocio.")).toBeVisible();
  // A sent SMS is shown before the server has stored it.
  await expect
    .poll(() =>
      portal.query(
        `select l.language_guess, v.name from messages m join leads l on l.id = m.lead_id
         join sms_template_versions v on v.id = m.template_version_id where l.name = 'Teresa Template'`,
      ),
    )
    .toEqual([{ language_guess: "es", name: "Saludo" }]);
});

test("a text is scheduled, listed, canceled, and another one is sent at its time", async ({
  page,
  signIn,
  portal,
}) => {
  await addLead(portal, "Lara Later", "+13055550132");
  await portal.query("update leads set time_zone = 'America/New_York' where name = 'Lara Later'");
  const dialog = await openThread(page, signIn, "Lara Later");
  const field = dialog.getByRole("textbox", { name: "Message" });
  const later = async (text: string) => {
    await field.fill(text);
    if (!(await dialog.getByRole("form", { name: "Send later" }).isVisible()))
      await dialog.getByRole("button", { name: "Send later" }).click();
    await dialog.getByRole("button", { name: "Schedule" }).click();
    await expect(dialog.getByRole("list", { name: "Texts that go out later" })).toContainText(text);
    await expect(field).toHaveValue("");
  };
  await later("Mañana le llamo");
  await expect(dialog.getByText(/^Goes out .*10:00 AM \(New York\)$/)).toBeVisible();
  await expect(dialog.getByText("No messages yet")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog.getByRole("list", { name: "Texts that go out later" })).toBeHidden();

  await later("Le escribo mañana");
  const sendNow = () =>
    portal.query(
      "update scheduled_sms set send_at = now(), next_at = now() where state = 'waiting' and body = 'Le escribo mañana' returning 1",
    );
  await expect.poll(sendNow).toHaveLength(1);
  await expect(dialog.getByRole("log").getByText("Le escribo mañana")).toBeVisible();
  await expect(dialog.getByRole("list", { name: "Texts that go out later" })).toBeHidden();
  const rows = () =>
    portal.query(
      "select m.body from messages m join leads l on l.id = m.lead_id where l.name = 'Lara Later'",
    );
  await expect.poll(rows).toEqual([{ body: "Le escribo mañana" }]);
});
