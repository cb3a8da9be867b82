import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { InboxEntry } from "@portal/contract/entities/inbox";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { eventually } from "../../testing/call-harness.ts";
import { buildLead } from "../../testing/factories.ts";
import { openSmsHarness, type SmsHarness } from "../../testing/sms-harness.ts";
import type { Client } from "../../testing/test-app.ts";
import { attachKnownNumbers } from "./service.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let desk: SmsHarness;
let ana: Client;
let sofia: Client;
let admin: Client;
beforeAll(async () => {
  desk = await openSmsHarness();
  ana = await desk.signInRep();
  sofia = await desk.signInRep();
  admin = await desk.portal.signIn({ role: "admin" });
});
afterAll(() => desk.close());

const inbox = async (who: Client, query = ""): Promise<InboxEntry[]> => {
  const { body } = await who.get(`/api/inbox?limit=500${query}`);
  const { count } = (await who.get(`/api/inbox/count?${query.slice(1)}`)).body;
  // The count in the sidebar equals the number of listed entries.
  expect(count).toBe(body.length);
  return body;
};
const entryOf = async (who: Client, id: string) => (await inbox(who)).find((entry) => entry.id === id);
const idOf = (lead: { id: number }) => `lead:${lead.id}`;
const done = (who: Client, entry: InboxEntry) =>
  who.post(`/api/inbox/${entry.id}/done`, { lastTextId: entry.lastTextId, lastCallId: entry.lastCallId });
const audits = async (subject: string) =>
  (await desk.pool.query("select action, user_id from audit_log where subject = $1 order by id", [subject]))
    .rows;

const migrations = new URL("../../platform/db/migrations/", import.meta.url);

let strangers = 100;
const newNumber = () => `+1786555${(++strangers).toString().padStart(4, "0")}`;

/** Somebody calls and hangs up while our phones ring, or after leaving a voicemail. */
async function missCall(from: string | null, voicemail?: string): Promise<number> {
  const CallSid = `CA${randomBytes(16).toString("hex")}`;
  const params = { CallSid, From: from ?? "anonymous", To: "+15005550006", Direction: "inbound" };
  await desk.webhook("/api/twilio/voice/inbound", { ...params, CallStatus: "ringing" });
  await desk.webhook("/api/twilio/voice/inbound-status", { ...params, CallStatus: "completed" });
  return eventually("the missed call", async () => {
    const { rows } = await desk.pool.query(
      "select id from inbound_calls where call_sid = $1 and stage = 'ended'",
      [CallSid],
    );
    if (rows[0] && voicemail)
      await desk.pool.query(
        "update inbound_calls set result = 'voicemail', transcription = $2 where id = $1",
        [rows[0].id, voicemail],
      );
    return rows[0]?.id;
  });
}

/** Somebody calls, and the first of our phones that rings presses 1. */
async function talk(from: string | null): Promise<void> {
  const CallSid = `CA${randomBytes(16).toString("hex")}`;
  const base = { CallSid, From: from ?? "", To: "+15005550006", Direction: "inbound" };
  const ask = async (url: string, more: object) =>
    (await desk.webhook(url, { ...base, CallStatus: "in-progress", ...more })).body;
  const address = (twiml: string, end: string) => {
    const found = twiml.match(new RegExp(`"(https?:[^"#]*${end}[^"#]*)`))?.[1]?.replaceAll("&amp;", "&");
    return found?.slice(desk.portal.url.length) ?? "";
  };
  const ringing = await ask("/api/twilio/voice/inbound", { CallStatus: "ringing" });
  const child = { ParentCallSid: CallSid, CallSid: `CA${randomBytes(16).toString("hex")}` };
  const whisper = await ask(address(ringing, "inbound-whisper"), child);
  await ask(address(whisper, "inbound-take"), { ...child, Digits: "1" });
  const bridged = { DialCallStatus: "completed", DialBridged: "true", DialCallDuration: "42" };
  await ask(address(ringing, "inbound-done"), bridged);
  await ask("/api/twilio/voice/inbound-status", { CallStatus: "completed" });
  await desk.untilWorked();
}

