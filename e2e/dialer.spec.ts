import type { Locator } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { expect, type Portal, test } from "./fixtures.ts";

test.use({ spec: "dialer" });

/** Adds a lead of Luis's. Add them in reverse order, because the newest is first. */
async function addLead(portal: Portal, name: string, phone: string | null): Promise<void> {
  await portal.query(
    `insert into leads (name, phone, phone_e164, assigned_to, assigned_at, search)
     select $1, $2, $2, id, now(), lower($1) from users where email = 'luis@portal.test'`,
    [name, phone],
  );
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

test("a session calls each lead, saves its outcome by keys, and skips a lead who opted out meanwhile", async ({
  page,
  signIn,
  portal,
}) => {
  // The last one added is called first.
  await addLead(portal, "Tres Talks", "+12125550163");
  await addLead(portal, "Dos Optsout", "+12125550164");
  await addLead(portal, "Uno Busy", "+12125550165");
  await signIn("luis");
  await page.getByRole("button", { name: "Auto-Dialer" }).click();
  const dialer = page.getByRole("dialog", { name: "Auto-Dialer" });
  await expect(dialer.getByText("3 leads:")).toBeVisible();
  await dialer.getByRole("button", { name: "3 now" }).click();
  await expect(dialer.getByText("Dos Optsout")).toBeVisible();
  await expectAccessible(page);
  await dialer.getByRole("combobox", { name: "Delay between calls" }).click();
  await page.getByRole("option", { name: "3 seconds" }).click();
  await dialer.getByRole("button", { name: "Start" }).click();

  await expect(dialer.getByText("How did it go with Uno Busy?")).toBeVisible();
  await expect(dialer.getByRole("button", { name: /^Busy/ })).toHaveAttribute("aria-pressed", "true");
  await expectAccessible(page);
  await portal.query("update leads set call_opt_out = 'dnd' where name = 'Dos Optsout'");
  // When its page is closed, the dialer continues as a bar.
  await page.keyboard.press("Escape");
  const bar = page.getByRole("region", { name: /^Auto-Dialer: Activo/ });
  await bar.getByRole("button", { name: "Choose outcome" }).click();
  const notes = dialer.getByLabel("Notes about this call");
  await notes.fill("Try at noon");
  await notes.press("Control+Enter");
  await expect(dialer.getByRole("button", { name: "Hold" })).toBeVisible();

  await expect(dialer.getByText("How did it go with Tres Talks?")).toBeVisible();
  await page.keyboard.press("2");
  await expect(dialer.getByRole("button", { name: /^Voicemail/ })).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 leads called.").first()).toBeVisible();
  await expect(dialer.getByText("Completado")).toBeVisible();
  await dialer.getByRole("button", { name: "1 opted out" }).click();
  await expect(dialer.getByText("Dos Optsout")).toBeVisible();
  await expectAccessible(page);
  expect(await callsMade(portal)).toEqual(["Uno Busy", "Tres Talks"]);
  const logs = () =>
    portal.query(
      `select l.outcome, l.notes, l.confirmed from call_logs l join leads on leads.id = l.lead_id
       where leads.name in ('Uno Busy', 'Tres Talks') order by l.id`,
    );
  await expect.poll(logs).toEqual([
    { outcome: "busy", notes: "Try at noon", confirmed: true },
    { outcome: "voicemail", notes: null, confirmed: true },
  ]);
  await dialer.getByRole("button", { name: "Close" }).first().click();
  await expect(dialer.getByRole("button", { name: "Start" })).toBeVisible();
});

test("a page reloaded during a session calls nobody, and offers to resume at the same lead", async ({
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
  await panel.getByRole("button", { name: "Save & next" }).click();
  await expect(panel.getByText("Next: Segundo Waits")).toBeVisible();
  await page.reload();
  await expect(panel.getByText("The page was closed or reloaded.")).toBeVisible();
  await expect(panel.getByRole("button", { name: "Resume at lead 2 of 2" })).toBeVisible();
  await expectAccessible(page);
  expect(await callsMade(portal)).not.toContain("Segundo Waits");
  await page.goto("/settings");
  await expect(page.getByRole("region", { name: "Auto-Dialer: Pausado, Segundo Waits" })).toBeVisible();
  await page.getByRole("button", { name: "Resume at lead 2 of 2" }).click();
  await expect.poll(() => callsMade(portal)).toContain("Segundo Waits");
  await page.getByRole("button", { name: /^(Open|Choose outcome)$/i }).click();
  const dialer = page.getByRole("dialog", { name: "Auto-Dialer" });
  await expect(dialer.getByText("How did it go with Segundo Waits?")).toBeVisible();
  await dialer.getByRole("button", { name: /^No Answer/ }).click();
  await dialer.getByRole("button", { name: "Save & finish" }).click();
  await expect(dialer.getByText("Completado")).toBeVisible();
  await dialer.getByRole("button", { name: "Close" }).first().click();
  await expect(dialer.getByRole("button", { name: "Start" })).toBeVisible();
});

test("an open line rings once and joins lead after lead, with outcomes set on screen and by a key of the phone", async ({
  page,
  signIn,
  portal,
}) => {
  await addLead(portal, "Tres Silent", "+12125550186");
  await addLead(portal, "Dos Talks", "+12125550180");
  await addLead(portal, "Uno Busy", "+12125550185");
  const [luis] = await portal.query<{ phone: string }>(
    "select personal_phone_e164 as phone from users where email = 'luis@portal.test'",
  );
  const phone = luis?.phone ?? "";
  interface Leg {
    sid: string;
    number: string;
    activity: string;
  }
  const line = async () => {
    const { calls } = (await portal.control("GET", "/calls")) as { calls: Leg[] };
    return calls.filter(({ number }) => number === phone);
  };
  const before = (await line()).length;
  /** Presses a key of the phone, once one is expected. */
  const pressKey = async (digits: string) => {
    await expect.poll(async () => (await line())[0]?.activity).toBe("gathering");
    await portal.control("POST", `/calls/${(await line())[0]?.sid}/press`, { digits });
  };
  await portal.control("POST", "/phones", { number: phone, mode: "manual" });

  await signIn("luis");
  await page.getByRole("button", { name: "Auto-Dialer" }).click();
  const dialer = page.getByRole("dialog", { name: "Auto-Dialer" });
  await dialer.getByRole("radio", { name: /^Keep one line open/ }).click();
  await dialer.getByRole("combobox", { name: "Delay between calls" }).click();
  await page.getByRole("option", { name: "3 seconds" }).click();
  await dialer.getByRole("button", { name: "Start" }).click();
  await expect(dialer.getByText("Your phone is ringing")).toBeVisible();
  await portal.control("POST", `/calls/${(await line())[0]?.sid}/answer`);
  await expect(dialer.getByText("Press 1 on your phone")).toBeVisible();
  await pressKey("1");

  await expect(dialer.getByText("How did it go with Uno Busy?")).toBeVisible();
  await expect(dialer.getByRole("region", { name: "On your line" })).toBeVisible();
  await expectAccessible(page);
  await dialer.getByRole("button", { name: "Save & next" }).click();
  await expect(dialer.getByText("How did it go with Dos Talks?")).toBeVisible();
  await pressKey("1");
  await expect(dialer.getByText("How did it go with Tres Silent?")).toBeVisible();
  await pressKey("#");
  await expect(dialer.getByText("Completado")).toBeVisible();

  expect(await callsMade(portal)).toEqual(["Uno Busy", "Dos Talks", "Tres Silent"]);
  const logs = () =>
    portal.query(
      `select l.outcome, l.confirmed from call_logs l join leads on leads.id = l.lead_id
       where leads.name in ('Uno Busy', 'Dos Talks', 'Tres Silent') and leads.assigned_to is not null order by l.id`,
    );
  await expect.poll(logs).toEqual([
    { outcome: "busy", confirmed: true },
    { outcome: "answered", confirmed: true },
    { outcome: "no_answer", confirmed: true },
  ]);
  expect((await line()).length - before).toBe(1);
  await portal.control("POST", "/phones", { number: phone, mode: "auto" });
  await dialer.getByRole("button", { name: "Close" }).first().click();
  await dialer.getByRole("radio", { name: /^Ring my phone for every lead/ }).click();
});

/** Presses a button once it is enabled. Returns whether it showed that it was pressed, or disappeared. */
async function press(panel: Locator, name: RegExp): Promise<boolean> {
  for (;;) {
    const shown = await panel.getByRole("button", { name }).evaluate(async (button: HTMLElement) => {
      const isOff = () => !button.isConnected || button.ariaDisabled === "true";
      if (isOff()) return "off";
      button.click();
      for (let frame = 0; frame < 20 && !isOff(); frame += 1) await new Promise(requestAnimationFrame);
      return isOff() ? "taken" : "as before";
    });
    if (shown !== "off") return shown === "taken";
  }
}

const buttons = { Pause: /^Pause$/, Resume: /^Resume/, Skip: /^Skip$/ };
const orders = [
  ["Pause", "Resume", "Skip"],
  ["Pause", "Skip", "Resume"],
  ["Skip", "Pause", "Resume"],
] as const;
const gapsMs = [0, 50, 200, 800];

test("every press of Pause, Resume and Skip takes effect, in any order and at any interval, and a skipped lead is never called", async ({
  page,
  signIn,
  portal,
}) => {
  test.slow();
  const name = (n: number) => `Turno ${String(n).padStart(2, "0")}`;
  // Each of these phones would answer.
  const phone = (n: number) => `+19175550${100 + Math.floor(n / 5) * 10 + (n % 5)}`;
  const total = orders.length * gapsMs.length * 2 + 2;
  const ana = "(select id from users where email = 'ana@portal.test')";
  await portal.query(`update leads set assigned_to = null where assigned_to = ${ana}`);
  for (let n = 0; n < total; n += 1)
    await portal.query(
      `insert into leads (name, phone, phone_e164, assigned_to, assigned_at, created_at, search)
       values ($1, $2, $2, ${ana}, now(), now() - $3 * interval '1 minute', lower($1))`,
      [name(n), phone(n), n],
    );
  // The consultant's phone takes half a minute to answer: every press of a round is made before a lead's phone could ring, also on a slow
  // machine.
  await portal.control("POST", "/speed", { speed: 0.1 });
  await signIn("ana", "/auto-dialer");
  const panel = page.getByRole("region", { name: "Auto-Dialer" });
  await page.getByRole("combobox", { name: "Delay between calls" }).click();
  await page.getByRole("option", { name: "30 seconds" }).click();
  await page.getByRole("button", { name: "Start" }).click();
  expect(await press(panel, buttons.Skip)).toBe(true);
  let skipped = 1;
  for (const order of orders)
    for (const gapMs of gapsMs) {
      await expect(panel.getByText(`Next: ${name(skipped)}`)).toBeVisible();
      // The number of a consultant's calls per minute is limited: move the earlier rounds into the past.
      await portal.query("update calls set requested_at = requested_at - interval '10 minutes'");
      for (const [index, word] of order.entries()) {
        if (index > 0) await page.waitForTimeout(gapMs);
        expect(await press(panel, buttons[word]), `${order} at ${gapMs} ms: ${word}`).toBe(true);
      }
      skipped += 1;
      if (order.at(-1) !== "Resume") continue;
      await expect(panel.getByRole("button", { name: "End call" })).toBeVisible();
      await expect(panel.getByText(name(skipped)).first()).toBeVisible();
      expect(await press(panel, buttons.Skip)).toBe(true);
      skipped += 1;
    }
  await expect(panel.getByText(`Next: ${name(skipped)}`)).toBeVisible();
  expect(await press(panel, buttons.Pause)).toBe(true);

  const passed = () =>
    portal.query(
      `select i.state, i.reason from dialer_items i join leads l on l.id = i.lead_id
       where l.name like 'Turno %' and i.state <> 'waiting'`,
    );
  await expect
    .poll(passed)
    .toEqual(Array.from({ length: skipped }, () => ({ state: "skipped", reason: "consultant" })));
  const phones = new Set(Array.from({ length: total }, (_, n) => phone(n)));
  const [own] = await portal.query<{ phone: string }>(
    "select personal_phone_e164 as phone from users where email = 'ana@portal.test'",
  );
  const legs = async () => {
    const { calls } = (await portal.control("GET", "/calls")) as {
      calls: { number: string; role: string; endedAt: string | null }[];
    };
    return calls.filter(({ number }) => number === own?.phone || phones.has(number));
  };
  expect(await legs()).not.toEqual([]);
  await portal.control("POST", "/speed", { speed: 20 });
  // Once her own phone no longer rings, no lead's phone will.
  await expect.poll(async () => (await legs()).filter(({ endedAt }) => endedAt === null)).toEqual([]);
  expect((await legs()).filter(({ number }) => phones.has(number))).toEqual([]);
});
