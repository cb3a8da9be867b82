import { type Call, savedOutcomes } from "@portal/contract/entities/call";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import type { CallbackUrls, Telephony } from "../../../ports/telephony.ts";
import { currentTrace } from "../../../ports/tracer.ts";
import { type CallsContext, providerRetries } from "../types.ts";
import { presentMessage } from "../voicemail-messages/present.ts";
import type { AnswerFact } from "./machine.ts";
import { type CallViewRow, findCallView, findLiveCallView } from "./repository.ts";

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
