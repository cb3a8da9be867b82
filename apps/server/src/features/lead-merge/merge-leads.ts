import type { LeadMerge, MergeChoices } from "@portal/contract/entities/lead-merge";
import { lockLeadIngestion } from "../../platform/db/advisory-locks.ts";
import { type Tx, violatedConstraint } from "../../platform/db/client.ts";
import { leadAliases } from "../../platform/db/schema/leads.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/service.ts";
import { stateRulesOf } from "../contact-policy/decide-contact.ts";
import { findContactFacts } from "../contact-policy/repository.ts";
import { queueCrmChanges } from "../crm-outbox/service.ts";
import { saveLeads } from "../leads/lead-repository.ts";
import {
  aliasOf,
  decideSides,
  type MergeDecision,
  mergedColumns,
  type Pair,
  setAside,
} from "./decide-merge.ts";
import { moveRows } from "./moved-rows-repository.ts";
import {
  addSearch,
  deleteLead,
  findLeadRow,
  findMergeByRef,
  holdLeads,
  insertMerge,
  removeNoted,
  setAfter,
  setCreated,
  storedRow,
  withdrawOpen,
  writeNoted,
} from "./repository.ts";
import {
  checkPair,
  checkTwo,
  differingFields,
  getMerge,
  type MergeContext,
  refuseMerge,
  whyNot,
} from "./service.ts";

interface MergeInput {
  actor: AuthSession;
  leadId: number;
  otherId: number;
  choices: MergeChoices;
  clientRef: string;
}

/** The states whose rules apply to a lead by its number and its addresses, joined with '&'. */
async function statesOf(tx: Tx, leadId: number, userId: number): Promise<string | null> {
  const facts = await findContactFacts(tx, { leadId, userId, channel: "call" });
  if (!facts) return null;
  const { phoneE164, addressState } = facts;
  const states = [
    addressState,
    ...stateRulesOf({ phoneE164, addressState }).map(({ rule }) => rule.names[0]),
  ];
  return [...new Set(states.filter(Boolean))].join("&") || null;
}

/** The markers of CRM runs for the remaining contact stay with the lead; those for the other contact are stored with the merge. */
async function settleNoted(tx: Tx, { kept, other }: Pair, contact: MergeDecision["contact"]) {
  const noted = await removeNoted(tx, [kept.id, other.id]);
  const contactId = contact === "other" ? other.id : kept.id;
  const staying = Object.entries(noted).map(([table, rows]) => [
    table,
    rows.filter((row) => row.lead_id === contactId).map((row) => ({ ...row, lead_id: kept.id })),
  ]);
  await writeNoted(tx, Object.fromEntries(staying));
  return noted;
}

/** Merges two locked leads; returns the merge's id. */
async function mergePair(
  { jobs }: MergeContext,
  tx: Tx,
  {
    pair,
    chosen,
    actor,
    clientRef,
  }: { pair: Pair; chosen: MergeDecision } & Pick<MergeInput, "actor" | "clientRef">,
): Promise<number> {
  const { kept, other } = pair;
  const { userId } = actor;
  const { contact, identity } = chosen;
  const further = identity === "kept" ? other : kept;
  const addressState = await statesOf(tx, further.id, userId);
  const rows = { before: await storedRow(tx, kept.id), other: await storedRow(tx, other.id) };
  const noted = await settleNoted(tx, pair, contact);
  // Pending changes for a contact that no longer receives any would reach the wrong one.
  const withdrawn = await withdrawOpen(tx, contact === "other" ? kept.id : other.id);
  const moved = await moveRows(tx, { from: other.id, to: kept.id });
  await deleteLead(tx, other.id);

  const changes = mergedColumns(pair, chosen);
  const { name, phone, email } = other;
  const data = { leadId: other.id, name, phone, email, setAside: setAside(pair, chosen) };
  const leadId = kept.id;
  await saveLeads(tx, [{ leadId, userId, changes, events: [{ kind: "merged", data }] }]);
  await setCreated(tx, leadId, kept.createdAt < other.createdAt ? kept.createdAt : other.createdAt);
  const mergeId = await insertMerge(tx, {
    ...{ leadId, otherId: other.id, clientRef, mergedBy: userId, identity },
    ...{ ...rows, after: {}, moved, withdrawn, noted },
  });
  const alias = aliasOf(pair, chosen);
  await tx.insert(leadAliases).values({ ...alias, mergeId, leadId, addressState });
  await addSearch(tx, leadId, alias.search);
  if (contact) {
    const merged = await findLeadRow(tx, leadId);
    if (merged) await queueCrmChanges(tx, jobs, { leadId, userId }, differingFields(pair[contact], merged));
  }
  await setAfter(tx, mergeId, await storedRow(tx, leadId));
  return mergeId;
}

async function write(context: MergeContext, input: MergeInput): Promise<number> {
  const { actor, leadId, otherId, choices, clientRef } = input;
  return context.database.transaction(async (tx) => {
    // The same lock as for new leads: nobody looks up one of these leads during the merge.
    await lockLeadIngestion(tx);
    const known = await findMergeByRef(tx, clientRef);
    if (known?.mergedBy === actor.userId) return known.id;
    if (known)
      throw new AppError("conflict", "This request was used for another change already. Send it again.");
    checkTwo(leadId, otherId);
    const held = await holdLeads(tx, [leadId, otherId]);
    const pair = checkPair(actor, held.get(leadId), held.get(otherId));
    const refusal = await whyNot(tx, pair);
    if (refusal) refuseMerge(refusal);
    const chosen = decideSides(pair, choices);
    const mergeId = await mergePair(context, tx, { pair, chosen, actor, clientRef });
    const data = { otherId, otherName: pair.other.name, sides: chosen.sides };
    await recordAudit(tx, { userId: actor.userId, action: "leads-merged", subject: `lead:${leadId}`, data });
    await publishMerged(tx, [leadId, otherId], [pair.kept.assignedTo, pair.other.assignedTo, actor.userId]);
    return mergeId;
  });
}

/** Publishes that both leads, and everything shown with them, have changed. */
export async function publishMerged(tx: Tx, leadIds: number[], people: (number | null)[]): Promise<void> {
  const audience = audienceOf(...people);
  for (const id of leadIds) await publishEvent(tx, { topic: "lead", id, audience });
  for (const topic of ["call-log", "sms", "meeting", "recording", "lead-merge"] as const)
    await publishEvent(tx, { topic, id: 0, audience });
}

/**
 * Merges a lead into another, once for each reference. Locks both; fails if anything is in progress with either. Errors: `not_found`,
 * `not_your_lead`, `invalid`, `conflict`, `merge_refused`.
 */
export async function mergeLeads(context: MergeContext, input: MergeInput): Promise<LeadMerge> {
  const mergeId = await write(context, input).catch((error: unknown) => {
    if (violatedConstraint(error) !== "lead_merges_client_ref_unique") throw error;
    return write(context, input);
  });
  return getMerge(context.database.db, input.actor, mergeId);
}
