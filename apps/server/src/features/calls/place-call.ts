import { AppError } from "../../http/app-error.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import type { LegNews, Telephony } from "../../ports/telephony.ts";
import { applyFacts } from "./apply-facts.ts";
import { type CallRow, claimCall, findCall, lockCall } from "./data.ts";
import { endAtProvider } from "./end-call.ts";
import { type CallsContext, callbackUrls } from "./service.ts";

const checking =
  "The telephony provider did not answer. We are checking whether the call was placed: wait a moment and do not call again.";

/** The provider's id of a call; null while it is not known. Errors: what ended the call before it had one. */
export function placedSid(call: CallRow): string | null {
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

/** The call may no longer be dialled: ended while it waited, or the lead opted out or got another number. */
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
  // The vendor's own text may hold numbers: it stays out of the log.
  context.log.warn({ callId, kind, providerCode, ambiguous }, "call not placed");
  // It may have been placed all the same: the row stays live until the provider is asked again.
  if (ambiguous) throw new AppError("provider_unavailable", checking);
  await settle(context, callId, () => ({ repLeg: "refused" }), { failure: error.message });
  throw refusal(error);
}

/**
 * Asks the provider for a call whose row is committed, once. Answers the provider's id of the rep's leg.
 * Errors: `provider_refused`, `provider_unavailable`, `call_not_live`.
 */
export async function placeCall(
  context: CallsContext,
  telephony: Telephony,
  callId: number,
): Promise<string> {
  if (!(await claimCall(context.database.db, callId))) return withdraw(context, callId);
  const call = await findCall(context.database.db, callId);
  if (!call) throw new AppError("not_found", "This call does not exist.");
  let leg: LegNews;
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
