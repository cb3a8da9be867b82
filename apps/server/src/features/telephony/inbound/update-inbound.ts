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

/** The stored facts of a call. */
export function factsOf(call: Pick<InboundRow, "facts">): InboundFacts {
  return { ...noInboundFacts, ...(call.facts as Partial<InboundFacts>) };
}

/** Whose own phone rings or rang for the caller. */
export function rungOf({ rungUserId, ownerId }: Pick<InboundRow, "rungUserId" | "ownerId">): number | null {
  return rungUserId ?? ownerId;
}

/** Saves the log of a call; one that a consultant took waits for their outcome. */
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

/** Who receives events about a call: the users on it or rung for it, and the lead's owner; for an unknown caller everybody. */
export function listeners(call: InboundRow): Audience {
  return call.leadId === null ? "all" : audienceOf(call.ownerId, call.rungUserId, call.takenBy);
}

/** Applies the consequences of a call's end. */
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
 * Merges reported facts into a locked inbound call, and writes the consequences in the same transaction: stage, result, log, timeline and
 * notifications. Order and repetition of events do not matter.
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
    // On the office line the provider does not know who answered: it is the user who created the lead or saved the outcome.
    takenBy: facts.taken === "rep" ? rungOf(call) : call.takenBy,
    answeredAt: call.answeredAt ?? (facts.taken ? now : null),
    endedAt: call.endedAt ?? (view.stage === "ended" ? now : null),
  });
  await publishEvent(tx, { topic: "inbound-call", id: call.id, audience: listeners(call) });
  if (row.stage === "ended") await finish(tx, row, facts, call.stage !== "ended");
  return row;
}

/** A voicemail: its recording proves that there is one, even if other callbacks were lost. */
export async function applyVoicemail(
  tx: Tx,
  input: { inboundCallId: number; durationSeconds: number },
): Promise<void> {
  const call = await lockInbound(tx, { id: input.inboundCallId });
  if (call) await applyInbound(tx, call, { asked: "voicemail", voicemailSeconds: input.durationSeconds });
}

/** Saves the transcription of a voicemail, or that there is none (null); the first text stays. */
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
