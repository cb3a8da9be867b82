import { randomBytes } from "node:crypto";
import type { WorkingHours } from "@portal/contract/entities/availability";
import type { CallLog } from "@portal/contract/entities/call";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { eventually } from "../../../testing/call-harness.ts";
import { buildLead } from "../../../testing/factories.ts";
import { openProviderDouble, type ProviderDouble } from "../../../testing/provider-double.ts";
import type { Client } from "../../../testing/test-app.ts";
import { reconcileInbound } from "./service.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

const office = "+12125550199";
const repPhone = "+13055550150";

let desk: ProviderDouble;
let ana: Client;
let sofia: Client;
let admin: Client;
beforeAll(async () => {
  desk = await openProviderDouble({ OFFICE_LINE: office });
  ana = await desk.portal.signIn({ phone: repPhone });
  sofia = await desk.portal.signIn({ phone: null });
  admin = await desk.portal.signIn({ role: "admin" });
});
afterAll(() => desk?.close());

const newSid = (kind: "CA" | "RE") => `${kind}${randomBytes(16).toString("hex")}`;
const leadOf = (rep: Client, rest: object = {}) =>
  buildLead(desk.portal.deps.database, { name: "María García", assignedTo: rep.user.id, ...rest });

/** Finds a URL in a response by the end of its path. */
function address(twiml: string, end: string): string {
  const found = twiml.match(new RegExp(`"(https?:[^"]*${end}[^"]*)"`))?.[1];
  if (!found) throw new Error(`no ${end} in ${twiml}`);
  return found.replaceAll("&amp;", "&");
}

/** A caller of the shared number, and what they and our phones hear. */
function caller(From: string, CallSid = newSid("CA")) {
  const base = { CallSid, From, To: "+12125550100", Direction: "inbound", AccountSid: "AC0" };
  const ask = async (url: string, params: Record<string, string>) => {
    const { status, body } = await desk.webhook(url, { ...base, CallStatus: "in-progress", ...params });
    expect(status).toBe(200);
    return body;
  };
  return {
    CallSid,
    calls: () => ask("/api/twilio/voice/inbound", { CallStatus: "ringing" }),
    ask,
    /** Our phone answers and presses this key; null for none. */
    async ours(twiml: string, key: string | null) {
      const child = { ParentCallSid: CallSid, CallSid: newSid("CA") };
      const whisper = await ask(address(twiml, "inbound-whisper"), child);
      return key === null ? whisper : ask(address(whisper, "inbound-take"), { ...child, Digits: key });
    },
    done: (twiml: string, params: Record<string, string>) => ask(address(twiml, "inbound-done"), params),
    async hangsUp() {
      await desk.webhook("/api/twilio/voice/inbound-status", { ...base, CallStatus: "completed" });
    },
    async row() {
      const { rows } = await desk.pool.query("select * from inbound_calls where call_sid = $1", [CallSid]);
      return rows[0];
    },
    ended: () =>
      eventually("the end of the call", async () => {
        const { rows } = await desk.pool.query(
          "select * from inbound_calls where call_sid = $1 and stage = 'ended'",
          [CallSid],
        );
        return rows[0];
      }),
  };
}

const bridged = { DialCallStatus: "completed", DialBridged: "true", DialCallDuration: "42" };
const declined = { DialCallStatus: "completed", DialBridged: "false", DialCallDuration: "9" };
const live = async (rep: Client) => (await rep.get("/api/calls/live")).body.inboundCalls;
const logsOf = async (rep: Client, leadId: number): Promise<CallLog[]> =>
  (await rep.get(`/api/call-logs?leadId=${leadId}`)).body;

