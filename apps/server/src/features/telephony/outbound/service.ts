import { type Call, savedOutcomes } from "@portal/contract/entities/call";
import { findOwn } from "../../../domain/lost-request.ts";
import type { Tx } from "../../../platform/db/client.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import type { CallbackUrls, ProviderLeg, Telephony } from "../../../ports/telephony.ts";
import { currentTrace } from "../../../ports/tracer.ts";
import { recordAudit } from "../../activity/service.ts";
import { ownsCall } from "../policy.ts";
import { type CallsContext, providerRetries } from "../types.ts";
import { presentMessage } from "../voicemail-messages/service.ts";
import { knownSids, type LineRow } from "./line-repository.ts";
import { type AnswerFact, isDialled } from "./machine.ts";
import {
  type CallRow,
  type CallViewRow,
  findCallView,
  findLiveCallView,
  findRivals,
  lockCall,
  returnSlot,
  setEndRequested,
} from "./repository.ts";
import { applyFacts } from "./update-call.ts";

/** Callback URLs of a call; each contains the call's id and, if there is one, the trace it belongs to. */
export function callbackUrls(publicUrl: string, callId: number): CallbackUrls {
  const trace = currentTrace();
  const query = `?call=${callId}${trace === null ? "" : `&trace=${trace}`}${providerRetries}`;
  const url = (path: string) => `${publicUrl}/api/twilio/voice/${path}${query}`;
  return {
    answered: url("answered"),
    confirm: url("confirm"),
    dialDone: url("dial-done"),
    repStatus: url("rep-status"),
    leadStatus: url("lead-status"),
    detection: url("detection"),
    notice: url("notice"),
    recording: `${publicUrl}/api/twilio/recording-status${query}`,
  };
}

/** The account's rate of new calls, shared by all processes. */
export function paceOf(telephony: Telephony): { name: string; intervalMs: number } {
  return { name: "twilio-calls", intervalMs: 1000 / telephony.callsPerSecond };
}

/** Returns the telephony provider. Errors: `provider_off`. */
export function requireTelephony(context: CallsContext): Telephony {
  if (context.telephony) return context.telephony;
  throw new AppError("provider_off", "Calls are off: no telephony provider is configured.");
}

/** Presents a call to the user who made it, or to an administrator. Errors: `not_found`, `forbidden`. */
export async function getCall(
  context: Pick<CallsContext, "database" | "noticeMarket">,
  input: { actor: AuthSession; callId: number },
): Promise<Call> {
  const { db } = context.database;
  const view = await findCallView(db, input.callId);
  if (!view) throw new AppError("not_found", "This call does not exist.");
  if (input.actor.role !== "admin" && view.userId !== input.actor.userId) {
    throw new AppError("forbidden", "This call was made by another consultant.");
  }
  return presentCall(view, await presentMessage(db, context, view));
}

/** The actor's own live call, or null. */
export async function getLiveCall(
  context: Pick<CallsContext, "database" | "noticeMarket">,
  actor: AuthSession,
): Promise<Call | null> {
  const { db } = context.database;
  const view = await findLiveCallView(db, actor.userId);
  return view ? presentCall(view, await presentMessage(db, context, view)) : null;
}

const iso = (instant: Date | null) => instant?.toISOString() ?? null;

const answerers: Record<AnswerFact, Call["answeredBy"]> = {
  unasked: "not_asked",
  human: "person",
  machine: "machine",
  fax: "unknown",
  unknown: "unknown",
};

/** Presents a call. */
function presentCall(row: CallViewRow, message: Call["message"], now = new Date()): Call {
  const waits =
    row.state === "requested" && row.askedAt === null && row.dialsAt !== null && row.dialsAt > now;
  return {
    id: row.id,
    leadId: row.leadId,
    leadName: row.leadName,
    leadCompany: row.leadCompany,
    leadPhone: row.leadNumber,
    callSid: row.callSid,
    onLine: row.lineId !== null,
    state: row.state,
    result: row.result,
    repLine: row.repLine,
    officeLine: row.repLine === "office" ? row.repNumber : null,
    requestedAt: row.requestedAt.toISOString(),
    leadRingingAt: iso(row.leadRingingAt),
    answeredAt: iso(row.answeredAt),
    answeredBy: row.answeredBy === null ? null : answerers[row.answeredBy as AnswerFact],
    endedAt: iso(row.endedAt),
    message,
    ending: row.endRequestedAt !== null && row.state !== "ended",
    talkSeconds: row.durationSeconds,
    dialsAt: waits ? iso(row.dialsAt) : null,
    failure: row.failure,
    callLogId: row.callLogId,
    givenOutcome: savedOutcomes.find((outcome) => outcome === row.givenOutcome) ?? null,
    now: now.toISOString(),
  };
}

