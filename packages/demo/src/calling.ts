import type { CallOutcome, CallResult } from "@portal/contract/entities/call";
import { addAudit, addEvent, recordChange, setFollowUp, setStatus } from "./changes.ts";
import { afterConversation, nextAppointment } from "./conversations.ts";
import { dayMs, minuteMs } from "./org-clock.ts";
import { messagesAfterMiss, notes } from "./phrases.ts";
import { sendSms } from "./texting.ts";
import type { Call, Lead, Person, World } from "./world.ts";

type Reached = Extract<CallResult, "answered" | "voicemail" | "no_answer" | "busy">;

/** Weights of a call's results by the last digit of the number, on which the behaviour of the simulated phones depends. */
const people: Partial<Record<Reached, number>> = { answered: 45, voicemail: 27, no_answer: 22, busy: 6 };
const byDigit: Record<string, Partial<Record<Reached, number>>> = {
  5: { busy: 40, no_answer: 30, voicemail: 18, answered: 12 },
  6: { no_answer: 66, voicemail: 22, answered: 12 },
  7: { voicemail: 82, no_answer: 18 },
  9: { answered: 30, no_answer: 40, voicemail: 30 },
};

function resultOf({ random }: World, lead: Lead): CallResult {
  const digit = lead.phone.at(-1) ?? "";
  if (random.chance(0.012)) return "rep_not_reached";
  return digit === "8" ? "disconnected" : random.weighted<Reached>(byDigit[digit] ?? people);
}

/** Seconds of talk: many short conversations, few long ones. */
function talkTimeOf({ random }: World, lead: Lead): number {
  const warm = Math.min(3, lead.conversations) + 1;
  return 25 + Math.round(random.next() ** 3 * 700 * (0.5 + warm / 4)) + random.int(0, 60);
}

const ringSeconds: Record<Reached | "disconnected", [number, number]> = {
  answered: [4, 14],
  voicemail: [18, 24],
  no_answer: [25, 30],
  busy: [2, 4],
  disconnected: [1, 2],
};

/** The result of a call; a short one ends within two minutes. */
interface Ending {
  result: CallResult;
  short?: "wrong number" | "just now" | null;
}
const shortTalks = { "wrong number": [8, 24], "just now": [35, 120] } as const;

function timesOf(world: World, lead: Lead, at: number, { result, short }: Ending) {
  const { random } = world;
  // The consultant's phone is answered, and 1 is pressed.
  const dialled = at + random.int(6, 14) * 1_000;
  if (result === "rep_not_reached")
    return { ringingAt: null, answeredAt: null, talk: 0, endedAt: at + 25_000 };
  const [least, most] = ringSeconds[result as Reached];
  const rang = dialled + random.int(least, most) * 1_000;
  const talks = result === "answered" || result === "voicemail";
  const [shortest, longest] = shortTalks[short ?? "just now"];
  const conversation = () => (short ? random.int(shortest, longest) : talkTimeOf(world, lead));
  const talk = result === "answered" ? conversation() : talks ? random.int(9, 38) : 0;
  return {
    ringingAt: result === "disconnected" ? null : dialled + 1_000,
    answeredAt: talks ? rang : null,
    talk,
    endedAt: rang + talk * 1_000,
  };
}

/** Creates the call with its log, before anybody gave an outcome. */
function placeCall(world: World, lead: Lead, rep: Person, at: number, ending: Ending): Call {
  const { random, calls } = world;
  const { result } = ending;
  const { ringingAt, answeredAt, talk, endedAt } = timesOf(world, lead, at, ending);
  const isLogged = result !== "rep_not_reached";
  const call: Call = {
    id: calls.length + 1,
    lead,
    rep,
    at,
    result,
    durationSeconds: talk,
    ringingAt,
    answeredAt,
    endedAt,
    sid: random.sid("CA"),
    leadSid: isLogged ? random.sid("CA") : null,
    recordingSid: answeredAt === null ? null : random.sid("RE"),
    logId: null,
    outcome: isLogged ? (result as CallOutcome) : null,
    confirmedAt: null,
    notes: null,
  };
  calls.push(call);
  recordChange(lead, at);
  lead.calledOn = world.clock.dayOf(at);
  addAudit(world, {
    at,
    by: rep,
    action: "call-request",
    subject: `lead:${lead.id}`,
    data: { callId: call.id, line: rep.phone ? "personal" : "office" },
  });
  const data = { callId: call.id, result, talkSeconds: talk };
  addEvent(world, { at: endedAt, lead, by: rep, kind: isLogged ? "call-ended" : "call-attempt", data });
  if (ringingAt !== null) settleMissed(world, lead, ringingAt);
  if (result === "answered" || result === "voicemail") reached(world, call);
  return call;
}

