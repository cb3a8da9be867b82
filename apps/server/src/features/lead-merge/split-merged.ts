import { isDeepStrictEqual } from "node:util";
import type { CrmChangeField } from "@portal/contract/entities/crm";
import type { LeadMerge } from "@portal/contract/entities/lead-merge";
import { limits } from "@portal/contract/limits";
import { searchText } from "../../domain/search-text.ts";
import { lockLeadIngestion } from "../../platform/db/advisory-locks.ts";
import { postgresCode, type Tx } from "../../platform/db/client.ts";
import type { StoredRow } from "../../platform/db/schema/leads.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { recordAudit, recordLeadEvents } from "../activity/service.ts";
import { enqueuePush, queueCrmChanges } from "../crm-outbox/service.ts";
import { isWriter } from "../leads/policy.ts";
import { publishMerged } from "./merge-leads.ts";
import { moveBack, moveByNumber } from "./moved-rows-repository.ts";
import {
  findHolder,
  findLeadRow,
  givenBack,
  handOverOpen,
  hasLaterMerge,
  holdLeads,
  holdMerge,
  insertLeadRow,
  type MergeRow,
  markUndone,
  recountActivity,
  removeAlias,
  removeNoted,
  restoreOpen,
  setColumns,
  storedRow,
  withdrawOpen,
  writeNoted,
} from "./repository.ts";
import { differingFields, getMerge, type MergeContext, pushedFields, refuseMerge } from "./service.ts";

/** Columns that belong to a contact of the CRM; the newest values are kept with the contact. */
const ofContact = [
  ...["email", "phone", "phone_e164", "time_zone", "company", "industry", "deal_value", "lead_source"],
  ...["ghl_contact_id", "crm_updated_at", "crm_deleted_at", "crm_note_id", "crm_sync"],
];
/** Columns that belong to a number. */
const ofNumber = ["call_opt_out", "text_opt_out", "number_fault"];

const pick = (row: StoredRow, names: readonly string[]): StoredRow =>
  Object.fromEntries(names.map((name) => [name, row[name] ?? null]));

/** The notes from before the merge, below text that was added since. */
function formerNotes(now: StoredRow, after: StoredRow, before: StoredRow): unknown {
  const [text, merged] = [now.notes, after.notes];
  if (text === merged) return before.notes;
  if (typeof text !== "string" || typeof merged !== "string" || !text.endsWith(`\n\n${merged}`)) return text;
  const since = text.slice(0, -merged.length - 2);
  return before.notes ? `${since}\n\n${before.notes}` : since;
}

type Alias = { callOptOut: string | null; textOptOut: string | null };

/** Both rows after the undo: their former values, and each later change with the lead it belongs to. */
function formerRows({ before, other, after, identity }: MergeRow, now: StoredRow, alias: Alias) {
  const keptRow: StoredRow = {};
  for (const name of givenBack)
    keptRow[name] = isDeepStrictEqual(now[name], after[name]) ? (before[name] ?? null) : now[name];
  const otherRow: StoredRow = { ...other, crm_hash: null };
  const aliasOptOuts = { call_opt_out: alias.callOptOut, text_opt_out: alias.textOptOut };
  if (identity === "other") {
    // The number and contact of the other lead were the main ones: their current values belong to it.
    Object.assign(otherRow, pick(now, ofNumber));
    if (other.ghl_contact_id) Object.assign(otherRow, pick(now, ofContact));
    Object.assign(
      keptRow,
      pick(before, ofNumber),
      pick(before, other.ghl_contact_id ? ofContact : []),
      aliasOptOuts,
    );
  } else Object.assign(otherRow, aliasOptOuts);
  keptRow.notes = formerNotes(now, after, before);
  keptRow.crm_hash = null;
  for (const row of [keptRow, otherRow]) row.search = searchOf(row);
  return { keptRow, otherRow };
}

function searchOf(row: StoredRow): string {
  const text = (name: string) => (typeof row[name] === "string" ? (row[name] as string) : null);
  return searchText({
    name: text("name") ?? "",
    email: text("email"),
    company: text("company"),
    phone: text("phone"),
    phoneE164: text("phone_e164"),
  });
}

/** Writes both rows. Errors: `merge_refused` if another lead has the address or the contact. */
async function writeRows(
  tx: Tx,
  leadId: number,
  rows: { keptRow: StoredRow; otherRow: StoredRow },
): Promise<void> {
  try {
    await setColumns(tx, leadId, rows.keptRow);
    await insertLeadRow(tx, rows.otherRow);
  } catch (error) {
    if (postgresCode(error) === "23505") refuseMerge("address_taken");
    throw error;
  }
}

/** Returns the history to each lead, and later calls and texts by the number that only the other lead has. */
async function giveBack(tx: Tx, merge: MergeRow): Promise<void> {
  const { leadId, otherId, moved, mergedAt, before, other } = merge;
  await moveBack(tx, { moved, from: leadId, to: otherId });
  const number = other.phone_e164;
  if (typeof number === "string" && number !== before.phone_e164)
    await moveByNumber(tx, { from: leadId, to: otherId, number, since: mergedAt });
  await recountActivity(tx, [leadId, otherId]);
}

type Lead = NonNullable<Awaited<ReturnType<typeof findLeadRow>>>;

