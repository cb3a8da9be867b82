import { setTimeout as sleep } from "node:timers/promises";
import { type Tx, violatedConstraint } from "../../db/client.ts";
import { audienceOf, publishEvent } from "../../events/publish.ts";
import { waitForEvent } from "../../events/wait-for-event.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import type { Telephony } from "../../ports/telephony.ts";
import { toE164 } from "../../values/phone.ts";
import { recordAudit } from "../audit/service.ts";
import { keepingRefusal } from "../gate/keep-refusal.ts";
import { checkOverride, mayContact, refuseContact } from "../gate/service.ts";
import { lockLead } from "../leads/service.ts";
import { findCall, findLiveCall, insertCall, takeSlot } from "./data.ts";
import { findRepPhone } from "./data-leads.ts";
import { placeCall, placedSid } from "./place-call.ts";
import { actsOnAnyLead, repPhone } from "./policy.ts";
import { type CallsContext, paceOf, requireTelephony } from "./service.ts";

export interface CallRequest {
  actor: Session;
  leadId: number;
  /** The number that the browser shows; a lead whose number has changed meanwhile is not called. */
  to: string | null;
  /** An administrator's reason to call although the gate says no. */
  overrideReason?: string | undefined;
  /** What is written together with the call's row: the auto-dialer's sessions do. */
  together?: CallCompanion;
}

/** Rows that come into being with a call, in its transaction; the transaction may be tried again. */
export interface CallCompanion {
  /** First of all. An error refuses the call. */
  claim(tx: Tx): Promise<void>;
  /** The call has its row; or this person's live call to the lead is the one. */
  requested(tx: Tx, callId: number): Promise<void>;
}

/** A call whose turn would come later than this is refused instead. */
const paceWaitMs = 30_000;
/** How long a repeated request waits for the first one's answer, beyond the call's turn. */
const answerWaitMs = 12_000;
const liveKeys = new Set(["calls_live_user_key", "calls_live_lead_key", "calls_live_number_key"]);

function checkNumber(
  lead: { phone: string | null; phoneE164: string | null },
  to: string,
  country: "US" | "ES",
) {
  const same = toE164(to, country) === lead.phoneE164 || to.trim() === lead.phone?.trim();
  if (!same) {
    throw new AppError(
      "number_changed",
      "The lead's phone number has changed. Look at the new one, then call again.",
    );
  }
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

async function requestedSlot(tx: Tx, telephony: Telephony) {
  const slot = await takeSlot(tx, { ...paceOf(telephony), maxWaitMs: paceWaitMs });
  if (slot) return slot;
  throw new AppError(
    "rate_limited",
    "Too many calls are waiting to be dialled. Try again in half a minute.",
    {
      retryAfterSeconds: paceWaitMs / 1000,
    },
  );
}

/** Checks everything and writes the call row; nothing has been dialled yet. A live call of the same two is answered as it is. */
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
      return { callId: live.id, waitMs, made: false };
    }
    if (!lead.phoneE164) refuseContact({ reason: lead.phone?.trim() ? "invalid_phone" : "no_phone" }, "call");
    if (to?.trim()) checkNumber(lead, to, context.defaultCountry);
    const phone = await requestedPhone(tx, context, telephony, actor.userId);
    const answer = await mayContact(tx, {
      leadId,
      userId: actor.userId,
      channel: "call",
      rules: context.gate,
      override,
    });
    if (!answer.allowed) refuseContact(answer, "call");

    const slot = await requestedSlot(tx, telephony);
    const callId = await insertCall(tx, {
      leadId,
      userId: actor.userId,
      anyLead: actsOnAnyLead(actor),
      repNumber: phone.number,
      repLine: phone.line,
      leadNumber: lead.phoneE164,
      overridesOptOut: override !== undefined,
      dialsAt: slot.at,
    });
    if (callId === undefined) throw new AppError("not_your_lead");
    await request.together?.requested(tx, callId);
    await recordAudit(tx, {
      userId: actor.userId,
      action: "call-request",
      subject: `lead:${leadId}`,
      data: { callId, line: phone.line },
    });
    const audience = audienceOf(actor.userId, lead.assignedTo);
    await publishEvent(tx, { topic: "call", id: callId, audience });
    await publishEvent(tx, { topic: "lead", id: leadId, audience });
    return { callId, waitMs: slot.waitMs, made: true };
  });
}

/** The unique indexes decide between two requests of the same moment: who comes second finds the first one's call. */
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

/** Waits until the request that made the call has the provider's answer. */
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

/**
 * Rings the consultant, then the lead. The row is committed before the provider is asked, and no connection is held meanwhile.
 * Errors: see the contract's `makeCall`.
 */
export async function makeCall(
  context: CallsContext,
  request: CallRequest,
): Promise<{ callSid: string; callId: number }> {
  const telephony = requireTelephony(context);
  const { actor, leadId, together } = request;
  const { callId, waitMs, made } = await keepingRefusal(
    context,
    { userId: actor.userId, leadId, channel: "call", by: together ? "dialer" : "person" },
    () => requestOnce(context, telephony, request),
  );
  if (!made) return { callId, callSid: await awaitPlaced(context, callId, waitMs) };
  if (waitMs > 0) await sleep(waitMs);
  return { callId, callSid: await placeCall(context, telephony, callId) };
}