describe("an inbound call of a lead", () => {
  it("rings no closed account, also one closed while the phone rings", async () => {
    const phone = "+13055550151";
    const gone = await desk.portal.signIn({ phone });
    const lead = await leadOf(gone);
    const call = caller(lead.phoneE164 ?? "");
    const ringing = await call.calls();
    expect(ringing).toContain(`>${phone}</Number>`);
    await desk.pool.query("update users set disabled_at = now() where id = $1", [gone.user.id]);
    expect(await call.ours(ringing, null)).toContain("<Hangup/>");
    expect(await call.done(ringing, declined)).toContain(`>${office}</Number>`);
    await call.hangsUp();
    const next = caller(lead.phoneE164 ?? "");
    expect(await next.calls()).toContain(`>${office}</Number>`);
    await next.hangsUp();
  });

  it("rings its consultant first, with the notice, and is assigned to them when they press 1", async () => {
    const lead = await leadOf(ana);
    const call = caller(lead.phoneE164 ?? "");
    const ringing = await call.calls();
    expect(ringing).toContain(`>${repPhone}</Number>`);
    expect(ringing).toMatch(/<Say[^>]*>This call may be recorded/);
    expect(await call.row()).toMatchObject({ stage: "ringing_rep", lead_id: lead.id, owner_id: ana.user.id });

    // The call's bar is shown on every page of the user whose phone rings, and to nobody else.
    expect(await live(ana)).toMatchObject([
      { leadId: lead.id, leadName: "María García", line: "personal", state: "ringing" },
    ]);
    expect(await live(sofia)).toEqual([]);

    const whisper = await call.ours(ringing, null);
    expect(whisper).toContain("María García");
    expect(await call.ours(ringing, "1")).toContain("<Response/>");
    expect(await call.row()).toMatchObject({ stage: "talking", taken_by: ana.user.id });
    expect(await live(ana)).toMatchObject([{ state: "talking", answeredAt: expect.any(String) }]);
    expect(await call.done(ringing, bridged)).toContain("<Hangup/>");
    await call.hangsUp();
    expect(await call.ended()).toMatchObject({ result: "answered", duration_seconds: 42 });
    expect(await live(ana)).toEqual([]);
    const [log] = await logsOf(ana, lead.id);
    expect(log).toMatchObject({
      direction: "inbound",
      outcome: "answered",
      duration: 42,
      confirmed: false,
      missed: false,
      salesRepName: ana.user.name,
    });
  });

  it("waits for the notes of the consultant who answered, and stores them", async () => {
    const lead = await leadOf(ana);
    const call = caller(lead.phoneE164 ?? "");
    const ringing = await call.calls();
    await call.ours(ringing, "1");
    await call.done(ringing, { ...bridged, CallStatus: "completed" });
    await call.ended();
    expect((await ana.get("/api/call-logs?needsOutcome=true")).body[0].leadId).toBe(lead.id);
    const answer = await ana.post("/api/call-logs", {
      leadId: lead.id,
      duration: 1,
      outcome: "answered",
      notes: "Wants the offer by mail",
      twilioCallSid: call.CallSid,
    });
    expect(answer.body).toMatchObject({ confirmed: true, notes: "Wants the offer by mail", duration: 42 });
    expect(await logsOf(ana, lead.id)).toHaveLength(1);
    const forbidden = await sofia.post("/api/call-logs", {
      leadId: lead.id,
      duration: 1,
      outcome: "busy",
      twilioCallSid: call.CallSid,
    });
    expect(forbidden.status).toBe(403);
  });

  it("stores the outcome entered during the talk, once, and does not count as an attempt", async () => {
    const lead = await leadOf(ana);
    const call = caller(lead.phoneE164 ?? "");
    const ringing = await call.calls();
    await call.ours(ringing, "1");
    const [{ callSid }] = await live(ana);
    const body = { leadId: lead.id, duration: "0:09", outcome: "answered", twilioCallSid: callSid };
    const said = await ana.post("/api/call-logs", { ...body, notes: "Wants the offer by mail" });
    expect(said.body).toMatchObject({
      direction: "inbound",
      callType: "inbound",
      duration: 0,
      unmatched: false,
    });
    await call.done(ringing, bridged);
    await call.hangsUp();
    await call.ended();
    expect(await logsOf(ana, lead.id)).toMatchObject([
      {
        id: said.body.id,
        confirmed: true,
        notes: "Wants the offer by mail",
        duration: 42,
        durationReported: false,
        salesRepName: ana.user.name,
      },
    ]);
    const { body: now } = await ana.get(`/api/leads/${lead.id}`);
    expect(now).toMatchObject({ attempts: 0, lastAttemptAt: null, status: "contacted" });
  });

  it("on the office line is shown to its lead's consultant, and belongs to the user who enters the outcome", async () => {
    const lead = await leadOf(sofia);
    const call = caller(lead.phoneE164 ?? "");
    const ringing = await call.calls();
    expect(await live(sofia)).toMatchObject([{ leadId: lead.id, line: "office", state: "ringing" }]);
    expect(await live(ana)).toEqual([]);
    await call.ours(ringing, "1");
    expect(await live(sofia)).toMatchObject([{ line: "office", state: "talking" }]);
    const body = { leadId: lead.id, duration: 9, outcome: "no_answer", twilioCallSid: call.CallSid };
    expect((await ana.post("/api/call-logs", body)).status).toBe(403);
    expect((await sofia.post("/api/call-logs", body)).body).toMatchObject({ salesRepName: sofia.user.name });
    await call.done(ringing, bridged);
    await call.hangsUp();
    expect(await call.ended()).toMatchObject({ result: "answered", taken_by: sofia.user.id });
    expect(await logsOf(sofia, lead.id)).toMatchObject([
      { outcome: "no_answer", confirmed: true, duration: 42, salesRepName: sofia.user.name },
    ]);
  });

  it("is forwarded to the office line when the consultant's voicemail answers and presses nothing", async () => {
    const lead = await leadOf(ana);
    const call = caller(lead.phoneE164 ?? "");
    const ringing = await call.calls();
    expect(await call.ours(ringing, null)).toMatch(/<\/Gather><Hangup\/><\/Response>$/);
    const next = await call.done(ringing, declined);
    expect(next).toContain(`>${office}</Number>`);
    expect(next).not.toContain("recorded");
    expect(await call.row()).toMatchObject({ stage: "ringing_office", taken_by: null });
    await call.ours(next, "1");
    await call.done(next, { ...bridged, CallStatus: "completed" });
    expect(await call.ended()).toMatchObject({ result: "answered", taken_by: null });
    expect(await logsOf(ana, lead.id)).toMatchObject([
      { outcome: "answered", confirmed: true, salesRepName: null },
    ]);
  });

  it("is recorded and transcribed only when its consultant's settings say so", async () => {
    const rep = await desk.portal.signIn({ phone: "+13055550153" });
    await rep.patch("/api/call-settings", { callRecording: false, voicemailTranscription: false });
    const lead = await leadOf(rep);
    const call = caller(lead.phoneE164 ?? "");
    const ringing = await call.calls();
    expect(ringing).not.toMatch(/record|<Say/);
    await rep.patch("/api/call-settings", { callRecording: true });
    // Recording is on now: the caller hears the notice before the next phone rings.
    const officeRings = await call.done(ringing, { DialCallStatus: "no-answer" });
    expect(officeRings).toMatch(/<Say[^>]*>This call may be recorded.+record="record-from-answer-dual"/);
    const voicemail = await call.done(officeRings, { DialCallStatus: "no-answer" });
    expect(voicemail).toContain("<Record ");
    expect(voicemail).not.toContain("transcribe");
    await call.done(voicemail, { RecordingDuration: "12", CallStatus: "completed" });
    await call.hangsUp();
    await call.ended();
    expect(await logsOf(rep, lead.id)).toMatchObject([{ transcription: null, noTranscription: "off" }]);
  });

  it("is declined by any other key", async () => {
    const lead = await leadOf(ana);
    const call = caller(lead.phoneE164 ?? "");
    expect(await call.ours(await call.calls(), "2")).toContain("<Hangup/>");
    expect(await call.row()).toMatchObject({ stage: "ringing_rep", taken_by: null });
    await call.hangsUp();
    await call.ended();
  });

  it.each([
    ["busy", { DialCallStatus: "busy" }],
    ["silent", { DialCallStatus: "no-answer" }],
    ["failed", { DialCallStatus: "failed" }],
  ])("continues when the consultant's phone is %s, and ends with a voicemail", async (_what, end) => {
    const lead = await leadOf(ana, { language: "es" });
    const call = caller(lead.phoneE164 ?? "");
    const officeRings = await call.done(await call.calls(), end);
    const voicemail = await call.done(officeRings, end);
    expect(voicemail).toMatch(/language="es-MX">En este momento[^<]+<\/Say><Record /);
    expect(voicemail).not.toContain("transcribe");
    expect(await call.row()).toMatchObject({ stage: "voicemail" });
    await call.done(voicemail, { RecordingDuration: "12", CallStatus: "completed" });
    expect(await call.ended()).toMatchObject({ result: "voicemail" });
    expect(await logsOf(ana, lead.id)).toMatchObject([
      { outcome: "voicemail", duration: 12, confirmed: true, missed: true, noTranscription: "language" },
    ]);
  });

  it("reports that its voicemail could not be transcribed", async () => {
    const lead = await leadOf(sofia);
    const call = caller(lead.phoneE164 ?? "");
    const voicemail = await call.done(await call.calls(), { DialCallStatus: "no-answer" });
    const RecordingSid = newSid("RE");
    await call.done(voicemail, { RecordingSid, RecordingDuration: "3", CallStatus: "completed" });
    await call.ended();
    const failed = { RecordingSid, TranscriptionStatus: "failed" };
    await desk.webhook(address(voicemail, "inbound-transcription"), failed);
    const log = await eventually("that there are no words", async () => {
      const [found] = await logsOf(sofia, lead.id);
      return found?.noTranscription && found;
    });
    expect(log).toMatchObject({ transcription: null, noTranscription: "not_understood" });
    const { body: timeline } = await sofia.get(`/api/leads/${lead.id}/timeline`);
    expect(timeline).toContainEqual(
      expect.objectContaining({ kind: "call", text: null, noTranscription: "not_understood" }),
    );
  });

  it("stores the voicemail, its transcription and its recording in any order", async () => {
    const lead = await leadOf(sofia);
    const call = caller(lead.phoneE164 ?? "");
    const ringing = await call.calls();
    expect(ringing, "Sofia has no phone of her own").toContain(`>${office}</Number>`);
    const voicemail = await call.done(ringing, { DialCallStatus: "no-answer" });
    expect(voicemail).toContain('transcribe="true"');
    await call.hangsUp();
    expect((await call.ended()).result).toBe("missed");

    const RecordingSid = newSid("RE");
    const callback = { CallSid: call.CallSid, RecordingSid, AccountSid: "AC0" };
    const said = { ...callback, TranscriptionText: "Llámeme por favor", TranscriptionStatus: "completed" };
    await desk.webhook(address(voicemail, "inbound-transcription"), said);
    const completed = { RecordingStatus: "completed", RecordingDuration: "7", RecordingSource: "RecordVerb" };
    await desk.webhook(address(voicemail, "recording-status"), { ...callback, ...completed });
    const log = await eventually("the voicemail in the history", async () => {
      const [found] = await logsOf(sofia, lead.id);
      return found?.outcome === "voicemail" && found.recordingSid && found.transcription && found;
    });
    expect(log).toMatchObject({
      duration: 7,
      transcription: "Llámeme por favor",
      recordingSid: RecordingSid,
    });
    expect(await logsOf(sofia, lead.id)).toHaveLength(1);
    expect((await sofia.get("/api/twilio/recordings")).body[0]).toMatchObject({ recordingSid: RecordingSid });
    expect((await ana.get(`/api/twilio/recording/${RecordingSid}`)).status).toBe(403);
  });

  it("rings its consultant for one call at a time, also for concurrent calls", async () => {
    const rep = await desk.portal.signIn({ phone: "+13055550152" });
    const leads = await Promise.all(Array.from({ length: 4 }, () => leadOf(rep)));
    const heard = await Promise.all(leads.map(({ phoneE164 }) => caller(phoneE164 ?? "").calls()));
    expect(heard.filter((twiml) => twiml.includes(">+13055550152</Number>"))).toHaveLength(1);
    expect(heard.filter((twiml) => twiml.includes(`>${office}</Number>`))).toHaveLength(3);
  });

  it("does not ring a consultant during another call", async () => {
    const busy = await desk.portal.signIn({ phone: "+13055550151" });
    const other = await leadOf(busy);
    await desk.pool.query(
      `insert into calls (lead_id, user_id, rep_number, rep_line, lead_number, press_one, state)
       values ($1, $2, '+13055550151', 'personal', $3, true, 'in_progress')`,
      [other.id, busy.user.id, other.phoneE164],
    );
    const lead = await leadOf(busy);
    expect(await caller(lead.phoneE164 ?? "").calls()).toContain(`>${office}</Number>`);
  });

  it("belongs to the lead called last when several share the number", async () => {
    const phone = "(212) 555-0177";
    const first = await leadOf(ana, { phone });
    await leadOf(sofia, { phone });
    await desk.pool.query(
      `insert into calls (lead_id, user_id, rep_number, rep_line, lead_number, press_one, state, settled)
       values ($1, $2, $3, 'personal', '+12125550177', true, 'ended', true)`,
      [first.id, ana.user.id, repPhone],
    );
    const call = caller("+12125550177");
    await call.calls();
    expect(await call.row()).toMatchObject({ lead_id: first.id });
    await call.hangsUp();
    await call.ended();
  });
});