/** Settles the missed calls of a caller who was called back. */
function settleMissed(world: World, lead: Lead, at: number): void {
  for (const inbound of world.inbound)
    if (inbound.lead === lead && inbound.result !== "answered" && inbound.settledAt === null)
      inbound.settledAt = at;
}

/** The consultant's outcome and notes, some seconds after the call. */
function confirm(world: World, call: Call, outcome: CallOutcome, said: string | null): void {
  const { lead, rep } = call;
  const at = call.endedAt + world.random.int(8, 70) * 1_000;
  Object.assign(call, { outcome, confirmedAt: at, notes: said });
  if (outcome === "wrong_number" || outcome === "disconnected") {
    lead.numberFault = outcome;
    addEvent(world, { at, lead, by: rep, kind: "opted-out", data: { channel: "call", reason: outcome } });
    lead.updatedAt = Math.max(lead.updatedAt, at);
  }
}

/** The lead was reached: updates the last contact, and changes 'new' to 'contacted'. */
function reached(world: World, { lead, endedAt }: Call): void {
  lead.lastContactedAt = Math.max(lead.lastContactedAt ?? 0, endedAt);
  if (lead.status === "new") setStatus(world, lead, "contacted", null, endedAt);
}

function missed(world: World, call: Call): void {
  const { random } = world;
  const { lead, rep, result, endedAt } = call;
  lead.missesInRow += 1;
  const words =
    result === "voicemail" && random.chance(0.5) ? random.pick(notes.voicemail[noteLanguage(world)]) : null;
  confirm(world, call, call.outcome as CallOutcome, words);
  const wait = result === "busy" ? random.int(1, 4) / 24 : random.int(1, 3) + lead.missesInRow;
  lead.nextCallAt = endedAt + wait * dayMs * 0.8;
  if (lead.followUpAt !== null && lead.followUpAt <= endedAt) {
    lead.nextCallAt = nextAppointment(world, endedAt);
    setFollowUp(world, lead, lead.nextCallAt, rep, endedAt + 90_000);
  }
  if (random.chance(0.3)) {
    const at = endedAt + random.int(2, 6) * minuteMs;
    sendSms(world, { lead, rep, at, body: random.pick(messagesAfterMiss[lead.language]) });
  }
}

/** Half of the team writes its notes in English. */
export function noteLanguage({ random }: World): "en" | "es" {
  return random.chance(0.5) ? "en" : "es";
}

/** A conversation without an outcome so far. */
export function callWithoutOutcome(world: World, lead: Lead, rep: Person, at: number): number {
  const { endedAt } = placeCall(world, lead, rep, at, { result: "answered", short: "just now" });
  lead.nextCallAt = endedAt + dayMs;
  return endedAt + minuteMs;
}

/** A consultant calls a lead, with all consequences. Returns when the consultant is free again. */
export function callLead(world: World, lead: Lead, rep: Person, at: number): number {
  const { random } = world;
  const result = resultOf(world, lead);
  const wrong = result === "answered" && lead.conversations === 0 && random.chance(0.05);
  const call = placeCall(world, lead, rep, at, { result, short: wrong ? "wrong number" : null });
  if (result === "rep_not_reached") {
    lead.nextCallAt = call.endedAt + 20 * minuteMs;
    return call.endedAt + 30_000;
  }
  if (result === "disconnected") confirm(world, call, "disconnected", null);
  else if (result !== "answered") missed(world, call);
  else if (wrong) confirm(world, call, "wrong_number", random.pick(notes.wrong_number[noteLanguage(world)]));
  else {
    lead.missesInRow = 0;
    lead.conversations += 1;
    const kind = afterConversation(world, call);
    const said = random.chance(0.85) ? random.pick(notes[kind][noteLanguage(world)]) : null;
    confirm(world, call, "answered", said);
  }
  return Math.max(call.endedAt, call.confirmedAt ?? 0) + random.int(15, 60) * 1_000;
}
