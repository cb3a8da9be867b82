import { foldText } from "../../../apps/server/src/domain/search-text.ts";
import { iso } from "./contacts.ts";
import type { Columns, TableWriter } from "./copy.ts";
import { officeLine } from "./people.ts";
import { recordedAt } from "./sandbox-history.ts";
import type { Call, InboundCall, World } from "./world.ts";

const legWord = {
  answered: "completed",
  voicemail: "completed",
  no_answer: "no-answer",
  busy: "busy",
  disconnected: "failed",
} as const;
/** The final status of the lead's leg, as the provider names it; null if it was never created. */
const leadLegOf = ({ leadSid, result }: Call) =>
  leadSid === null ? null : legWord[result as keyof typeof legWord];
const dialled = (call: Call, value: unknown) => (call.leadSid === null ? null : value);
const talked = (call: Call, value: unknown) => (call.answeredAt === null ? null : value);

const callColumns: Columns<Call> = {
  id: ({ id }) => id,
  lead_id: ({ lead }) => lead.id,
  user_id: ({ rep }) => rep.id,
  rep_number: ({ rep }) => rep.phone ?? officeLine,
  rep_line: ({ rep }) => (rep.phone ? "personal" : "office"),
  lead_number: ({ lead }) => lead.phone,
  press_one: () => true,
  state: () => "ended",
  result: ({ result }) => result,
  duration_seconds: ({ durationSeconds }) => durationSeconds,
  rep_leg: ({ leadSid }) => (leadSid === null ? "no-answer" : "completed"),
  lead_leg: leadLegOf,
  pressed: ({ leadSid }) => leadSid !== null,
  dial_status: leadLegOf,
  dial_bridged: (call) => dialled(call, call.answeredAt !== null),
  dial_duration_seconds: (call) => talked(call, call.durationSeconds),
  lead_leg_duration_seconds: (call) => dialled(call, call.durationSeconds),
  answered_by: (call) => talked(call, call.result === "voicemail" ? "machine" : "human"),
  lead_sip_code: ({ result }) => (result === "disconnected" ? 404 : null),
  call_sid: ({ sid }) => sid,
  lead_call_sid: ({ leadSid }) => leadSid,
  requested_at: ({ at }) => iso(at),
  dials_at: ({ at }) => iso(at),
  asked_at: ({ at }) => iso(at + 150),
  lead_ringing_at: ({ ringingAt }) => iso(ringingAt),
  answered_at: ({ answeredAt }) => iso(answeredAt),
  ended_at: ({ endedAt }) => iso(endedAt),
  last_event_at: ({ endedAt }) => iso(endedAt),
  settled: () => true,
};

function inboundFacts(call: InboundCall) {
  const { lead, taken, durationSeconds, voicemailSeconds } = call;
  const silence = { bridged: false, seconds: 0 };
  const talk = { bridged: true, seconds: durationSeconds };
  const hasRep = Boolean(lead?.owner?.phone);
  return {
    asked: taken ?? "voicemail",
    noticed: null,
    taken,
    rep: taken === "rep" ? talk : hasRep ? silence : null,
    office: taken === "office" ? talk : taken === null ? silence : null,
    voicemailSeconds: taken === null ? (voicemailSeconds ?? 0) : null,
    gone: true,
  };
}

const takenBy = ({ taken, lead }: InboundCall) => (taken === "rep" ? (lead?.owner?.id ?? null) : null);

const inboundColumns: Columns<InboundCall> = {
  id: ({ id }) => id,
  call_sid: ({ sid }) => sid,
  from_number: ({ from }) => from,
  lead_id: ({ lead }) => lead?.id,
  owner_id: ({ lead }) => lead?.owner?.id,
  taken_by: takenBy,
  stage: () => "ended",
  result: ({ result }) => result,
  duration_seconds: ({ durationSeconds }) => durationSeconds,
  transcription: ({ transcription }) => transcription,
  no_transcription: ({ noTranscription }) => noTranscription,
  facts: inboundFacts,
  started_at: ({ at }) => iso(at),
  answered_at: ({ answeredAt }) => iso(answeredAt),
  ended_at: ({ endedAt }) => iso(endedAt),
  settled_at: ({ settledAt }) => iso(settledAt),
  settled_by: ({ settledBy }) => settledBy?.id,
  last_event_at: ({ endedAt }) => iso(endedAt),
};

