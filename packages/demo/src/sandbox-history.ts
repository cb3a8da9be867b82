import { contactOf, customFields, iso } from "./contacts.ts";
import { industries, officeLine, systemNumber } from "./people.ts";
import { stopReply } from "./phrases.ts";
import type { Call, DemoSms, InboundCall, World } from "./world.ts";

const legStatus = {
  answered: "completed",
  voicemail: "completed",
  no_answer: "no-answer",
  busy: "busy",
  disconnected: "failed",
} as const;

/** The consultant's leg, and the lead's as its child. */
function legsOf(call: Call) {
  const { sid, leadSid, rep, lead, at, answeredAt, endedAt, durationSeconds, result } = call;
  const reached = leadSid !== null;
  const pickedUp = at + 4_000;
  const repLeg = {
    sid,
    parentSid: null,
    from: systemNumber,
    to: rep.phone ?? officeLine,
    direction: "outbound-api",
    person: "rep",
    status: reached ? "completed" : "no-answer",
    createdAt: at,
    answeredAt: reached ? pickedUp : null,
    endedAt,
    durationSeconds: reached ? Math.round((endedAt - pickedUp) / 1_000) : 0,
    answeredBy: null,
    bridged: answeredAt !== null,
    pressed: reached ? "1" : "",
  };
  if (!reached) return [repLeg];
  const machine = result === "voicemail" ? "machine_start" : "human";
  return [
    repLeg,
    {
      ...repLeg,
      sid: leadSid,
      parentSid: sid,
      to: lead.phone,
      direction: "outbound-dial",
      person: "lead",
      status: legStatus[result as keyof typeof legStatus],
      createdAt: call.ringingAt ?? at + 8_000,
      answeredAt,
      durationSeconds: durationSeconds,
      answeredBy: answeredAt === null ? null : machine,
      pressed: "",
    },
  ];
}

function inboundLegsOf(call: InboundCall) {
  const { sid, from, at, answeredAt, endedAt, lead, taken, durationSeconds } = call;
  const caller = {
    sid,
    parentSid: null as string | null,
    from,
    to: systemNumber,
    direction: "inbound",
    person: "caller",
    status: "completed",
    createdAt: at,
    answeredAt: at as number | null,
    endedAt,
    durationSeconds: Math.round((endedAt - at) / 1_000),
    answeredBy: null,
    bridged: answeredAt !== null,
    pressed: "",
  };
  const ring = (legSid: string, to: string, isTaken: boolean) => ({
    ...caller,
    sid: legSid,
    parentSid: sid,
    to,
    direction: "outbound-dial",
    person: "rep",
    status: isTaken ? "completed" : "no-answer",
    answeredAt: isTaken ? answeredAt : null,
    durationSeconds: isTaken ? durationSeconds : 0,
    bridged: isTaken,
    pressed: isTaken ? "1" : "",
  });
  const phone = lead?.owner?.phone;
  return [
    caller,
    ...(phone ? [ring(call.repSid, phone, taken === "rep")] : []),
    ...(taken === "rep" ? [] : [ring(call.officeSid, officeLine, taken === "office")]),
  ];
}

function recordingsOf({ calls, inbound }: World) {
  const outgoing = calls.map(({ recordingSid, sid, answeredAt, durationSeconds }) => ({
    sid: recordingSid,
    callSid: sid,
    source: "DialVerb",
    startedAt: answeredAt,
    durationSeconds: durationSeconds,
  }));
  const incoming = inbound.map((call) => ({
    sid: call.recordingSid,
    callSid: call.sid,
    source: call.voicemailSeconds === null ? "DialVerb" : "RecordVerb",
    startedAt: recordedAt(call),
    durationSeconds: call.voicemailSeconds ?? call.durationSeconds,
  }));
  return [...outgoing, ...incoming]
    .filter(({ sid }) => sid !== null)
    .sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
}

/** When the recording of a caller started. */
export function recordedAt(call: InboundCall): number {
  return call.answeredAt ?? call.endedAt - (call.voicemailSeconds ?? 0) * 1_000;
}

function textOf(text: DemoSms) {
  const { sid, inbound, number, body, status, errorCode, at } = text;
  return {
    sid,
    direction: inbound ? "inbound" : "outbound-api",
    from: inbound ? number : systemNumber,
    to: inbound ? systemNumber : number,
    body,
    status,
    errorCode,
    createdAt: at,
    automatic: false,
  };
}

/** The provider's replies to each STOP. */
function stopReplies(world: World) {
  return world.leads
    .filter(({ stoppedAt }) => stoppedAt !== null)
    .map((lead) => ({
      sid: world.random.sid("SM"),
      direction: "outbound-reply",
      from: systemNumber,
      to: lead.phone,
      body: stopReply,
      status: "delivered",
      errorCode: null,
      createdAt: (lead.stoppedAt ?? 0) + 500,
      automatic: true,
    }));
}

/** The world in the sandbox's format (`PUT /control/history`). */
export function sandboxHistory(world: World) {
  const inCrm = [...world.leads.filter(({ contactId }) => contactId !== null), ...world.waiting];
  return {
    customFields: customFields(Object.keys(industries)),
    contacts: inCrm.map((lead) => contactOf(world, lead)),
    notes: inCrm
      .filter(({ noteId }) => noteId !== null)
      .map((lead) => ({
        id: lead.noteId,
        contactId: lead.contactId,
        userId: lead.owner?.crmUserId,
        title: "Lead Desk",
        body: lead.notes,
        dateAdded: iso(lead.crmUpdatedAt),
      })),
    crmCalls: inCrm.flatMap(({ aiCall, contactId }) =>
      aiCall
        ? [
            {
              id: aiCall.id,
              contactId,
              direction: "outbound",
              dateAdded: iso(aiCall.at),
              source: "workflow",
              callStatus: "completed",
              durationSeconds: aiCall.durationSeconds,
              hasRecording: true,
            },
          ]
        : [],
    ),
    legs: [...world.calls.flatMap(legsOf), ...world.inbound.flatMap(inboundLegsOf)].sort(
      (a, b) => a.createdAt - b.createdAt,
    ),
    recordings: recordingsOf(world),
    texts: [...world.texts.map(textOf), ...stopReplies(world)].sort((a, b) => a.createdAt - b.createdAt),
    optOuts: world.leads
      .filter(({ stoppedAt }) => stoppedAt !== null)
      .map(({ phone, stoppedAt }) => ({ number: phone, at: iso(stoppedAt) })),
    names: [...world.leads.filter(({ contactId }) => contactId === null), ...world.strangers].map(
      ({ phone, firstName, lastName }) => ({ number: phone, name: `${firstName} ${lastName}` }),
    ),
  };
}
