import type { LeadStatus } from "@portal/contract/entities/lead";
import type { Tx } from "../../platform/db/client.ts";
import { recordLeadEvent } from "../activity/service.ts";
import type { ContactPolicyRules } from "../contact-policy/decide-contact.ts";
import { queueCrmChange } from "../crm-outbox/service.ts";
import { nextTryOf } from "./policy.ts";
import { findStatusGiven, findTriedLead, lockStatus, retryRulesOf, writeStatus } from "./repository.ts";

interface Answer {
  leadId: number;
  /** Who gave the outcome. */
  userId: number;
  callLogId: number;
  contactPolicy: ContactPolicyRules;
}

/**
 * What a person's outcome means by the retry rules: where it used up the tries and the rule gives a status, the lead gets it; where a
 * corrected outcome used up nothing, the status of before is given back, unless somebody changed it since. Clients stay clients.
 */
export async function applyRetryEnd(tx: Tx, answer: Answer): Promise<void> {
  const { leadId, callLogId, contactPolicy } = answer;
  const status = await lockStatus(tx, leadId);
  const lead = await findTriedLead(tx, answer);
  if (!lead || !status || status === "converted") return;
  const rules = { retry: await retryRulesOf(tx), contact: contactPolicy };
  // A promise says when to call, and keeps no tries from being used up.
  const next = nextTryOf({ lead: { ...lead, followUpAt: null, followUpDate: null }, rules, now: new Date() });
  const wanted = next.kind === "asks" && next.end.kind === "status" ? next.end.status : null;
  const given = await findStatusGiven(tx, { leadId, callLogId });
  const isGiven = given !== undefined && !given.isUndone;
  if (wanted && !isGiven) await give(tx, answer, { before: status, after: wanted });
  if (!wanted && isGiven && given.after === status)
    await give(tx, answer, { before: status, after: given.before, isUndone: true });
}

async function give(
  tx: Tx,
  { leadId, userId, callLogId }: Answer,
  change: { before: string; after: string; isUndone?: boolean },
): Promise<void> {
  if (change.before === change.after) return;
  await writeStatus(tx, { leadId, status: change.after });
  const data = { field: "status", ...change, retryOfLog: callLogId };
  await recordLeadEvent(tx, { leadId, userId, kind: "changed", data });
  await queueCrmChange(tx, null, { leadId, userId, field: "status", value: change.after as LeadStatus });
}