/**
 * Finds the consultant's leg of a call or open line whose request had its answer lost; null if the provider knows of none. Consultants
 * without a number share the office line, so other pending or lost requests to it are taken into account. Errors: `ProviderError`.
 */
export async function matchLostLeg(
  { database: { db } }: Pick<CallsContext, "database">,
  telephony: Telephony,
  asked: { call: CallRow } | { line: LineRow },
): Promise<ProviderLeg | null> {
  const { repNumber, askedAt, callId, lineId } =
    "call" in asked
      ? {
          ...asked.call,
          askedAt: asked.call.askedAt ?? asked.call.requestedAt,
          callId: asked.call.id,
          lineId: null,
        }
      : {
          ...asked.line,
          askedAt: asked.line.askedAt ?? asked.line.startedAt,
          callId: null,
          lineId: asked.line.id,
        };
  const made = await telephony.findCallsTo({ to: repNumber, since: askedAt });
  const known = await knownSids(
    db,
    made.map(({ sid }) => sid),
  );
  return findOwn(made, { askedAt, known, rivals: await findRivals(db, { repNumber, callId, lineId }) });
}

/** Ends a call with all its legs at the provider, and stores the state that it reports. Errors: `ProviderError`. */
export async function endAtProvider(
  context: CallsContext,
  telephony: Telephony,
  call: { id: number; callSid: string },
): Promise<void> {
  const leg = await telephony.endCall(call.callSid);
  await context.database.transaction(async (tx) => {
    const locked = await lockCall(tx, { id: call.id });
    // On an open line only the lead's leg ends.
    const side = locked?.lineId == null ? "repLeg" : "leadLeg";
    if (locked) await applyFacts(tx, locked, { [side]: leg.status }, { at: leg.at });
  });
}

/** Prevents the lead from being dialed, regardless of later responses or key presses, and a pending call from being requested at all. */
async function requestEnd(tx: Tx, call: CallRow): Promise<CallRow> {
  await setEndRequested(tx, call.id);
  await publishEvent(tx, { topic: "call", id: call.id, audience: [call.userId] });
  return applyFacts(tx, call, { endRequested: true, ...(!call.askedAt && { repLeg: "canceled" }) });
}

/**
 * Requests the end of a call that has only the consultant's leg. Returns whether to end it at the provider after the commit (`endCall`);
 * if that fails, the scheduled task for silent calls does it.
 */
export async function withdrawCall(tx: Tx, callId: number): Promise<boolean> {
  const call = await lockCall(tx, { id: callId });
  if (!call || call.state === "ended" || isDialled(call)) return false;
  return (await requestEnd(tx, call)).state !== "ended";
}

/**
 * Ends a live call. A call that is not dialed yet is canceled; one without a sid is ended as soon as the sid is known. A repeated request
 * changes nothing. Errors: `not_found`, `forbidden`, `call_not_live`, `provider_unavailable`.
 */
export async function endCall(
  context: CallsContext,
  { actor, callId }: { actor: AuthSession; callId: number },
): Promise<void> {
  const telephony = requireTelephony(context);
  const call = await context.database.transaction(async (tx) => {
    const known = await lockCall(tx, { id: callId });
    if (!known) throw new AppError("not_found", "This call does not exist.");
    if (!ownsCall(actor, known)) throw new AppError("forbidden", "This call was made by another consultant.");
    if (known.state === "ended" && known.endRequestedAt) return known;
    if (known.state === "ended") throw new AppError("call_not_live", "This call has ended already.");
    if (!known.endRequestedAt) {
      if (!known.askedAt && known.dialsAt) await returnSlot(tx, { ...paceOf(telephony), at: known.dialsAt });
      await recordAudit(tx, {
        userId: actor.userId,
        action: "call-end",
        subject: `call:${callId}`,
        data: {},
      });
    }
    return requestEnd(tx, known);
  });
  if (call.callSid && call.state !== "ended") {
    await endAtProvider(context, telephony, { id: callId, callSid: call.callSid });
  }
}
