import type { LeadMerge, MergeChoices, MergeLead, MergePreview } from "@portal/contract/entities/lead-merge";
import { mergeFields } from "@portal/contract/entities/lead-merge";
import type { MergeRefusal } from "@portal/contract/errors";
import { followUpTimeText } from "@portal/contract/follow-up-time";
import { limits } from "@portal/contract/limits";
import type { Database, Db, Tx } from "../../platform/db/client.ts";
import { queryFirst, sql } from "../../platform/db/query.ts";
import type { leads } from "../../platform/db/schema/leads.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { CrmChange } from "../crm-outbox/service.ts";
import { isWriter, scopeOf } from "../leads/policy.ts";
import { decideSides, type Pair, refusalOf } from "./decide-merge.ts";
import {
  countHistory,
  findHolder,
  findLeadRow,
  haveSameReport,
  type ListedMerge,
  listMerges,
} from "./repository.ts";

type Lead = typeof leads.$inferSelect;

export interface MergeContext {
  database: Database;
  jobs: Pick<Jobs, "enqueue">;
}

const refusals: Record<MergeRefusal, string> = {
  call: "Somebody is on the line with one of these leads. Try again when the call is over.",
  text: "A text of one of these leads is on its way. Try again in a moment.",
  session: "An auto-dialer session has one of these leads before it. Try again when it is over.",
  crm: "A change of one of these leads is being sent to GoHighLevel. Try again in a minute.",
  both_clients: "Both leads are clients, and each conversion stays one of its own.",
  same_call: "Both leads have the report of one and the same call.",
  later_merge: "The lead was merged with another one since. Undo that merge first.",
  too_old: "This merge is more than 7 days old and cannot be undone any more.",
  address_taken: "Another lead has its email address or its contact by now.",
};

export function refuseMerge(refusal: MergeRefusal): never {
  throw new AppError("merge_refused", refusals[refusal], { mergeRefusal: refusal });
}

/** Both leads, if this user may merge them: their own, or any for administrators. Errors: `not_found`, `not_your_lead`. */
export function checkPair(actor: AuthSession, kept: Lead | undefined, other: Lead | undefined): Pair {
  if (!kept || !other) throw new AppError("not_found", "This lead does not exist.");
  if (!isWriter(actor, kept) || !isWriter(actor, other)) throw new AppError("not_your_lead");
  return { kept, other };
}

/** Errors: `invalid` if both ids are the same. */
export function checkTwo(leadId: number, otherId: number): void {
  if (leadId === otherId) throw new AppError("invalid", "otherId: a lead is not merged with itself.");
}

/** Why these leads cannot be merged now; null if they can. */
export async function whyNot(db: Db, pair: Pair): Promise<MergeRefusal | null> {
  const { kept, other } = pair;
  if (await haveSameReport(db, kept.id, other.id)) return "same_call";
  return refusalOf(pair) ?? findHolder(db, [kept.id, other.id]);
}

async function presentSide(db: Db, lead: Lead): Promise<MergeLead> {
  const rep = await queryFirst<{ name: string }>(
    db,
    sql`select name from users where id = ${lead.assignedTo}`,
  );
  const { id, name, phone, email, company, industry, leadSource, dealValue, status, priority } = lead;
  return {
    id,
    name,
    phone,
    email,
    company,
    industry,
    leadSource,
    dealValue,
    status,
    priority,
    nextFollowUpDate: lead.nextFollowUpDate?.toISOString() ?? null,
    nextFollowUpTime: lead.nextFollowUpTime,
    nextFollowUpZone: lead.nextFollowUpZone,
    assignedTo: lead.assignedTo,
    salesRepName: rep?.name ?? null,
    ghlContactId: lead.ghlContactId,
    createdAt: lead.createdAt.toISOString(),
    lastActivityAt: lead.lastActivityAt?.toISOString() ?? null,
    callOptOut: lead.callOptOut,
    textOptOut: lead.textOptOut,
    counts: await countHistory(db, id),
  };
}

