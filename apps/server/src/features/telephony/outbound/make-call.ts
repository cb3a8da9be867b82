import { setTimeout as sleep } from "node:timers/promises";
import { toE164 } from "../../../domain/phone.ts";
import { type Tx, violatedConstraint } from "../../../platform/db/client.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import { waitForEvent } from "../../../platform/realtime/listener.ts";
import { audienceOf, publishEvent } from "../../../platform/realtime/publish.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { LegEvent, Telephony } from "../../../ports/telephony.ts";
import { noteTrace } from "../../../ports/tracer.ts";
import { recordAudit } from "../../activity/service.ts";
import { endAbsence } from "../../availability/service.ts";
import { findFurtherNumbers } from "../../contact-policy/repository.ts";
import {
  type ContactRequest,
  checkOverride,
  mayContact,
  recordRefusal,
  refreshOldFacts,
  refuseContact,
} from "../../contact-policy/service.ts";
import { lockLead } from "../../leads/service.ts";
import { actsOnAnyLead } from "../policy.ts";
import type { CallsContext } from "../types.ts";
import { findLiveLine, type LineRow } from "./line-repository.ts";
import {
  type CallRow,
  claimCall,
  claimSlot,
  findCall,
  findLiveCall,
  findRepPhone,
  insertCall,
  isLeavingMessage,
  lockCall,
} from "./repository.ts";
import { callbackUrls, endAtProvider, paceOf, requireTelephony } from "./service.ts";

import { applyFacts } from "./update-call.ts";

export interface CallRequest {
  actor: AuthSession;
  leadId: number;
  /** The number shown in the browser; the call is refused if it is no longer a number of the lead. */
  to: string | null;
  /** An administrator's reason to override the contact policy. */
  overrideReason?: string | undefined;
  /** Leave the consultant's recorded message automatically when a voicemail answers. */
  leaveMessage?: boolean;
  /** Rows to write in the call's transaction; used by dialer sessions. */
  together?: CallCompanion;
  /** Facts about the lead that the caller has read just now. */
  facts?: ContactRequest["facts"];
  /** True when the consultant's open line requests its next call: the provider learns of the call by the response to that request. */
  asks?: { lineId: number };
}

/** Rows that are written in a call's transaction, which may be retried. */
export interface CallCompanion {
  /** Runs first; an error refuses the call. */
  claim(tx: Tx): Promise<void>;
  /** Runs with the new call's row, or with this person's live call to the same lead. */
  requested(tx: Tx, callId: number): Promise<void>;
}

/** A call that would have to wait longer than this for its turn is refused. */
const paceWaitMs = 30_000;
/** How long a repeated request waits for the result of the first one, after the call's turn. */
const answerWaitMs = 12_000;
const liveKeys = new Set(["calls_live_user_key", "calls_live_lead_key", "calls_live_number_key"]);

/**
 * The number to ring: the lead's main one, or the further one that the browser showed. Errors: `lead_without_phone`, `contact_refused`,
 * `number_changed`.
 */
async function requestedNumber(
  tx: Tx,
  lead: { id: number; phone: string | null; phoneE164: string | null },
  { to, country }: { to: string | undefined; country: "US" | "ES" },
): Promise<string> {
  const shown = to ? toE164(to, country) : null;
  const isMain = !to || to === lead.phone?.trim() || (shown !== null && shown === lead.phoneE164);
  if (!isMain && shown !== null && (await findFurtherNumbers(tx, lead.id)).includes(shown)) return shown;
  if (!lead.phoneE164)
    return refuseContact({ reason: lead.phone?.trim() ? "invalid_phone" : "no_phone" }, "call");
  if (isMain) return lead.phoneE164;
  throw new AppError(
    "number_changed",
    "The lead's phone number has changed. Look at the new one, then call again.",
  );
}

/**
 * The phone to ring first: the consultant's own, otherwise the office line; null if there is neither. The caller id itself is excluded,
 * because a call from it to itself rings nobody.
 */
function repPhone(input: {
  personal: string | null;
  officeLine: string | null;
  callerId: string;
}): { number: string; line: CallRow["repLine"] } | null {
  if (input.personal && input.personal !== input.callerId)
    return { number: input.personal, line: "personal" };
  if (input.officeLine && input.officeLine !== input.callerId)
    return { number: input.officeLine, line: "office" };
  return null;
}

/** The phone that is rung first for a consultant. Errors: `rep_without_phone`. */
export async function requestedPhone(
  tx: Tx,
  context: Pick<CallsContext, "officeLine">,
  telephony: Pick<Telephony, "callerId">,
  userId: number,
) {
  const personal = await findRepPhone(tx, userId);
  const phone = repPhone({ personal, officeLine: context.officeLine, callerId: telephony.callerId });
  if (phone) return phone;
  throw new AppError(
    "rep_without_phone",
    "There is no phone to ring for you. Set a personal number in Settings.",
  );
}

function officeLineOf(line: "personal" | "office", number: string): string | null {
  return line === "office" ? number : null;
}

