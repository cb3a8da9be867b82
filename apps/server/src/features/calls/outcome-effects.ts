import type { Tx } from "../../db/client.ts";
import { recordLeadEvent } from "../timeline/service.ts";
import { liftOptOut, markContacted, type OutcomeOptOut, optOutOfCalls } from "./data-leads.ts";
import type { LoggedOutcome } from "./data-logs.ts";

function optOutOf(outcome: LoggedOutcome | null): OutcomeOptOut | null {
  return outcome === "wrong_number" || outcome === "disconnected" ? outcome : null;
}

/**
 * What an outcome means for the lead: reached (last contact, 'new' becomes 'contacted'), or a number that must not be called
 * again; the latter is lifted where the outcome that said so is replaced. Answers whether the lead changed.
 */
export async function applyOutcomeToLead(
  tx: Tx,
  input: {
    leadId: number;
    /** Who says so; null for the provider. */
    userId: number | null;
    outcome: LoggedOutcome | null;
    /** The rep's outcome that this one replaces. */
    before: LoggedOutcome | null;
    /** The number that was called, where it is known. */
    number: string | null;
    at: Date | null;
  },
): Promise<boolean> {
  const { leadId, userId, outcome } = input;
  const optOut = optOutOf(outcome);
  const lifted = optOutOf(input.before);
  let changed = false;

  if (lifted && !optOut && (await liftOptOut(tx, { leadId, reason: lifted }))) {
    changed = true;
    const data = { field: "callOptOut", before: lifted, after: null };
    await recordLeadEvent(tx, { leadId, userId, kind: "changed", data });
  }
  if (optOut && (await optOutOfCalls(tx, { leadId, number: input.number, reason: optOut }))) {
    changed = true;
    await recordLeadEvent(tx, {
      leadId,
      userId,
      kind: "opted-out",
      data: { channel: "call", reason: optOut },
    });
  }
  if (outcome === "answered" || outcome === "voicemail") {
    const status = await markContacted(tx, { leadId, at: input.at ?? new Date() });
    if (status) changed = true;
    if (status && status.before !== status.after) {
      await recordLeadEvent(tx, { leadId, userId, kind: "changed", data: { field: "status", ...status } });
    }
  }
  return changed;
}