describe("an inbound call for a consultant who is away", () => {
  const phones = { away: "+13055550170", standIn: "+13055550171" };
  /** Working hours that are not now in any time zone. */
  const otherDay = (): WorkingHours => {
    const days: WorkingHours["days"] = Array.from({ length: 7 }, () => null);
    return { zone: "UTC", days: days.with((new Date().getUTCDay() + 2) % 7, { from: "12:00", to: "13:00" }) };
  };
  const set = async (who: Client, body: object) => {
    expect(await who.patch("/api/availability", body)).toMatchObject({ status: 200 });
  };
  /** Two consultants, the first with a lead. */
  async function pair(phone = phones.away) {
    const [away, standIn] = [
      await desk.portal.signIn({ phone, name: "Ana Rivera" }),
      await desk.portal.signIn({ phone: phones.standIn, name: "Luis Torres" }),
    ];
    const lead = await leadOf(away);
    return { away, standIn, lead, call: caller(lead.phoneE164 ?? "") };
  }

  it("rings the stand-in, who is told for whom, answers it and enters the outcome; the owner does not change", async () => {
    const { away, standIn, lead, call } = await pair();
    await set(away, { away: true, standInId: standIn.user.id });
    const ringing = await call.calls();
    expect(ringing).toContain(`>${phones.standIn}</Number>`);
    expect(await call.row()).toMatchObject({
      owner_id: away.user.id,
      rung_user_id: standIn.user.id,
      stage: "ringing_rep",
    });
    expect(await live(away)).toEqual([]);
    const docked = { leadId: lead.id, line: "personal", standsInFor: "Ana Rivera" };
    expect(await live(standIn)).toMatchObject([{ ...docked, state: "ringing" }]);
    const outbound = await standIn.post("/api/make-call", { leadId: (await leadOf(standIn)).id });
    expect(outbound).toMatchObject({ status: 409, body: { code: "rep_on_call" } });
    const whisper = await call.ours(ringing, null);
    expect(whisper).toContain("Call from María García for Ana Rivera. Press 1");

    // A ringing phone keeps ringing: a change of availability does not change a repeated response.
    await set(away, { away: false });
    await set(standIn, { away: true });
    expect(await call.calls()).toBe(ringing);
    expect(await call.ours(ringing, "1")).toContain("<Response/>");
    expect(await call.row()).toMatchObject({ stage: "talking", taken_by: standIn.user.id });
    expect(await live(standIn)).toMatchObject([{ ...docked, state: "talking" }]);
    const body = { leadId: lead.id, duration: 1, outcome: "answered", twilioCallSid: call.CallSid };
    expect((await sofia.post("/api/call-logs", body)).status).toBe(403);
    await call.done(ringing, { ...bridged, CallStatus: "completed" });
    await call.ended();
    const said = await standIn.post("/api/call-logs", { ...body, notes: "Wants the offer" });
    expect(said.body).toMatchObject({ confirmed: true, duration: 42, salesRepName: "Luis Torres" });
    for (const rep of [away, standIn])
      expect(await logsOf(rep, lead.id)).toMatchObject([{ notes: "Wants the offer", missed: false }]);
    expect((await away.get(`/api/leads/${lead.id}`)).body.assignedTo).toBe(away.user.id);
  });

  it("is missed by the consultant, not by the stand-in", async () => {
    const { away, standIn, lead, call } = await pair();
    await set(away, { hours: otherDay(), standInId: standIn.user.id });
    const officeRings = await call.done(await call.calls(), { DialCallStatus: "no-answer" });
    expect(officeRings).toContain(`>${office}</Number>`);
    expect(await live(standIn)).toEqual([]);
    await call.done(officeRings, { DialCallStatus: "no-answer" });
    await call.hangsUp();
    expect(await call.ended()).toMatchObject({ result: "missed", rung_user_id: standIn.user.id });
    expect(await logsOf(away, lead.id)).toMatchObject([{ missed: true, salesRepName: null }]);
    expect(await logsOf(standIn, lead.id)).toEqual([]);
  });

  it.each<[string, (people: { away: Client; standIn: Client }) => Promise<unknown>]>([
    ["nobody named", () => Promise.resolve()],
    [
      "a stand-in who is away, whose own stand-in is not asked",
      async ({ standIn }) => {
        const third = await desk.portal.signIn({ phone: "+13055550172" });
        await set(standIn, { away: true, standInId: third.user.id });
      },
    ],
    ["a stand-in outside their hours", ({ standIn }) => set(standIn, { hours: otherDay() })],
    [
      "two users who stand in for each other, both away",
      ({ away, standIn }) => set(standIn, { away: true, standInId: away.user.id }),
    ],
    [
      "a stand-in without a phone",
      ({ standIn }) =>
        desk.pool.query("update users set personal_phone = null, personal_phone_e164 = null where id = $1", [
          standIn.user.id,
        ]),
    ],
    [
      "a stand-in whose account is closed",
      ({ standIn }) =>
        desk.pool.query("update users set disabled_at = now() where id = $1", [standIn.user.id]),
    ],
    [
      "a stand-in with another call ringing",
      async ({ standIn }) => {
        const own = await leadOf(standIn);
        expect(await caller(own.phoneE164 ?? "").calls()).toContain(`>${phones.standIn}</Number>`);
      },
    ],
  ])("is forwarded to the office line with %s", async (what, prepare) => {
    const { away, standIn, call } = await pair();
    await set(away, { away: true, ...(what !== "nobody named" && { standInId: standIn.user.id }) });
    await prepare({ away, standIn });
    const ringing = await call.calls();
    expect(ringing).toContain(`>${office}</Number>`);
    expect(ringing).not.toMatch(/\+1305555017\d/);
    await set(away, { away: false });
    expect(await call.calls()).toBe(ringing);
    expect(await call.row()).toMatchObject({ stage: "ringing_office", rung_user_id: null });
    await call.hangsUp();
    expect(await call.ended()).toMatchObject({ result: "missed" });
  });

  it("goes to voicemail when the office line is their own phone", async () => {
    const { away, lead, call } = await pair(office);
    await set(away, { away: true });
    const voicemail = await call.calls();
    expect(voicemail).toContain("<Record ");
    expect(voicemail).not.toContain("<Dial");
    await call.done(voicemail, { RecordingDuration: "12", CallStatus: "completed" });
    await call.ended();
    expect(await logsOf(away, lead.id)).toMatchObject([{ outcome: "voicemail", missed: true }]);
    await set(away, { away: false });
    expect(await caller(lead.phoneE164 ?? "").calls()).toContain(`>${office}</Number>`);
  });
});