const inboundOutcome = { answered: "answered", voicemail: "voicemail", missed: "no_answer" } as const;

async function writeLogs(writer: TableWriter, { calls, inbound }: World): Promise<void> {
  const shared = { search: ({ notes }: { notes: string | null }) => foldText(notes ?? "") };
  await writer.copy(
    "call_logs",
    calls.filter(({ logId }) => logId !== null),
    {
      ...shared,
      id: ({ logId }) => logId,
      lead_id: ({ lead }) => lead.id,
      user_id: ({ rep }) => rep.id,
      call_id: ({ id }) => id,
      outcome: ({ outcome }) => outcome,
      confirmed: ({ confirmedAt }) => confirmedAt !== null,
      confirmed_at: ({ confirmedAt }) => iso(confirmedAt),
      call_type: () => "browser",
      call_date: ({ at }) => iso(at),
      duration_seconds: ({ durationSeconds }) => durationSeconds,
      notes: ({ notes }) => notes,
      call_sid: ({ sid }) => sid,
    },
  );
  await writer.copy("call_logs", inbound, {
    ...shared,
    id: ({ logId }) => logId,
    lead_id: ({ lead }) => lead?.id,
    user_id: takenBy,
    inbound_call_id: ({ id }) => id,
    outcome: ({ result }) => inboundOutcome[result],
    confirmed: () => true,
    confirmed_at: ({ confirmedAt, endedAt }) => iso(confirmedAt ?? endedAt),
    direction: () => "inbound",
    call_type: () => "inbound",
    call_date: ({ at }) => iso(at),
    duration_seconds: ({ voicemailSeconds, durationSeconds }) => voicemailSeconds ?? durationSeconds,
    notes: ({ notes }) => notes,
    call_sid: ({ sid }) => sid,
  });
}

/** The recordings of the calls. */
export async function writeRecordings(writer: TableWriter, { calls, inbound }: World): Promise<void> {
  const outgoing = calls.map((call) => ({
    sid: call.recordingSid,
    callSid: call.sid,
    callId: call.id as number | null,
    inboundId: null as number | null,
    leadId: call.lead.id as number | undefined,
    userId: call.rep.id as number | null,
    kind: "call",
    durationSeconds: call.durationSeconds,
    at: call.answeredAt ?? 0,
  }));
  const incoming = inbound.map((call) => ({
    sid: call.recordingSid,
    callSid: call.sid,
    callId: null,
    inboundId: call.id,
    leadId: call.lead?.id,
    userId: takenBy(call),
    kind: call.voicemailSeconds === null ? "call" : "voicemail",
    durationSeconds: call.voicemailSeconds ?? call.durationSeconds,
    at: recordedAt(call),
  }));
  const rows = [...outgoing, ...incoming].filter(({ sid }) => sid !== null).sort((a, b) => a.at - b.at);
  await writer.copy("recordings", rows, {
    recording_sid: ({ sid }) => sid,
    call_sid: ({ callSid }) => callSid,
    call_id: ({ callId }) => callId,
    inbound_call_id: ({ inboundId }) => inboundId,
    lead_id: ({ leadId }) => leadId,
    user_id: ({ userId }) => userId,
    kind: ({ kind }) => kind,
    status: () => "completed",
    duration_seconds: ({ durationSeconds }) => durationSeconds,
    started_at: ({ at }) => iso(at),
    created_at: ({ at }) => iso(at),
  });
}

/** Outbound and inbound calls, with their logs. */
export async function writeCalls(writer: TableWriter, world: World): Promise<void> {
  await writer.copy("calls", world.calls, callColumns);
  await writer.copy("inbound_calls", world.inbound, inboundColumns);
  await writeLogs(writer, world);
}
