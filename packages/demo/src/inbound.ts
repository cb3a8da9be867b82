import { noteLanguage } from "./calling.ts";
import { addEvent, recordChange, setStatus } from "./changes.ts";
import { afterConversation } from "./conversations.ts";
import { minuteMs } from "./org-clock.ts";
import { notes, say, voicemails } from "./phrases.ts";
import type { InboundCall, Lead, World } from "./world.ts";

type Ending = Pick<InboundCall, "result" | "taken">;

/** Who takes a call: the lead's consultant if they have a phone, otherwise the office. */
function endingOf({ random }: World, lead: Lead | null): Ending {
  const result = random.weighted({ answered: 46, voicemail: 32, missed: 22 });
  if (result !== "answered") return { result, taken: null };
  return { result, taken: lead?.owner?.phone ? "rep" : "office" };
}

const ringMs = 22_000;

/** A call to the shared number, with all consequences. Returns the call. */
export function answerCall(
  world: World,
  caller: { lead: Lead | null; from: string; at: number },
  ending: Ending = endingOf(world, caller.lead),
): InboundCall {
  const { random, inbound } = world;
  const { lead, from, at } = caller;
  const { result, taken } = ending;
  const rings = taken === "rep" || !lead?.owner?.phone ? 1 : 2;
  const answeredAt = taken === null ? null : at + rings * 9_000;
  const durationSeconds = taken === null ? 0 : random.int(35, 420);
  const voicemailSeconds = result === "voicemail" ? random.int(8, 31) : null;
  const waited = at + (lead?.owner?.phone ? 2 : 1) * ringMs;
  const names = { name: lead?.firstName ?? "", rep: lead?.owner?.firstName ?? "" };
  const language = lead?.language ?? "es";
  const words = voicemailSeconds && lead ? say(random.pick(voicemails[language]), names) : null;
  const call: InboundCall = {
    id: inbound.length + 1,
    logId: 0,
    lead,
    from,
    at,
    result,
    taken,
    durationSeconds,
    answeredAt,
    endedAt:
      answeredAt === null ? waited + (voicemailSeconds ?? 3) * 1_000 : answeredAt + durationSeconds * 1_000,
    voicemailSeconds,
    transcription: language === "en" ? words : null,
    noTranscription: words !== null && language === "es" ? "language" : null,
    sid: random.sid("CA"),
    repSid: random.sid("CA"),
    officeSid: random.sid("CA"),
    recordingSid: result === "missed" ? null : random.sid("RE"),
    settledAt: null,
    settledBy: null,
    notes: null,
    confirmedAt: null,
  };
  inbound.push(call);
  if (lead) follow(world, call, lead);
  return call;
}

/** Effects of the call on the lead. */
function follow(world: World, call: InboundCall, lead: Lead): void {
  const { random } = world;
  const { result, endedAt, durationSeconds, at } = call;
  const takenBy = call.taken === "rep" ? lead.owner : null;
  recordChange(lead, at);
  const data = { inboundCallId: call.id, direction: "inbound", result, talkSeconds: durationSeconds };
  addEvent(world, { at: endedAt, lead, by: takenBy, kind: "call-ended", data });
  if (result !== "answered") {
    lead.nextCallAt = endedAt + random.int(8, 50) * minuteMs;
    return;
  }
  for (const earlier of world.inbound)
    if (earlier.lead === lead && earlier.result !== "answered" && earlier.settledAt === null)
      earlier.settledAt = endedAt;
  lead.lastContactedAt = Math.max(lead.lastContactedAt ?? 0, endedAt);
  if (lead.status === "new") setStatus(world, lead, "contacted", null, endedAt);
  if (!takenBy) return;
  lead.conversations += 1;
  lead.missesInRow = 0;
  const kind =
    lead.status === "converted" || lead.status === "not_interested"
      ? "contacted"
      : afterConversation(world, { lead, rep: takenBy, endedAt });
  call.confirmedAt = endedAt + random.int(10, 80) * 1_000;
  call.notes = random.pick(notes[kind][noteLanguage(world)]);
}
