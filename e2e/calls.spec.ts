import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { expect, type Portal, type SignIn, test } from "./fixtures.ts";

test.use({ spec: "calls" });

const anaPhone = "+13055550101";

/** Adds a lead with this number to a consultant. */
async function addLead(portal: Portal, name: string, phone: string | null, owner = "ana"): Promise<void> {
  await portal.query(
    `insert into leads (name, phone, phone_e164, assigned_to, assigned_at, search)
     select $1, $2, $2, id, now(), lower($1) from users where email = $3`,
    [name, phone, `${owner}@portal.test`],
  );
}

/** Signs Ana in on the page of this lead, and calls. */
async function call(page: Page, signIn: SignIn, name: string): Promise<void> {
  await signIn("ana", `/?search=${encodeURIComponent(name)}`);
  await page.getByRole("button", { name: `Call Now ${name}` }).click();
}

async function requestsForCalls(portal: Portal): Promise<number> {
  const [row] = await portal.query<{ count: number }>("select count(*)::int as count from calls");
  return row?.count ?? 0;
}

test("a call connects both phones; its outcome and talk time are saved", async ({ page, signIn, portal }) => {
  const phone = "+12125550120";
  await addLead(portal, "Carla Answers", phone);
  await portal.control("POST", "/phones", { number: phone, mode: "manual" });
  await portal.control("POST", "/speed", { speed: 4 });
  await call(page, signIn, "Carla Answers");
  await expect(page.getByText("Conectando la llamada a tu número personal...").first()).toBeVisible();
  await expect(page.getByText("Carla Answers's phone is ringing")).toBeVisible();
  await expect(() => portal.control("POST", `/calls/${encodeURIComponent(phone)}/answer`)).toPass();
  await expect(page.getByText("In progress", { exact: true })).toBeVisible();
  // The lead hears the notice first.
  await expect
    .poll(
      async () =>
        (await portal.control("GET", `/calls/${encodeURIComponent(phone)}`)) as { activity: string },
    )
    .toMatchObject({ activity: "bridged" });
  // The call is docked: the page beside it stays usable, and the call continues on other pages.
  const dock = page.getByRole("dialog", { name: "Call Carla Answers" });
  await page.getByRole("link", { name: "Settings" }).first().click();
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
  await dock.getByRole("button", { name: "Minimize" }).click();
  const bar = page.getByRole("region", { name: "Call Carla Answers" });
  await expect(bar.getByRole("button", { name: "End Call" })).toBeVisible();
  await bar.getByRole("button", { name: "Return to call" }).click();
  // At least a second of talk, by the sandbox's clock, which runs faster than a slow machine displays it.
  await expect(page.getByText(/Talk time (?!0:00)\d+:\d\d/)).toBeVisible();
  await portal.control("POST", `/calls/${encodeURIComponent(phone)}/hangup`);
  await portal.control("POST", "/speed", { speed: 20 });
  await expect(page.getByText("Call ended", { exact: true })).toBeVisible();
  await expectAccessible(page, { within: "[data-dock]", inBothThemes: true });
  await dock.getByLabel("Notes").fill("Wants an offer");
  await dock.getByRole("button", { name: /10:00 AM$/ }).click();
  await page.getByRole("button", { name: "Save Call Log" }).click();
  await expect(page.getByText("Call Log Saved").first()).toBeVisible();
  // The outcome is saved first, and then the follow-up.
  await expect
    .poll(() =>
      portal.query(
        "select outcome, confirmed, l.notes, duration_seconds > 0 as talked, next_follow_up_time as at from call_logs l join leads on leads.id = l.lead_id where leads.name = 'Carla Answers'",
      ),
    )
    .toEqual([{ outcome: "answered", confirmed: true, notes: "Wants an offer", talked: true, at: "10:00" }]);
});

for (const [behaviour, number, text] of [
  ["is busy", "+12125550125", "The lead's line was busy."],
  ["does not answer", "+12125550126", "The lead did not answer."],
  ["has a voicemail", "+12125550127", "A voicemail answered."],
  ["is out of service", "+12125550118", "The number is not in service."],
] as const) {
  test(`a lead that ${behaviour} is reported with the true result`, async ({ page, signIn, portal }) => {
    await addLead(portal, `Lead ${number.slice(-2)}`, number);
    await call(page, signIn, `Lead ${number.slice(-2)}`);
    await expect(page.getByText(text)).toBeVisible();
    await page.getByRole("button", { name: "Save Call Log" }).click();
    await expect(page.getByText("Call Log Saved").first()).toBeVisible();
  });
}

