import { setTimeout as sleep } from "node:timers/promises";
import { policyTable } from "../../apps/server/src/platform/http/policy-table.ts";
import { buildLead, buildUser } from "../../apps/server/src/testing/factories.ts";
import { wavOf } from "../../apps/server/src/testing/sounds.ts";
import * as payloads from "../../apps/server/src/testing/webhook-payloads.ts";
import { ringAgain, workByKeys } from "../../apps/server/src/testing/work-by-keys.ts";
import { OFFICE_LINE, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN } from "../../packages/sandbox/src/defaults.ts";
import { type PortalOnSandbox, startPortalOnSandbox } from "../lib/portal-on-sandbox.ts";
import { print } from "../lib/print.ts";
import { isWebhook, type Repetition, repeater } from "../lib/webhook-repeater.ts";
import { signIn } from "./consultant.ts";

const speed = 20;
const settleMs = 240_000;

const once: Repetition = { name: "once", times: 1, atOnce: false };
const repetitions: Repetition[] = [
  { name: "ten times, one after the other", times: 10, atOnce: false },
  { name: "twenty at once", times: 20, atOnce: true },
];

async function until(what: string, look: () => Promise<unknown>): Promise<void> {
  for (const deadline = Date.now() + settleMs; Date.now() < deadline; await sleep(50))
    if (await look()) return;
  throw new Error(`waited in vain for ${what}`);
}