describe("an inbound call of an unknown number", () => {
  it.each(["+13125550188", "+7378742833", "anonymous"])(
    "from %s rings the office line and is stored",
    async (from) => {
      const call = caller(from);
      const ringing = await call.calls();
      expect(ringing).toContain(`>${office}</Number>`);
      expect(await call.ours(ringing, null)).toContain("an unknown number");
      await call.hangsUp();
      const callerNumber = from.startsWith("+1") ? from : null;
      const kept = { lead_id: null, result: "missed", from_number: callerNumber ?? "anonymous" };
      expect(await call.ended()).toMatchObject(kept);
      // It is open to everyone under its number, and is in no user's own list and metrics.
      const theirs = { leadId: null, leadName: "", outcome: "no_answer", direction: "inbound", missed: true };
      const listed = async (list: string) =>
        (await sofia.get(`/api/call-logs${list}`)).body.filter(
          (log: CallLog) => log.twilioCallSid === call.CallSid,
        );
      for (const list of ["?unknown=true&limit=5", "?missed=true&limit=5", "?unknown=true"])
        expect(await listed(list)).toMatchObject([{ ...theirs, callerNumber }]);
      expect(await listed("")).toEqual([]);
    },
  );

  it("is shown to every consultant, and belongs to the one who creates the lead meanwhile", async () => {
    const number = "+13125550186";
    const call = caller(number);
    const ringing = await call.calls();
    const stranger = { leadId: null, leadName: "", callerNumber: number, line: "office" };
    for (const rep of [ana, sofia, admin])
      expect(await live(rep)).toMatchObject([{ ...stranger, state: "ringing" }]);
    await call.ours(ringing, "1");
    expect(await live(sofia)).toMatchObject([{ ...stranger, state: "talking" }]);
    const made = await admin.post("/api/leads", {
      phone: number,
      firstName: "Olga",
      salesRepId: ana.user.id,
    });
    const lead = { leadId: made.body.id, leadName: "Olga", line: "office", state: "talking" };
    expect(await live(admin)).toMatchObject([lead]);
    for (const rep of [ana, sofia]) expect(await live(rep)).toEqual([]);
    await call.done(ringing, bridged);
    await call.hangsUp();
    await call.ended();
    expect(await live(admin)).toEqual([]);
    expect(await logsOf(admin, made.body.id)).toMatchObject([
      { outcome: "answered", confirmed: false, duration: 42, salesRepName: admin.user.name },
    ]);
  });

  it("leaves a voicemail that every consultant can read and hear, and that counts for none", async () => {
    const figures = async (query = "") =>
      (await sofia.get(`/api/call-logs/summary?outcome=voicemail${query}`)).body;
    const before = await figures("&unknown=true");
    const own = await figures();
    const from = "+13125550189";
    const call = caller(from);
    const ringing = await call.calls();
    const voicemail = await call.done(ringing, declined);
    const recordingSid = newSid("RE");
    await call.done(voicemail, { RecordingSid: recordingSid, RecordingDuration: "9" });
    await desk.webhook(address(voicemail, "recording-status"), {
      CallSid: call.CallSid,
      RecordingSid: recordingSid,
      RecordingSource: "RecordVerb",
      RecordingStatus: "completed",
      RecordingDuration: "9",
    });
    await call.ask(address(voicemail, "inbound-transcription"), {
      RecordingSid: recordingSid,
      TranscriptionStatus: "completed",
      TranscriptionText: "Please call me",
    });
    await call.hangsUp();
    await call.ended();
    const log = await eventually("the message", async () => {
      const { body } = await sofia.get("/api/call-logs?unknown=true&limit=5");
      return body.find((each: CallLog) => each.recordingSid === recordingSid && each.transcription);
    });
    expect(log).toMatchObject({ outcome: "voicemail", duration: 9, transcription: "Please call me" });
    const { body: recordings } = await sofia.get("/api/twilio/recordings?limit=5");
    expect(recordings[0]).toMatchObject({ recordingSid, kind: "voicemail", leadName: null, leadPhone: from });
    // The access check passes; the sandbox has no sound.
    expect((await sofia.get(`/api/twilio/recording/${recordingSid}`)).status).not.toBe(403);
    expect(await figures()).toEqual(own);
    const after = await figures("&unknown=true");
    expect(after.totalCalls - before.totalCalls).toBe(1);
    expect(after.totalSeconds - before.totalSeconds).toBe(9);
    const { body: file } = await sofia.get("/api/call-logs/export?format=csv&outcome=voicemail&unknown=true");
    expect(file).toContain(`'${from}`);
  });

  it("is no longer pending once the same number is answered; a withheld number is never matched", async () => {
    const waits = async (sid: string) =>
      (await ana.get("/api/call-logs?missed=true")).body.some((log: CallLog) => log.twilioCallSid === sid);
    for (const from of ["+13125550190", "anonymous"]) {
      const missed = caller(from);
      await missed.calls();
      await missed.hangsUp();
      await missed.ended();
      expect(await waits(missed.CallSid)).toBe(true);
      const again = caller(from);
      const ringing = await again.calls();
      await again.ours(ringing, "1");
      await again.done(ringing, { ...bridged, CallStatus: "completed" });
      await again.ended();
      expect(await waits(missed.CallSid)).toBe(from === "anonymous");
    }
  });
});