test("with machine detection off, a voicemail has no suggested outcome, and the consultant chooses it", async ({
  page,
  signIn,
  portal,
}) => {
  await signIn("admin", "/settings");
  await page.getByRole("switch", { name: "Machine detection" }).click();
  await page.getByRole("button", { name: "Save Organization Settings" }).click();
  await expect(page.getByText("The organization's settings have been saved.").first()).toBeVisible();
  // A page of an ended session would show that.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await addLead(portal, "Vera Voicemail", "+12125550137");
  await call(page, signIn, "Vera Voicemail");
  await expect(page.getByText("Only you know how it went: choose the outcome.")).toBeVisible();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Voicemail/ })
    .click();
  await page.getByRole("button", { name: "Save Call Log" }).click();
  await expect(page.getByText("Call Log Saved").first()).toBeVisible();
  const logs = () =>
    portal.query(
      "select outcome, confirmed from call_logs l join leads on leads.id = l.lead_id where leads.name = 'Vera Voicemail'",
    );
  await expect.poll(logs).toEqual([{ outcome: "voicemail", confirmed: true }]);
  await portal.query("delete from organisation_settings");
});

test("a double click and a click in a second tab start one call", async ({
  page,
  signIn,
  portal,
  context,
}) => {
  await addLead(portal, "Double Click", "+12125550121");
  const before = await requestsForCalls(portal);
  // Ana's phone rings until both have clicked.
  await portal.control("POST", "/phones", { number: anaPhone, mode: "manual" });
  await portal.control("POST", "/speed", { speed: 1 });
  await signIn("ana", "/?search=Double");
  const second = await context.newPage();
  await second.goto("/?search=Double");
  await page.getByRole("button", { name: "Call Now Double Click" }).dblclick();
  await second
    .getByRole("button", { name: /Call Now Double Click|Return to call/ })
    .first()
    .click();
  for (const tab of [page, second]) await expect(tab.getByText("Your phone is ringing")).toBeVisible();
  await page.getByRole("button", { name: "End Call" }).click();
  await expect(page.getByText("Call ended", { exact: true })).toBeVisible();
  await expect.poll(() => requestsForCalls(portal)).toBe(before + 1);
  await portal.control("POST", "/speed", { speed: 20 });
  await portal.control("POST", "/phones", { number: anaPhone, mode: "auto" });
  await second.close();
});

test("a lead without a phone number cannot be called, and the reason is shown", async ({
  page,
  signIn,
  portal,
}) => {
  await addLead(portal, "Nora Phoneless", null);
  await call(page, signIn, "Nora Phoneless");
  await expect(page.getByText("No Phone Number").first()).toBeVisible();
  await expect(page.getByText("This lead does not have a phone number").first()).toBeVisible();
});

test("a call that the provider refuses shows an error, and no call stays live", async ({
  page,
  signIn,
  portal,
  consoleWatch,
}) => {
  consoleWatch.allow(/50\d|40\d/);
  await addLead(portal, "Refused Call", "+12125550122");
  await portal.control("POST", "/fail", {
    vendor: "twilio",
    match: "/Calls.json",
    method: "POST",
    count: 1,
    status: 400,
  });
  await call(page, signIn, "Refused Call");
  await expect(page.getByText("Call Failed").first()).toBeVisible();
  await expect.poll(() => portal.query("select 1 from calls where state <> 'ended'")).toEqual([]);
});

test("End Call ends the call at the provider with the recorded toast", async ({ page, signIn, portal }) => {
  const phone = "+12125550124";
  await addLead(portal, "Ended Early", phone);
  // The call lasts until the click, however late that is.
  await portal.control("POST", "/phones", { number: phone, mode: "auto", script: { talk: 3_000 } });
  await call(page, signIn, "Ended Early");
  await expect(page.getByText("In progress", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "End Call" }).click();
  await expect(page.getByText("Call Status").first()).toBeVisible();
  await expect(page.getByText("Call ended", { exact: true })).toBeVisible();
});