/** What merging a lead into another would do; changes nothing. Errors: `not_found`, `not_your_lead`, `invalid`. */
export async function previewMerge(
  { database: { db } }: MergeContext,
  input: { actor: AuthSession; leadId: number; otherId: number; choices: MergeChoices },
): Promise<MergePreview> {
  const { actor, leadId, otherId, choices } = input;
  checkTwo(leadId, otherId);
  const pair = checkPair(actor, await findLeadRow(db, leadId), await findLeadRow(db, otherId));
  const { sides, fixed } = decideSides(pair, choices);
  return {
    kept: await presentSide(db, pair.kept),
    other: await presentSide(db, pair.other),
    fields: mergeFields.map((field) => ({ field, side: sides[field], fixed: fixed.has(field) })),
    refusal: await whyNot(db, pair),
  };
}

type Pushed = Pick<
  Lead,
  | "name"
  | "status"
  | "priority"
  | "notes"
  | "assignedTo"
  | "nextFollowUpDate"
  | "nextFollowUpTime"
  | "nextFollowUpZone"
>;

/** The fields of a lead that are sent to the CRM when they change. */
export function pushedFields(lead: Pushed): CrmChange[] {
  const { name, status, priority, notes, assignedTo, nextFollowUpTime: time, nextFollowUpZone: zone } = lead;
  return [
    { field: "name", value: name },
    { field: "status", value: status },
    { field: "priority", value: priority },
    { field: "notes", value: notes },
    { field: "assignedTo", value: assignedTo },
    { field: "nextFollowUpDate", value: lead.nextFollowUpDate?.toISOString() ?? null },
    { field: "nextFollowUpTime", value: time && zone ? followUpTimeText({ time, zone }) : null },
  ];
}

/** The fields in which a lead differs from the values that were sent to the CRM. */
export function differingFields(there: Pushed, here: Pushed): CrmChange[] {
  const sentValues = new Map(pushedFields(there).map(({ field, value }) => [field, value]));
  return pushedFields(here).filter(({ field, value }) => sentValues.get(field) !== value);
}

const dayMs = 24 * 3_600_000;

function presentMerge(row: ListedMerge): LeadMerge {
  const { id, leadId, leadName, otherId, otherName, phone, email, ghlContactId, userName } = row;
  const undoUntil = new Date(row.at.getTime() + limits.mergeUndoDays * dayMs);
  return {
    id,
    leadId,
    leadName,
    otherId,
    otherName,
    further: { phone, email, ghlContactId },
    userName,
    at: row.at.toISOString(),
    undoneAt: row.undoneAt?.toISOString() ?? null,
    undoUntil: undoUntil.toISOString(),
    mayUndo: row.undoneAt === null && row.isLast && row.isMine && row.now < undoUntil,
  };
}

/** One merge, as this user sees it. Errors: `not_found`. */
export async function getMerge(db: Db | Tx, actor: AuthSession, mergeId: number): Promise<LeadMerge> {
  const [row] = await listMerges(db, { scope: scopeOf(actor), mergeId });
  if (!row) throw new AppError("not_found", "There is no such merge.");
  return presentMerge(row);
}

/** The merges of a lead. Errors: `not_found`, `not_your_lead`. */
export async function listOfLead(
  { database: { db } }: MergeContext,
  { actor, leadId }: { actor: AuthSession; leadId: number },
): Promise<LeadMerge[]> {
  const lead = await findLeadRow(db, leadId);
  if (!lead) throw new AppError("not_found", "This lead does not exist.");
  if (!isWriter(actor, lead)) throw new AppError("not_your_lead");
  return (await listMerges(db, { scope: scopeOf(actor), leadId })).map(presentMerge);
}

/** The merges of the last seven days. */
export async function listRecent(
  { database: { db } }: MergeContext,
  actor: AuthSession,
): Promise<LeadMerge[]> {
  return (await listMerges(db, { scope: scopeOf(actor), recent: true })).map(presentMerge);
}