describe("a missed call", () => {
  it("is pending until the lead's phone rings for us", async () => {
    const lead = await leadOf(ana);
    const call = caller(lead.phoneE164 ?? "");
    await call.calls();
    await call.hangsUp();
    await call.ended();
    expect((await logsOf(ana, lead.id))[0]).toMatchObject({ outcome: "no_answer", missed: true });
    expect((await ana.get("/api/call-logs?missed=true")).body[0].leadId).toBe(lead.id);

    const repSid = newSid("CA");
    const { rows } = await desk.pool.query(
      `insert into calls (lead_id, user_id, rep_number, rep_line, lead_number, press_one, state, call_sid, pressed)
       values ($1, $2, $3, 'personal', $4, true, 'ringing_lead', $5, true) returning id`,
      [lead.id, ana.user.id, repPhone, lead.phoneE164, repSid],
    );
    const leg = { CallSid: newSid("CA"), ParentCallSid: repSid };
    const url = `/api/twilio/voice/lead-status?call=${rows[0].id}`;
    await desk.webhook(url, { ...leg, CallStatus: "ringing", SequenceNumber: "1" });
    await eventually("the missed call to be settled", async () => {
      const [log] = (await logsOf(ana, lead.id)).filter(({ direction }) => direction === "inbound");
      return log?.missed === false;
    });
    await desk.webhook(url, { ...leg, CallStatus: "no-answer", SequenceNumber: "2" });
    await eventually("the end", async () => {
      const ended = await desk.pool.query("select 1 from calls where id = $1 and state = 'ended'", [
        rows[0].id,
      ]);
      return ended.rowCount;
    });
  });
});

