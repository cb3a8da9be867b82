import type { Tx } from "../../../platform/db/client.ts";
import { audienceOf, publishEvent } from "../../../platform/realtime/publish.ts";
import { recordLeadEvent, recordLeadEvents } from "../../activity/service.ts";
import { queueCrmChange } from "../../crm-outbox/service.ts";
import {
  clearNumberFault,
  markContacted,
  type NumberFault,
  proveNumber,
  setNumberFault,
} from "./lead-repository.ts";
import type { LoggedOutcome } from "./log-repository.ts";

function faultOf(outcome: LoggedOutcome | null): NumberFault | null {
  return outcome === "wrong_number" || outcome === "disconnected" ? outcome : null;
}

/** The consultant talked to the lead at this number, so its fault is removed for every lead with the number. */
async function liftFaults(
  tx: Tx,
  input: { leadId: number; userId: number | null; number: string | null },
): Promise<boolean> {
  const proven = await proveNumber(tx, input);
  await recordLeadEvents(
    tx,
    proven.map(({ id, before }) => ({
      leadId: id,
      userId: input.userId,
      kind: "changed",
      data: { field: "numberFault", before, after: null },
    })),
  );
  for (const { id, assignedTo } of proven)
    await publishEvent(tx, { topic: "lead", id, audience: audienceOf(assignedTo) });
  return proven.length > 0;
}

/**
 * Applies an outcome to the lead: contacted (last contact, 'new' becomes 'contacted'), or a number that must not be called again. A fault
 * is removed if the outcome that set it is replaced. Returns whether the lead changed.
 */
export async function applyOutcomeToLead(
  tx: Tx,
  input: {
    leadId: number;
    /** The user who gave the outcome; null for the provider. */
    userId: number | null;
    outcome: LoggedOutcome | null;
    /** The consultant's outcome that this one replaces. */
    before: LoggedOutcome | null;
    /** The called number, or null if unknown. */
    number: string | null;
    at: Date | null;
  },
): Promise<boolean> {
  const { leadId, userId, outcome } = input;
  const fault = faultOf(outcome);
  const lifted = faultOf(input.before);
  let changed = false;

  if (lifted && !fault && (await clearNumberFault(tx, { leadId, number: input.number, fault: lifted }))) {
    changed = true;
    const data = { field: "numberFault", before: lifted, after: null };
    await recordLeadEvent(tx, { leadId, userId, kind: "changed", data });
  }
  if (outcome === "answered" && userId !== null && (await liftFaults(tx, input))) changed = true;
  if (fault && (await setNumberFault(tx, { leadId, number: input.number, fault }))) {
    changed = true;
    await recordLeadEvent(tx, {
      leadId,
      userId,
      kind: "opted-out",
      data: { channel: "call", reason: fault },
    });
  }
  if (outcome === "answered" || outcome === "voicemail") {
    const status = await markContacted(tx, { leadId, at: input.at ?? new Date() });
    if (status) changed = true;
    if (status && status.before !== status.after) {
      await recordLeadEvent(tx, { leadId, userId, kind: "changed", data: { field: "status", ...status } });
      await queueCrmChange(tx, null, { leadId, userId, field: "status", value: status.after });
    }
  }
  return changed;
}