describe("the inbox", () => {
  it("lists unread SMS by thread and missed calls of one's own leads, newest first, and nobody else's", async () => {
    expect((await desk.portal.request("GET", "/api/inbox")).status).toBe(401);
    const [first, second] = [await desk.leadOf(ana), await desk.leadOf(ana)];
    const theirs = await desk.leadOf(sofia);
    const free = await buildLead(desk.portal.deps.database, { phoneE164: newNumber() });
    await desk.receive(first.phoneE164, "¿Me llama mañana?");
    await desk.receive(theirs.phoneE164, "Hola, Sofía");
    await desk.receive(free.phoneE164, "Anybody there?");
    await missCall(second.phoneE164, "Call me back please");
    await desk.receive(first.phoneE164, "¿O el jueves?");

    const ids = [idOf(first), idOf(second), idOf(theirs), idOf(free)];
    const own = (entries: InboxEntry[]) => entries.filter(({ id }) => ids.includes(id));
    expect(own(await inbox(ana))).toMatchObject([
      {
        id: ids[0],
        lead: { name: first.name },
        textCount: 2,
        callCount: 0,
        texts: [{ message: "¿O el jueves?" }, {}],
      },
      { id: ids[1], callCount: 1, calls: [{ result: "voicemail", transcription: "Call me back please" }] },
    ]);
    expect(own(await inbox(sofia)).map(({ id }) => id)).toEqual([ids[2]]);
    expect(own(await inbox(admin)).map(({ id }) => id)).toEqual([ids[3]]);
    expect(own(await inbox(admin, "&of=everyone"))).toHaveLength(4);
    expect((await ana.get("/api/inbox?of=everyone")).status).toBe(403);

    // The pages together give the same list.
    const page = await ana.get("/api/inbox?limit=1");
    expect(page.body[0].id).toBe(ids[0]);
    const next = await ana.get(`/api/inbox?limit=1&cursor=${page.headers["x-next-cursor"]}`);
    expect(next.body[0].id).toBe(ids[1]);

    // Another consultant's entry cannot be settled; an administrator's settling is audited.
    const [entry] = own(await inbox(sofia));
    if (!entry) throw new Error("no entry");
    expect((await done(ana, entry)).status).toBe(403);
    expect(await entryOf(sofia, idOf(theirs))).toBeDefined();
    expect((await done(admin, entry)).body.texts).toHaveLength(1);
    expect(await entryOf(sofia, idOf(theirs))).toBeUndefined();
    expect(await audits(idOf(theirs))).toEqual([{ action: "inbox-done", user_id: admin.user.id }]);
    // Reading the SMS removes the entry.
    await ana.post(`/api/leads/${first.id}/sms/read`);
    expect(await entryOf(ana, idOf(first))).toBeUndefined();
  });

  it("removes what was seen but not newer items, once, and restores it", async () => {
    const lead = await desk.leadOf(ana);
    await desk.receive(lead.phoneE164, "One");
    await missCall(lead.phoneE164);
    const seen = await entryOf(ana, idOf(lead));
    if (!seen) throw new Error("no entry");
    expect(seen).toMatchObject({ textCount: 1, callCount: 1 });
    await desk.receive(lead.phoneE164, "Two");
    const answer = await done(ana, seen);
    expect(answer.body).toEqual({ texts: [seen.lastTextId], calls: [seen.lastCallId] });
    expect(await entryOf(ana, idOf(lead))).toMatchObject({ texts: [{ message: "Two" }], callCount: 0 });
    expect((await done(ana, seen)).body).toEqual({ texts: [], calls: [] });
    const { rows } = await desk.pool.query(
      "select kind from lead_events where lead_id = $1 and kind like 'missed-call%'",
      [lead.id],
    );
    expect(rows).toEqual([{ kind: "missed-call-done" }]);
    await ana.post(`/api/inbox/${idOf(lead)}/reopen`, answer.body);
    expect(await entryOf(ana, idOf(lead))).toMatchObject({ textCount: 2, callCount: 1 });
    expect((await ana.post("/api/inbox/lead:x/done", { lastTextId: 1, lastCallId: null })).status).toBe(400);
    expect((await ana.post("/api/inbox/lead:999999/done", { lastTextId: 1, lastCallId: null })).status).toBe(
      404,
    );
  });

  it("removes a seen item with messages and calls that arrived late and have an earlier time", async () => {
    const lead = await desk.leadOf(ana);
    await desk.receive(lead.phoneE164, "Told at once");
    const first = await missCall(lead.phoneE164);
    await desk.receive(lead.phoneE164, "Told late");
    const late = await missCall(lead.phoneE164);
    const { pool } = desk;
    await pool.query(
      "update messages set created_at = created_at - interval '1 hour' where lead_id = $1 and body = 'Told late'",
      [lead.id],
    );
    await pool.query("update inbound_calls set started_at = started_at - interval '1 hour' where id = $1", [
      late,
    ]);
    const seen = await entryOf(ana, idOf(lead));
    if (!seen) throw new Error("no entry");
    expect(seen.texts.map(({ message }) => message)).toEqual(["Told at once", "Told late"]);
    expect(seen.calls.map(({ id }) => id)).toEqual([first, late]);
    const marked = (await done(ana, seen)).body;
    expect([marked.texts.length, marked.calls.length]).toEqual([2, 2]);
    expect(await entryOf(ana, idOf(lead))).toBeUndefined();
  });

  it("excludes STOP, START and HELP, and a YES that lifts a stop; a YES that answers is included", async () => {
    const lead = await desk.leadOf(ana);
    const stranger = newNumber();
    const unread = async () => (await desk.leadNow(lead.id)).unread_messages;
    const waiting = async () => [await unread(), (await entryOf(ana, `number:${stranger}`))?.textCount ?? 0];
    for (const word of ["Stop.", "YES", "HELP", "Start"]) {
      await desk.receive(lead.phoneE164, word);
      await desk.receive(stranger, word);
    }
    await desk.receive(lead.phoneE164, "ayuda por favor", { OptOutType: "HELP" });
    expect(await waiting()).toEqual([0, 0]);
    await desk.receive(lead.phoneE164, "Sí");
    await desk.receive(stranger, "Info", { OptOutType: "HELP" });
    expect(await waiting()).toEqual([1, 1]);
    expect(await entryOf(ana, idOf(lead))).toMatchObject({ texts: [{ message: "Sí" }] });
    // The thread has all six SMS.
    expect(await desk.thread(ana, lead)).toHaveLength(6);
  });

  it("lists a missed call until somebody calls, talks or texts back; a failed SMS does not count", async () => {
    const lead = await desk.leadOf(ana);
    const waits = async () => (await entryOf(ana, idOf(lead)))?.callCount ?? 0;
    await missCall(lead.phoneE164);
    await missCall(lead.phoneE164);
    expect(await waits()).toBe(2);
    expect((await desk.send(ana, lead, "Called you back?")).status).toBe(200);
    expect(await waits()).toBe(0);

    // They call again, and somebody talks to them.
    await missCall(lead.phoneE164);
    expect(await waits()).toBe(1);
    await talk(lead.phoneE164);
    expect(await waits()).toBe(0);
    // They call again, and are called back.
    await missCall(lead.phoneE164);
    expect(await waits()).toBe(1);
    const { callId } = await desk.call(ana, lead);
    await desk.untilEnded(ana, callId);
    expect(await waits()).toBe(0);
    // An SMS that the provider refuses is not an answer.
    const landline = await desk.leadOf(ana, "invalid");
    await missCall(landline.phoneE164);
    await desk.send(ana, landline, "Did you call?");
    expect((await entryOf(ana, idOf(landline)))?.callCount).toBe(1);
  });

  it("shows unknown callers and senders to everybody, until they are done or belong to a lead", async () => {
    const number = newNumber();
    const id = `number:${number}`;
    await desk.receive(number, "Who are you?");
    const callId = await missCall(number);
    expect(await entryOf(ana, id)).toMatchObject({ lead: null, number, textCount: 1, callCount: 1 });
    expect(await entryOf(admin, id)).toBeDefined();
    const seen = await entryOf(sofia, id);
    if (!seen) throw new Error("no entry");
    const marked = await done(sofia, seen);
    expect(await entryOf(ana, id)).toBeUndefined();
    await sofia.post(`/api/inbox/${id}/reopen`, marked.body);
    expect(await entryOf(ana, id)).toMatchObject({ textCount: 1, callCount: 1 });

    // Calls with a hidden number may come from different people, so each is an entry of its own.
    const [one, other] = [await missCall(null), await missCall(null)];
    expect(await entryOf(ana, `call:${one}`)).toMatchObject({ number: null, callCount: 1 });
    await ana.post(`/api/inbox/call:${one}/done`, { lastTextId: null, lastCallId: one });
    expect(await entryOf(ana, `call:${one}`)).toBeUndefined();
    expect(await entryOf(ana, `call:${other}`)).toBeDefined();

    // Ana gets a lead with this number: its SMS and calls are attached to the lead, and Sofía no longer sees the entry.
    const lead = await buildLead(desk.portal.deps.database, { phoneE164: number, assignedTo: ana.user.id });
    await attachKnownNumbers(desk.portal.deps);
    expect(await entryOf(sofia, id)).toBeUndefined();
    expect(await entryOf(ana, idOf(lead))).toMatchObject({ textCount: 1, callCount: 1 });
    expect(await desk.thread(ana, lead)).toMatchObject([{ message: "Who are you?" }]);
    const { body: logs } = await ana.get(`/api/call-logs?leadId=${lead.id}`);
    expect(logs).toMatchObject([{ direction: "inbound", missed: true }]);
    expect(callId).toBeGreaterThan(0);
  });

  it("assigns messages and calls of a number to a lead, also completed ones; only to one's own lead", async () => {
    const number = newNumber();
    await desk.receive(number, "First");
    const seen = await entryOf(ana, `number:${number}`);
    if (!seen) throw new Error("no entry");
    await done(ana, seen);
    await desk.receive(number, "Second");
    const [lead, theirs] = [await desk.leadOf(ana), await desk.leadOf(sofia)];
    expect((await ana.post("/api/inbox/attach", { number, leadId: theirs.id })).status).toBe(403);
    expect((await ana.post("/api/inbox/attach", { number, leadId: lead.id })).body).toEqual({
      texts: 2,
      calls: 0,
    });
    expect((await ana.post("/api/inbox/attach", { number, leadId: lead.id })).body).toEqual({
      texts: 0,
      calls: 0,
    });
    expect(await entryOf(ana, idOf(lead))).toMatchObject({ textCount: 1 });
    expect(await desk.thread(ana, lead)).toHaveLength(2);
    // Later SMS from the number belong to the lead.
    await desk.receive(number, "Third");
    expect(await entryOf(ana, idOf(lead))).toMatchObject({ textCount: 2 });
  });

  it("migrates stored keywords that counted as unread", async () => {
    const lead = await desk.leadOf(ana);
    const stranger = newNumber();
    const bodies = ["STOP", " Baja. ", "start", "Help", "Yes", "Can you stop by?", "Info"];
    for (const [from, leadId] of [
      [lead.phoneE164, lead.id],
      [stranger, null],
    ])
      await desk.pool.query(
        `insert into messages (lead_id, direction, body, status, from_number, to_number)
         select $1, 'inbound', b, 'received', $2, '+15005550006' from unnest($3::text[]) b`,
        [leadId, from, bodies],
      );
    const file = (await readdir(migrations)).find((name) => name.endsWith("_keyword_texts.sql")) ?? "";
    await desk.pool.query(await readFile(new URL(file, migrations), "utf8"));
    const words = async (id: string) =>
      (await entryOf(ana, id))?.texts.map(({ message }) => message).sort() ?? [];
    const work = ["Can you stop by?", "Info", "Yes"];
    expect(await words(idOf(lead))).toEqual(work);
    expect(await words(`number:${stranger}`)).toEqual(work);
    expect((await desk.leadNow(lead.id)).unread_messages).toBe(3);
  });
});