/** Causes one of every kind of webhook in sequence; only webhooks pass through the repeater. */
async function liveOnce(bench: PortalOnSandbox, proxyUrl: string): Promise<void> {
  const { url, database, control } = bench;
  const rows = async (sql: string, ...values: unknown[]) => (await database.pool.query(sql, values)).rows;
  const admin = await buildUser(database, { role: "admin", phone: "+13055550100" });
  const rep = await buildUser(database, { phone: "+13055550101" });
  const keyed = await buildUser(database, { phone: "+13055550102" });
  const [adminCookie, cookie, keyedCookie] = [
    await signIn(url, admin),
    await signIn(url, rep),
    await signIn(url, keyed),
  ];
  const ask = async (path: string, body: object, as = cookie, method = "POST") => {
    const headers = { cookie: as, "content-type": "application/json" };
    const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { id: number };
  };
  let leads = 0;
  const leadOf = (digit: number, area: number, assignedTo = rep.id) => {
    leads += 1;
    return buildLead(database, {
      name: `Lead ${leads}`,
      email: `lead.${leads}@example.com`,
      phone: `(${area}) 555-01${leads % 10}${digit}`,
      consentAt: new Date(),
      assignedTo,
    });
  };

  // Calls by result: answered, busy, not answered, voicemail, invalid number.
  for (const digit of [0, 5, 6, 7, 8]) {
    const { id } = await leadOf(digit, 786);
    await ask("/api/make-call", { leadId: id });
    await until(
      `the end of a call, digit ${digit}`,
      async () => (await rows("select 1 from calls where lead_id = $1 and settled", id))[0],
    );
  }
  // A recorded message left at a voicemail.
  await ask("/api/organisation-settings", { voicemailDrop: true }, adminCookie, "PATCH");
  const uploaded = await fetch(`${url}/api/voicemail-messages?name=Hello&language=en`, {
    method: "POST",
    headers: { cookie, "content-type": "audio/wav" },
    body: new Uint8Array(wavOf(3)),
  });
  if (!uploaded.ok) throw new Error(`the message was answered ${uploaded.status}`);
  const patient = await leadOf(7, 407);
  await ask("/api/dialer/start", {
    source: { kind: "selection", leadIds: [patient.id] },
    delaySeconds: 3,
    leaveMessage: true,
  });
  await until(
    "the message to be left",
    async () =>
      (await rows("select 1 from lead_events where lead_id = $1 and kind = 'message-left'", patient.id))[0],
  );
  // A message recorded by phone, and a test call.
  await ask("/api/voicemail-messages/record", { name: "By phone", language: "es" });
  await until(
    "the recorded message",
    async () => (await rows("select 1 from voicemail_messages where name = 'By phone'"))[0],
  );
  await ask("/api/go-live/test-call", {}, adminCookie);
  await until("the test call", async () => {
    const answer = await fetch(`${url}/api/go-live`, { headers: { cookie: adminCookie } });
    const { testCall } = (await answer.json()) as { testCall: { isLive: boolean } | null };
    return testCall && !testCall.isLive;
  });
  // Texts in both directions.
  const texted = await leadOf(1, 813);
  for (const [lead, message] of [
    [texted, "One"],
    [await leadOf(5, 813), "Two"],
  ] as const)
    await ask(`/api/leads/${lead.id}/sms`, { message, clientRef: crypto.randomUUID() });
  for (const body of ["Call me", "STOP"]) await control("POST", "/texts", { from: texted.phoneE164, body });
  await control("POST", "/texts", { from: "+13125550144", body: "Who are you?" });
  await until(
    "texts",
    async () =>
      (
        await rows(
          "select count(*)::int as n from messages where status in ('delivered', 'undelivered', 'failed', 'received')",
        )
      )[0]?.n >= 5,
  );
  // Inbound calls: of a lead whom the consultant answers, of one who leaves a message, and of an unknown number.
  const account = `${bench.sandboxUrl}/twilio/2010-04-01/Accounts/${TWILIO_ACCOUNT_SID}`;
  const authorization = `Basic ${Buffer.from(`${TWILIO_ACCOUNT_SID}:${TWILIO_AUTH_TOKEN}`).toString("base64")}`;
  await fetch(`${account}/IncomingPhoneNumbers/PN${"1".padStart(32, "0")}.json`, {
    method: "POST",
    headers: { authorization },
    body: new URLSearchParams({
      VoiceUrl: `${proxyUrl}/api/twilio/voice/inbound`,
      StatusCallback: `${proxyUrl}/api/twilio/voice/inbound-status`,
    }),
  });
  await control("POST", "/phones", { number: OFFICE_LINE, behaviour: "no-answer" });
  const silentRep = await buildUser(database, { phone: "+13055550106" });
  for (const from of [
    (await leadOf(2, 201)).phoneE164,
    (await leadOf(2, 404, silentRep.id)).phoneE164,
    "+13125550188",
  ]) {
    const ended = "select count(*)::int as n from inbound_calls where stage = 'ended'";
    const before = (await rows(ended))[0]?.n;
    await control("POST", "/inbound", { from, says: "Please call me back about the offer." });
    await until("the end of an inbound call", async () => (await rows(ended))[0]?.n > before);
  }
  await until(
    "transcriptions",
    async () =>
      (await rows("select count(*)::int as n from inbound_calls where transcription is not null"))[0]?.n >= 2,
  );
  // An open line, controlled by keys of the phone.
  const phone = "+13055550102";
  for (const digit of [0, 5]) await leadOf(digit, 212, keyed.id);
  await control("POST", "/phones", { number: phone, mode: "manual" });
  await ask(
    "/api/dialer/start",
    { source: { kind: "filter", status: "all" }, lineMode: "open_line", delaySeconds: 3 },
    keyedCookie,
  );
  const habits = {
    wrongKey: 0,
    suggested: 0,
    callBack: 0,
    brief: 0,
    correct: 0,
    pause: 0,
    star: 0,
    hangUp: 0,
  };
  const late = Date.now() + settleMs;
  await workByKeys({
    control,
    phone,
    chance: () => 0.99,
    habits,
    ringAgain: () => ringAgain({ url, cookie: keyedCookie }),
    lookMs: 80,
    isLate: () => Date.now() > late,
  });
  // Webhooks of the CRM.
  const contact = await control<{ id: string }>("POST", "/ghl/contacts", {
    firstName: "Inés",
    lastName: "Duarte",
    email: "ines@example.com",
    phone: "+13125550147",
  });
  await control("PATCH", `/ghl/contacts/${contact.id}`, { companyName: "Duarte SL" });
  await control("POST", `/ghl/contacts/${contact.id}/notes`, { body: "<p>A note</p>" });
  await control("POST", `/ghl/contacts/${contact.id}/calls`, { seconds: 40 });
  await until(
    "the contact",
    async () =>
      (await rows("select 1 from leads where email = 'ines@example.com' and company = 'Duarte SL'"))[0],
  );
  // Sources of leads, in each of their formats.
  const {
    hubspotChange,
    hubspotContact,
    hubspotEvent,
    pipedriveV1,
    pipedriveV2,
    plainLead,
    salesforceChange,
    salesforceLead,
    salesforceMessage,
    ghlWorkflow,
  } = payloads;
  const deliveries: [string, object | string][] = [
    ["lead", plainLead(1)],
    ["lead", ghlWorkflow(2)],
    ["lead", [plainLead(3), plainLead(4)]],
    ["salesforce", salesforceLead(5)],
    ["salesforce", salesforceMessage([6, 7])],
    ["salesforce", salesforceChange(6, { Company: "Reyes Group" })],
    ["hubspot", hubspotContact(8)],
    ["hubspot", [hubspotEvent(9), hubspotChange(9, "email", "ana9@example.com")]],
    ["pipedrive", pipedriveV2(10)],
    ["pipedrive", pipedriveV1(11)],
    ["pipedrive", pipedriveV2(10, { first_name: "Eva" }, { action: "change" })],
  ];
  for (const [source, body] of deliveries) {
    const isText = typeof body === "string";
    await fetch(`${proxyUrl}/api/webhook/${source}`, {
      method: "POST",
      headers: { "content-type": isText ? "text/xml" : "application/json" },
      body: isText ? body : JSON.stringify(body),
    });
    await until(
      "a delivery to be worked",
      async () => !(await rows("select 1 from provider_events where processed_at is null"))[0],
    );
  }
}