describe("a missed call marked as done", () => {
  /** The log of a missed call. */
  async function missedBy(from: string): Promise<CallLog> {
    const call = caller(from);
    await call.calls();
    await call.hangsUp();
    await call.ended();
    const { body } = await admin.get("/api/call-logs?missed=true");
    return body.find((log: CallLog) => log.twilioCallSid === call.CallSid);
  }
  const path = (log: { id: number }) => `/api/call-logs/${log.id}/missed`;

  it("can be marked by the lead's consultant and administrators, with a timeline entry", async () => {
    const lead = await leadOf(ana);
    const log = await missedBy(lead.phoneE164 ?? "");
    const done = { done: true };
    expect((await desk.portal.request("POST", path(log), { body: done })).status).toBe(401);
    expect(await sofia.post(path(log), done)).toMatchObject({ status: 403, body: { code: "not_your_lead" } });
    expect((await ana.post(path({ id: 2147483647 }), done)).status).toBe(404);

    expect((await ana.post(path(log), done)).body).toMatchObject({
      missed: false,
      missedDoneBy: ana.user.name,
    });
    // The first user who marked it stays.
    expect((await admin.post(path(log), done)).body.missedDoneBy).toBe(ana.user.name);
    expect((await ana.post(path(log), { done: false })).body).toMatchObject({
      missed: true,
      missedDoneBy: null,
    });
    const { body: entries } = await ana.get(`/api/leads/${lead.id}/timeline`);
    expect(entries.map(({ kind }: { kind: string }) => kind)).toEqual([
      "missed-call-reopened",
      "missed-call-done",
      "call",
    ]);
    expect(entries[1].actorName).toBe(ana.user.name);
  });

  it("can be marked by everybody for an unknown number, with an audit entry", async () => {
    const log = await missedBy("+13125550191");
    expect((await sofia.post(path(log), { done: true })).body).toMatchObject({
      missed: false,
      missedDoneBy: sofia.user.name,
    });
    const { rows } = await desk.pool.query("select user_id, action from audit_log where subject = $1", [
      `call-log:${log.id}`,
    ]);
    expect(rows).toEqual([{ user_id: sofia.user.id, action: "missed-call-done" }]);
  });

  it("must be neither answered nor outbound", async () => {
    const lead = await leadOf(ana);
    const saved = await ana.post("/api/call-logs", { leadId: lead.id, duration: 9, outcome: "busy" });
    expect((await ana.post(path(saved.body), { done: true })).status).toBe(404);
  });
});

