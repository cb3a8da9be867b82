import { isDeepStrictEqual } from "node:util";
import type { Tx } from "../../../platform/db/client.ts";
import { type Audience, audienceOf, publishEvent } from "../../../platform/realtime/publish.ts";
import { recordLeadEvent } from "../../activity/service.ts";
import { applyOutcomeToLead } from "../outcomes/apply-outcome.ts";
import { deriveInbound, type InboundFacts, mergeInbound, noInboundFacts } from "./machine.ts";
import {
  type InboundRow,
  lockInbound,
  reachedSince,
  saveInboundLog,
  settleMissed,
  updateInbound,
} from "./repository.ts";

const outcomes = { answered: "answered", voicemail: "voicemail", missed: "no_answer" } as const;

/** What is known of a call. */
export function factsOf(call: Pick<InboundRow, "facts">): InboundFacts {
  return { ...noInboundFacts, ...(call.facts as Partial<InboundFacts>) };
}

/** Whose own phone rings for the caller, or rang. */
export function rungOf({ rungUserId, ownerId }: Pick<InboundRow, "rungUserId" | "ownerId">): number | null {
  return rungUserId ?? ownerId;
}

/** The log of a call; one that a consultant took waits for their notes. */
async function saveLog(tx: Tx, call: InboundRow, facts: InboundFacts): Promise<number | null> {
  if (call.result === null) return null;
  const spoken = call.result === "voicemail" ? facts.voicemailSeconds : call.durationSeconds;
  const userId = call.result === "answered" ? call.takenBy : null;
  return saveInboundLog(tx, {
    leadId: call.leadId,
    userId,
    inboundCallId: call.id,
    outcome: outcomes[call.result],
    confirmed: userId === null,
    durationSeconds: spoken ?? 0,
    callDate: call.startedAt,
    callSid: call.callSid,
  });
}

/** Who is notified of a call: those on it or rung for it and whose lead it is; of a stranger's everybody, as any consultant may see to it. */
export function listeners(call: InboundRow): Audience {
  return call.leadId === null ? "all" : audienceOf(call.ownerId, call.rungUserId, call.takenBy);
}

/** All that the end of a call brings with it. */
async function finish(tx: Tx, call: InboundRow, facts: InboundFacts, endedNow: boolean): Promise<void> {
  const { leadId, result } = call;
  const logId = await saveLog(tx, call, facts);
  const audience = listeners(call);
  if (logId !== null) await publishEvent(tx, { topic: "call-log", id: logId, audience });
  if (leadId === null) {
    if (result === "answered")
      await settleMissed(tx, { leadId, fromNumber: call.fromNumber }, call.startedAt);
    return;
  }
  if (result === "answered") {
    await settleMissed(tx, { leadId }, call.startedAt);
    await applyOutcomeToLead(tx, {
      leadId,
      userId: null,
      outcome: "answered",
      before: null,
      number: null,
      at: call.endedAt,
    });
  } else if (call.settledAt === null && (await reachedSince(tx, { leadId, since: call.startedAt }))) {
    await updateInbound(tx, call.id, { settledAt: new Date() });
  }
  if (endedNow) {
    const data = { inboundCallId: call.id, direction: "inbound", result, talkSeconds: call.durationSeconds };
    await recordLeadEvent(tx, { leadId, userId: call.takenBy, kind: "call-ended", data });
  }
  await publishEvent(tx, { topic: "lead", id: leadId, audience });
}

/**
 * Joins what was reported with what is known of a locked inbound call, and writes all that follows in the same transaction: stage,
 * result, log, timeline and the notifications. Order and repetition of events make no difference.
 */
export async function applyInbound(
  tx: Tx,
  call: InboundRow,
  reported: Partial<InboundFacts>,
): Promise<InboundRow> {
  const known = factsOf(call);
  const facts = mergeInbound(known, reported);
  if (isDeepStrictEqual(known, facts)) return updateInbound(tx, call.id, {});
  const view = deriveInbound(facts);
  const now = new Date();
  const row = await updateInbound(tx, call.id, {
    facts: { ...facts },
    ...view,
    // On the office line it is whoever said so: by making the caller a lead, or by what they said of the call.
    takenBy: facts.taken === "rep" ? rungOf(call) : call.takenBy,
    answeredAt: call.answeredAt ?? (facts.taken ? now : null),
    endedAt: call.endedAt ?? (view.stage === "ended" ? now : null),
  });
  await publishEvent(tx, { topic: "inbound-call", id: call.id, audience: listeners(call) });
  if (row.stage === "ended") await finish(tx, row, facts, call.stage !== "ended");
  return row;
}

/** A message that a caller left: its recording proves it, whatever else was lost. */
export async function applyVoicemail(
  tx: Tx,
  input: { inboundCallId: number; durationSeconds: number },
): Promise<void> {
  const call = await lockInbound(tx, { id: input.inboundCallId });
  if (call) await applyInbound(tx, call, { asked: "voicemail", voicemailSeconds: input.durationSeconds });
}

/** Keeps what the provider understood of a message, or that it understood nothing (null); the first text stays. */
export async function saveTranscription(
  tx: Tx,
  input: { inboundCallId: number; text: string | null },
): Promise<boolean> {
  const call = await lockInbound(tx, { id: input.inboundCallId });
  if (!call) return false;
  if (call.transcription !== null) return true;
  const { text } = input;
  await updateInbound(
    tx,
    call.id,
    text === null
      ? { noTranscription: call.noTranscription ?? "not_understood" }
      : { transcription: text, noTranscription: null },
  );
  const audience = listeners(call);
  await publishEvent(tx, { topic: "inbound-call", id: call.id, audience });
  if (call.leadId !== null) await publishEvent(tx, { topic: "lead", id: call.leadId, audience });
  return true;
}