async function requestedSlot(tx: Tx, telephony: Telephony) {
  const slot = await claimSlot(tx, { ...paceOf(telephony), maxWaitMs: paceWaitMs });
  if (slot) return slot;
  throw new AppError(
    "rate_limited",
    "Too many calls are waiting to be dialled. Try again in half a minute.",
    {
      retryAfterSeconds: paceWaitMs / 1000,
    },
  );
}

/**
 * The open line to which the lead is joined instead of ringing the consultant, or null without one. Errors: `rep_on_call` while it rings them or is
 * being hung up.
 */
async function requestedLine(tx: Tx, { actor, asks }: CallRequest): Promise<LineRow | null> {
  const line = await findLiveLine(tx, actor.userId);
  const stands = line?.state === "open" && line.endRequestedAt === null;
  if (asks && line?.id !== asks.lineId) throw new AppError("call_not_live", "The line has ended.");
  if (line && !stands) refuseContact({ reason: "rep_on_call" }, "call");
  return line ?? null;
}

/** Checks everything and inserts the call row; nothing is dialed yet. Returns a live call between the same two if there is one. */
async function requestCall(context: CallsContext, telephony: Telephony, request: CallRequest) {
  const { actor, leadId, to } = request;
  const override = checkOverride(actor, request.overrideReason);
  return context.database.transaction(async (tx) => {
    await request.together?.claim(tx);
    const lead = await lockLead(tx, actor, leadId);
    const live = await findLiveCall(tx, actor.userId);
    if (live?.leadId === leadId) {
      await request.together?.requested(tx, live.id);
      const waitMs = Math.max(0, (live.dialsAt?.getTime() ?? 0) - Date.now());
      return { callId: live.id, waitMs, made: false, officeLine: officeLineOf(live.repLine, live.repNumber) };
    }
    const number = await requestedNumber(tx, lead, { to: to?.trim(), country: context.defaultCountry });
    const line = await requestedLine(tx, request);
    const phone = line
      ? { number: line.repNumber, line: line.repLine }
      : await requestedPhone(tx, context, telephony, actor.userId);
    const answer = await mayContact(tx, {
      leadId,
      userId: actor.userId,
      channel: "call",
      number: number === lead.phoneE164 ? undefined : number,
      rules: context.contactPolicy,
      override,
      facts: request.facts,
    });
    if (!answer.allowed) refuseContact(answer, "call");
    if (await isLeavingMessage(tx, number)) refuseContact({ reason: "lead_on_call" }, "call");

    // A lead who joins an open line does not count toward the account's pace, because no request is made to the provider.
    const slot = line ? null : await requestedSlot(tx, telephony);
    const callId = await insertCall(tx, {
      leadId,
      userId: actor.userId,
      anyLead: actsOnAnyLead(actor),
      repNumber: phone.number,
      repLine: phone.line,
      leadNumber: number,
      callerNumber: telephony.callerId,
      overridden: override !== undefined,
      leaveMessage: request.leaveMessage === true,
      dialsAt: slot?.at ?? null,
      lineId: line?.id ?? null,
    });
    if (callId === undefined) throw new AppError("not_your_lead");
    await request.together?.requested(tx, callId);
    // A manual call ends the consultant's absence; the calls of a session need not, because its start did.
    if (!request.together) await endAbsence(tx, actor.userId);
    await recordAudit(tx, {
      userId: actor.userId,
      action: "call-request",
      subject: `lead:${leadId}`,
      data: { callId, line: phone.line },
    });
    const audience = audienceOf(actor.userId, lead.assignedTo);
    await publishEvent(tx, { topic: "call", id: callId, audience });
    await publishEvent(tx, { topic: "lead", id: leadId, audience });
    const officeLine = officeLineOf(phone.line, phone.number);
    return { callId, waitMs: slot?.waitMs ?? 0, made: line === null, officeLine };
  });
}

/** Unique indexes settle two simultaneous requests: the second one finds the call of the first. */
async function requestOnce(context: CallsContext, telephony: Telephony, request: CallRequest) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await requestCall(context, telephony, request);
    } catch (error) {
      const lost = violatedConstraint(error);
      if (!lost || !liveKeys.has(lost)) throw error;
      const reason = lost === "calls_live_user_key" ? "rep_on_call" : "lead_on_call";
      if (attempt === 3) refuseContact({ reason }, "call");
    }
  }
}

/** Waits until the request that created the call has the provider's response. */
async function awaitPlaced(context: CallsContext, callId: number, waitMs: number): Promise<string> {
  const sid = await waitForEvent({
    events: context.events,
    concerns: ({ topic, id }) => topic === "call" && id === callId,
    timeoutMs: waitMs + answerWaitMs,
    look: async () => {
      const call = await findCall(context.database.db, callId);
      return call ? placedSid(call) : null;
    },
  });
  if (sid) return sid;
  throw new AppError(
    "provider_unavailable",
    "Your call is being placed. Wait a moment and do not call again.",
  );
}