/** Content of the database afterwards, without ids and instants that differ between runs. */
const effects: Record<string, string> = {
  leads:
    "select concat_ws(' ', name, email, company, call_opt_out, text_opt_out, status, unread_messages, attempts) as what from leads",
  calls:
    "select concat_ws(' ', l.name, c.state, c.result) as what from calls c join leads l on l.id = c.lead_id",
  logs: "select concat_ws(' ', l.name, g.outcome, g.direction, g.confirmed) as what from call_logs g left join leads l on l.id = g.lead_id",
  "inbound calls": "select concat_ws(' ', stage, result, from_number) as what from inbound_calls",
  // Whether a conversation with a voicemail is recorded depends on when its tone is reported.
  recordings:
    "select concat_ws(' ', coalesce(l.name, 'nobody'), r.status, r.call_id is not null, r.inbound_call_id is not null) as what from recordings r left join leads l on l.id = r.lead_id where l.name is distinct from 'Lead 6'",
  texts: "select concat_ws(' ', direction, status, body) as what from messages",
  timeline:
    "select concat_ws(' ', l.name, e.kind) as what from lead_events e join leads l on l.id = e.lead_id",
  "recorded messages": "select name as what from voicemail_messages",
  deliveries:
    "select concat_ws(' ', source, outcome, reason) as what from lead_delivery_items where outcome not in ('repeat', 'unchanged')",
  origins: "select source as what from lead_origins",
  "test calls": "select concat_ws(' ', leg, failure) as what from test_calls",
};

async function readEffects({ database, control }: PortalOnSandbox): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const [name, sql] of Object.entries(effects)) {
    const { rows } = await database.pool.query<{ what: string }>(sql);
    found[name] = rows.map(({ what }) => what).toSorted();
  }
  const { calls } = await control<{ calls: { number: string; status: string }[] }>("GET", "/calls");
  found["phones rung at the provider"] = calls.map(({ number, status }) => `${number} ${status}`).toSorted();
  return found;
}

const counted = (list: string[]) =>
  [...Map.groupBy(list, (one) => one)].map(([one, all]) => `${all.length} × ${one}`);

function differences(wanted: Record<string, string[]>, found: Record<string, string[]>): string[] {
  return Object.entries(wanted).flatMap(([name, list]) => {
    const [before, after] = [new Set(counted(list)), new Set(counted(found[name] ?? []))];
    const missing = [...before].filter((one) => !after.has(one));
    const added = [...after].filter((one) => !before.has(one));
    return missing.length + added.length > 0
      ? [`${name}: ${added.join(", ") || "nothing"} in place of ${missing.join(", ") || "nothing"}`]
      : [];
  });
}

async function liveWith(repetition: Repetition) {
  const proxy = repeater(repetition);
  let proxyUrl = "";
  const bench = await startPortalOnSandbox({
    speed,
    callsPerSecond: 20,
    startProxy: async (portalUrl) => {
      const started = await proxy.start(portalUrl);
      proxyUrl = started.url;
      return started;
    },
  });
  try {
    await liveOnce(bench, proxyUrl);
    await bench.untilSettled(settleMs);
    const found = await readEffects(bench);
    await proxy.again();
    await bench.untilSettled(settleMs);
    const later = differences(found, await readEffects(bench)).map(
      (fault) => `sent again at the end: ${fault}`,
    );
    return { found, sent: proxy.sent, faults: [...proxy.faults, ...later] };
  } finally {
    await bench.stop();
  }
}

/**
 * Calls, texts, inbound calls, an open line, a test call, recorded messages, the CRM's changes and leads of other systems, three times:
 * each webhook once, ten times in sequence, twenty at once; at the end of each run all are sent once more. @returns whether the second and
 * third run left the same rows and rang the same phones as the first, and every kind of webhook was received
 */
export async function run(): Promise<boolean> {
  const plain = await liveWith(once);
  const kinds = new Set(plain.sent.map(({ path }) => path.split("?")[0]));
  const all = Object.keys(policyTable).flatMap((route) => {
    const [, path = ""] = route.split(" ");
    return route.startsWith("POST") && isWebhook(path) ? [path] : [];
  });
  const missing = all.filter((path) => !kinds.has(path));
  const faults = [
    ...missing.map((path) => `no webhook came to ${path}`),
    ...plain.faults.map((fault) => `once: ${fault}`),
  ];
  print(`${plain.sent.length} webhooks of ${kinds.size} kinds, of ${all.length}`);
  for (const [name, list] of Object.entries(plain.found)) print(`${name.padEnd(28)} ${list.length}`);
  for (const repetition of repetitions) {
    const { found, sent, faults: own } = await liveWith(repetition);
    const wrong = [...own, ...differences(plain.found, found)];
    print(
      `${repetition.name}: ${sent.length} webhooks, ${sent.length * repetition.times} sent, ${wrong.length} faults`,
    );
    faults.push(...wrong.map((fault) => `${repetition.name}: ${fault}`));
  }
  print(`faults ${faults.length}`);
  for (const fault of faults.slice(0, 40)) print(`  ${fault}`);
  return faults.length === 0;
}