test("after a reload and a killed server during a call, the true result waits under Needs outcome", async ({
  page,
  signIn,
  portal,
  consoleWatch,
}) => {
  // The browser reports this while the server is down.
  consoleWatch.allow(
    /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED|502|503/,
  );
  await addLead(portal, "Survivor Lead", "+12125550123");
  await portal.control("POST", "/phones", { number: anaPhone, mode: "manual" });
  await portal.control("POST", "/speed", { speed: 1 });
  await call(page, signIn, "Survivor Lead");
  await expect(page.getByText("Your phone is ringing")).toBeVisible();
  await portal.killAndRestart();
  await portal.control("POST", "/speed", { speed: 20 });
  await portal.control("POST", "/phones", { number: anaPhone, mode: "auto" });
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "My Assigned Leads" })).toBeVisible();
  const waiting = page.getByRole("region", { name: /Needs outcome/ });
  await expect(waiting.getByText("Survivor Lead", { exact: true })).toBeVisible();
  const log = () =>
    portal.query(
      "select outcome, confirmed from call_logs l join leads on leads.id = l.lead_id where leads.name = 'Survivor Lead'",
    );
  await expect.poll(log).toEqual([{ outcome: "answered", confirmed: false }]);
  await waiting
    .getByRole("button", { name: /Answered/ })
    .first()
    .click();
  await expect(waiting.getByText("Survivor Lead", { exact: true })).toBeHidden();
  // The row disappears before the server has responded.
  await expect.poll(log).toEqual([{ outcome: "answered", confirmed: true }]);
});

/** Makes a ringing phone of the sandbox answer and press 1. */
const takeCall = (portal: Portal, number: string) =>
  portal.control("POST", "/phones", { number, mode: "auto", behaviour: "answers" });

test("inbound calls of a lead and of an unknown number are docked, with outcome, notes and a new lead saved there", async ({
  page,
  signIn,
  portal,
}) => {
  const [lead, stranger, office] = ["+12125550133", "+13125550133", "+12125550199"];
  await addLead(portal, "Nora Rings", lead);
  for (const number of [anaPhone, office, lead, stranger])
    await portal.control("POST", "/phones", { number, mode: "manual" });
  await portal.control("POST", "/speed", { speed: 1 });
  await signIn("ana", "/settings");
  await portal.control("POST", "/inbound", { from: lead });
  const bar = page.getByRole("region", { name: "Incoming call from Nora Rings" });
  await expect(bar.getByText("Is calling: answer your phone and press 1")).toBeVisible();
  await bar.getByRole("button", { name: "Open" }).click();
  const dock = page.getByRole("dialog", { name: "Incoming call from Nora Rings" });
  await expect(dock.getByText("Never called")).toBeVisible();
  await takeCall(portal, anaPhone);
  await expect(dock.getByRole("timer")).toBeVisible();
  await dock.getByRole("textbox", { name: "Notes" }).fill("Wants the offer");
  await dock.getByRole("button", { name: /^Answered/ }).click();
  await portal.control("POST", `/calls/${encodeURIComponent(lead)}/hangup`);
  await expect(dock.getByText("Call ended")).toBeVisible();
  await dock.getByRole("button", { name: "Save Call Log" }).click();
  await expect(dock).toBeHidden();
  // The dock closes before the server has responded.
  const log = (name: string) => () =>
    portal.query(
      `select c.outcome, c.confirmed, c.notes, c.direction, u.name as taker from call_logs c
       join leads l on l.id = c.lead_id left join users u on u.id = c.user_id where l.name = $1`,
      [name],
    );
  const taken = { outcome: "answered", confirmed: true, direction: "inbound", taker: "Ana Torres" };
  await expect.poll(log("Nora Rings")).toEqual([{ ...taken, notes: "Wants the offer" }]);

  await portal.control("POST", "/inbound", { from: stranger });
  const unknown = page.getByRole("region", { name: "Incoming call from (312) 555-0133" });
  await expect(unknown.getByText("Rings the office line")).toBeVisible();
  await takeCall(portal, office);
  await expect(unknown.getByText("On the office line")).toBeVisible();
  await unknown.getByRole("button", { name: "Open" }).click();
  await page.getByRole("button", { name: "New lead with (312) 555-0133" }).click();
  const form = page.getByRole("dialog", { name: "New Lead" });
  await expect(form.getByLabel("Phone")).toHaveValue("+13125550133");
  await form.getByLabel("First name").fill("Olga");
  await form.getByRole("button", { name: "Add Lead" }).click();
  const known = page.getByRole("dialog", { name: "Incoming call from Olga" });
  await expect(known.getByRole("timer")).toBeVisible();
  await known.getByRole("button", { name: /^Answered/ }).click();
  await known.getByRole("textbox", { name: "Notes" }).fill("New here");
  await known.getByRole("button", { name: "Save Call Log" }).click();
  await expect(known).toBeHidden();
  await portal.control("POST", `/calls/${encodeURIComponent(stranger)}/hangup`);
  await expect(page.getByRole("region", { name: "Incoming call from Olga" })).toBeHidden();
  await expect.poll(log("Olga")).toEqual([{ ...taken, notes: "New here" }]);
  await portal.control("POST", "/speed", { speed: 20 });
});