/** Checks everything and writes the call's row, on what is known of the lead now. Errors: see the contract's `makeCall`. */
export async function writeCall(
  context: CallsContext,
  request: CallRequest,
): Promise<{
  callId: number;
  /** Wait until the call's turn at the account's pace, in ms. */
  waitMs: number;
  /** Whether the provider must be called; false if it was already, or if an open line requests the call itself. */
  made: boolean;
  officeLine: string | null;
}> {
  const telephony = requireTelephony(context);
  const { actor, leadId, together } = request;
  const { readLeadAgain } = context;
  const attempt = (facts?: CallRequest["facts"]) => requestOnce(context, telephony, { ...request, facts });
  const requested = readLeadAgain
    ? attempt("ask").catch(async (error: unknown) =>
        attempt(await refreshOldFacts(readLeadAgain, leadId, error)),
      )
    : attempt();
  const by = together ? "dialer" : "person";
  return requested.catch((error: unknown) =>
    recordRefusal(context, { userId: actor.userId, leadId, channel: "call", by }, error),
  );
}

/**
 * Rings the consultant, then the lead; if the consultant has an open line, the lead is connected to it. The row is committed before the
 * provider is called, and no connection is held meanwhile. Errors: see the contract's `makeCall`.
 */
export async function makeCall(
  context: CallsContext,
  request: CallRequest,
): Promise<{ callSid: string; callId: number; officeLine: string | null }> {
  const telephony = requireTelephony(context);
  const { callId, waitMs, made, officeLine } = await writeCall(context, request);
  if (!made) return { callId, officeLine, callSid: await awaitPlaced(context, callId, waitMs) };
  if (waitMs > 0) await sleep(waitMs);
  return { callId, officeLine, callSid: await placeCall(context, telephony, callId) };
}

const checking =
  "The telephony provider did not answer. We are checking whether the call was placed: wait a moment and do not call again.";

/** The provider's id of a call; null while it is not known. Errors: what ended the call before it had one. */
function placedSid(call: CallRow): string | null {
  if (call.callSid) return call.callSid;
  if (call.state !== "ended") return null;
  if (call.result === "failed") {
    throw new AppError("provider_refused", call.failure ?? "The call could not be placed.");
  }
  throw new AppError("call_not_live", "The call was ended before it was dialled.");
}

async function settle(
  context: CallsContext,
  callId: number,
  apply: (call: CallRow) => Parameters<typeof applyFacts>[2],
  more: Parameters<typeof applyFacts>[3] = {},
): Promise<CallRow> {
  return context.database.transaction(async (tx) => {
    const call = await lockCall(tx, { id: callId });
    if (!call) throw new AppError("not_found", "This call does not exist.");
    return applyFacts(tx, call, apply(call), more);
  });
}

/** Refuses a call that ended while it waited, or whose lead opted out or changed the number. */
async function withdraw(context: CallsContext, callId: number): Promise<never> {
  const failure = "The lead may no longer be called at this number.";
  const ended = await settle(
    context,
    callId,
    (call) => ({ repLeg: call.endRequestedAt ? "canceled" : "refused" }),
    { failure },
  );
  placedSid(ended);
  throw new AppError("call_not_live", "The call was ended before it was dialled.");
}

function refusal(error: ProviderError): AppError {
  const passing = error.kind === "unavailable" || error.kind === "rate-limited";
  const seconds = error.retryAfterSeconds;
  return new AppError(
    passing ? "provider_unavailable" : "provider_refused",
    error.message,
    seconds ? { retryAfterSeconds: seconds } : {},
  );
}

async function onFailure(context: CallsContext, callId: number, error: unknown): Promise<never> {
  if (!(error instanceof ProviderError)) throw error;
  const { kind, providerCode, ambiguous } = error;
  // The vendor's text may contain phone numbers, so it is not logged.
  context.log.warn({ callId, kind, providerCode, ambiguous }, "call not placed");
  // The call may have been placed although the request failed: the row stays live until the provider is asked again.
  if (ambiguous) throw new AppError("provider_unavailable", checking);
  await settle(context, callId, () => ({ repLeg: "refused" }), { failure: error.message });
  throw refusal(error);
}

/**
 * Asks the provider once to place a committed call. Returns the sid of the consultant's leg. Errors: `provider_refused`,
 * `provider_unavailable`, `call_not_live`.
 */
async function placeCall(context: CallsContext, telephony: Telephony, callId: number): Promise<string> {
  noteTrace({ "portal.call_id": callId });
  if (!(await claimCall(context.database.db, callId))) return withdraw(context, callId);
  const call = await findCall(context.database.db, callId);
  if (!call) throw new AppError("not_found", "This call does not exist.");
  let leg: LegEvent;
  try {
    leg = await telephony.placeCall({ to: call.repNumber, urls: callbackUrls(context.publicUrl, callId) });
  } catch (error) {
    return onFailure(context, callId, error);
  }
  const placed = await settle(context, callId, () => ({ repLeg: leg.status }), { callSid: leg.sid });
  if (placed.endRequestedAt && placed.state !== "ended") {
    await endAtProvider(context, telephony, { id: callId, callSid: leg.sid });
  }
  return leg.sid;
}