describe("repeated, forged and lost callbacks of the provider", () => {
  it("are answered the same when repeated, and one call is stored", async () => {
    const lead = await leadOf(ana);
    const call = caller(lead.phoneE164 ?? "");
    const answers = await Promise.all(Array.from({ length: 5 }, () => call.calls()));
    expect(new Set(answers).size).toBe(1);
    const ringing = answers[0] ?? "";
    const next = await call.done(ringing, declined);
    expect(await call.done(ringing, declined)).toContain(`>${office}</Number>`);
    await call.done(next, { DialCallStatus: "no-answer", CallStatus: "completed" });
    await call.hangsUp();
    await call.ended();
    expect(await logsOf(ana, lead.id)).toHaveLength(1);
  });

  it("do not connect a consultant who presses 1 after the caller has moved on", async () => {
    const lead = await leadOf(ana);
    const call = caller(lead.phoneE164 ?? "");
    const ringing = await call.calls();
    const whisper = await call.ours(ringing, null);
    await call.done(ringing, declined);
    const late = await call.ask(address(whisper, "inbound-take"), { Digits: "1", CallSid: newSid("CA") });
    expect(late).toContain("<Hangup/>");
    expect(await call.row()).toMatchObject({ stage: "ringing_office" });
    await call.hangsUp();
    await call.ended();
  });

  it.each([
    "inbound",
    "inbound-whisper",
    "inbound-take",
    "inbound-done",
    "inbound-status",
    "inbound-transcription",
  ])("are rejected when forged: %s", async (path) => {
    const CallSid = newSid("CA");
    const forged = await desk.webhook(`/api/twilio/voice/${path}`, { CallSid, From: "+13125550188" }, "x");
    expect(forged.status).toBe(403);
    const { rows } = await desk.pool.query("select 1 from inbound_calls where call_sid = $1", [CallSid]);
    expect(rows).toHaveLength(0);
  });

  it("are replaced by a request to the provider for a call whose end was lost", async () => {
    const lead = await leadOf(ana);
    const call = caller(lead.phoneE164 ?? "");
    await call.calls();
    desk.answers((_request, response) => void response.writeHead(404).end("{}"));
    const context = desk.portal.deps.calls;
    await reconcileInbound(context, context.telephony as never, -1_000);
    expect(await call.row()).toMatchObject({ stage: "ended", result: "missed" });
  });
});