/**
 * Sends the restored values to the contacts: to the contact that received changes, the fields that were changed since the merge
 * (`sentLead`), including those that had not been sent (`unsent`); to the other one, what has changed in its own lead meanwhile.
 */
async function pushBack(
  { jobs }: MergeContext,
  tx: Tx,
  {
    merge,
    userId,
    sentLead,
    unsent,
  }: { merge: MergeRow; userId: number; sentLead: Lead; unsent: Set<CrmChangeField> },
): Promise<void> {
  const { leadId, otherId, other, withdrawn } = merge;
  const isOthers = merge.identity === "other" && Boolean(other.ghl_contact_id);
  if (isOthers) await handOverOpen(tx, { from: leadId, to: otherId });
  await restoreOpen(tx, withdrawn);
  for (const [id, before, isPushed] of [
    [leadId, merge.before, !isOthers],
    [otherId, other, isOthers],
  ] as const) {
    const lead = await findLeadRow(tx, id);
    if (!lead?.ghlContactId) continue;
    const differing = new Set(
      differingFields(isPushed ? sentLead : statedIn(before), lead).map(({ field }) => field),
    );
    const changes = pushedFields(lead).filter(
      ({ field }) => differing.has(field) || (isPushed && unsent.has(field)),
    );
    await queueCrmChanges(tx, jobs, { leadId: id, userId }, changes);
    await enqueuePush(tx, jobs, id);
  }
}

/** The values of a stored row for the fields that are sent to the CRM. */
function statedIn(row: StoredRow) {
  const at = typeof row.next_follow_up_date === "string" ? new Date(row.next_follow_up_date) : null;
  return {
    name: row.name as Lead["name"],
    status: row.status as Lead["status"],
    priority: row.priority as Lead["priority"],
    notes: row.notes as Lead["notes"],
    assignedTo: row.assigned_to as Lead["assignedTo"],
    nextFollowUpDate: at,
    nextFollowUpTime: row.next_follow_up_time as Lead["nextFollowUpTime"],
    nextFollowUpZone: row.next_follow_up_zone as Lead["nextFollowUpZone"],
  };
}

/** An undo needs write access to both leads as they will be. */
function checkActor(actor: AuthSession, lead: Lead, merge: MergeRow): void {
  const other = { assignedTo: merge.other.assigned_to as number | null };
  if (!isWriter(actor, lead) || !isWriter(actor, other)) throw new AppError("not_your_lead");
}

async function undoHeld(
  context: MergeContext,
  tx: Tx,
  { actor, merge }: { actor: AuthSession; merge: MergeRow },
) {
  const { leadId, otherId, mergedAt } = merge;
  const { userId } = actor;
  const lead = (await holdLeads(tx, [leadId])).get(leadId);
  if (!lead) throw new AppError("not_found", "This lead does not exist.");
  checkActor(actor, lead, merge);
  if (Date.now() - mergedAt.getTime() > limits.mergeUndoDays * 24 * 3_600_000) refuseMerge("too_old");
  if (await hasLaterMerge(tx, merge)) refuseMerge("later_merge");
  const holder = await findHolder(tx, [leadId]);
  if (holder) refuseMerge(holder);
  // A waiting change was computed for the merged lead: both leads are queued anew below.
  const fields = pushedFields(lead).map(({ field }) => field);
  const unsent = new Set((await withdrawOpen(tx, leadId, fields)).map(({ field }) => field));
  await removeNoted(tx, [leadId]);
  const now = await storedRow(tx, leadId);
  const alias = (await removeAlias(tx, merge.id)) ?? { callOptOut: null, textOptOut: null };
  await writeRows(tx, leadId, formerRows(merge, now, alias));
  await giveBack(tx, merge);
  await writeNoted(tx, merge.noted);
  await pushBack(context, tx, { merge, userId, sentLead: lead, unsent });
  await markUndone(tx, merge.id, userId);
  const otherName = merge.other.name;
  await recordLeadEvents(tx, [
    { leadId, userId, kind: "unmerged", data: { leadId: otherId, name: otherName } },
    { leadId: otherId, userId, kind: "unmerged", data: { leadId, name: merge.before.name } },
  ]);
  const data = { otherId, otherName, mergeId: merge.id };
  await recordAudit(tx, { userId, action: "leads-unmerged", subject: `lead:${leadId}`, data });
  await publishMerged(tx, [leadId, otherId], [
    userId,
    lead.assignedTo,
    merge.other.assigned_to,
    merge.before.assigned_to,
  ] as (number | null)[]);
}

/**
 * Undoes a merge: restores both leads; later activity goes to a lead by its number or id, else it stays with the remaining lead. Does
 * nothing if already undone. Errors: `not_found`, `not_your_lead`, `merge_refused`.
 */
export async function splitMerged(
  context: MergeContext,
  { actor, mergeId }: { actor: AuthSession; mergeId: number },
): Promise<LeadMerge> {
  await context.database.transaction(async (tx) => {
    await lockLeadIngestion(tx);
    const merge = await holdMerge(tx, mergeId);
    if (!merge) throw new AppError("not_found", "There is no such merge.");
    if (merge.undoneAt === null) return undoHeld(context, tx, { actor, merge });
    const lead = await findLeadRow(tx, merge.leadId);
    if (lead) checkActor(actor, lead, merge);
  });
  return getMerge(context.database.db, actor, mergeId);
}
