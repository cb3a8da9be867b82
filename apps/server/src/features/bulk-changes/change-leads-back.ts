import type { BulkChange, BulkReason } from "@portal/contract/entities/bulk-change";
import { limits } from "@portal/contract/limits";
import type { Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/service.ts";
import { type CrmChange, withdrawCrmChanges } from "../crm-outbox/service.ts";
import { followUpChanges } from "../leads/decide-lead-change.ts";
import { findLeadsForUpdate, type LeadChanges, type LeadSave, saveLeads } from "../leads/lead-repository.ts";
import { moveMeetings } from "../meetings/service.ts";
import { type BulkContext, publishLeads } from "./change-leads.ts";
import {
  type ChangeRow,
  findVersions,
  holdChange,
  type ItemRow,
  listActiveReps,
  listChangedSince,
  listItems,
  markUndone,
  moveItems,
  restoreVersions,
} from "./repository.ts";
import { getChange } from "./service.ts";

type Lead = Awaited<ReturnType<typeof findLeadsForUpdate>>[number];

/** The lead's former values for its columns: JSON stores instants as texts. */
function formerOf(item: ItemRow): LeadChanges {
  const entries = Object.entries(item.before ?? {}).map(([field, value]) => [
    field,
    /(At|Date)$/.test(field) && typeof value === "string" ? new Date(value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** The save that restores a lead; the CRM is notified if it may have the change. */
function reversal(lead: Lead, item: ItemRow, { id, userId }: { id: number; userId: number }): LeadSave {
  const former = formerOf(item);
  const events: NonNullable<LeadSave["events"]> = [];
  const crmChanges: CrmChange[] = [];
  for (const field of ["status", "priority", "lastContactedAt"] as const) {
    if (field in former)
      events.push({
        kind: "changed",
        data: { field, before: lead[field], after: former[field], bulkChangeId: id },
      });
  }
  if (former.status) crmChanges.push({ field: "status", value: former.status });
  if (former.priority) crmChanges.push({ field: "priority", value: former.priority });
  if ("assignedTo" in former) {
    const value = former.assignedTo ?? null;
    const data = { field: "assignedTo", before: lead.assignedTo, after: value, bulkChangeId: id };
    events.push({ kind: "assigned", data });
    crmChanges.push({ field: "assignedTo", value });
  }
  if ("nextFollowUpDate" in former) {
    const back = followUpChanges(lead, { ...lead, ...former });
    events.push(...back.events);
    crmChanges.push(...back.crmChanges);
  }
  return { leadId: lead.id, userId, changes: former, events, crmChanges };
}

/** Why a lead is not restored; null if it is. */
function reasonToSpare(
  lead: Lead | undefined,
  item: ItemRow,
  known: { touched: Set<number>; activeReps: Set<number>; change: ChangeRow },
): BulkReason | null {
  if (!lead || known.touched.has(lead.id)) return "touched";
  const { edit } = known.change;
  if (edit.kind === "status" && lead.status !== edit.status) return "touched";
  if (edit.kind === "priority" && lead.priority !== edit.priority) return "touched";
  if (edit.kind !== "assign") return null;
  if (lead.assignedTo !== edit.salesRepId) return "touched";
  const owner = item.before?.assignedTo;
  return typeof owner === "number" && !known.activeReps.has(owner) ? "owner_closed" : null;
}

/** Restores the leads of a bulk change. Returns the numbers of restored and of skipped leads. */
async function changeBack(tx: Tx, change: ChangeRow, userId: number) {
  const items = await listItems(tx, change.id, ["changed"]);
  const ids = items.map(({ leadId }) => leadId);
  const leads = new Map((await findLeadsForUpdate(tx, ids)).map((lead) => [lead.id, lead]));
  const versions = await findVersions(tx, ids);
  const touched = await listChangedSince(tx, change);
  const owners = items.flatMap(({ before }) =>
    typeof before?.assignedTo === "number" ? [before.assignedTo] : [],
  );
  const activeReps = await listActiveReps(tx, [...new Set(owners)]);
  const back: { lead: Lead; item: ItemRow }[] = [];
  const spared = new Map<BulkReason, number[]>();
  for (const item of items) {
    const lead = leads.get(item.leadId);
    const reason = reasonToSpare(lead, item, { touched, activeReps, change });
    if (reason) spared.set(reason, [...(spared.get(reason) ?? []), item.leadId]);
    else if (lead) back.push({ lead, item });
  }
  const unheard = await withdrawCrmChanges(
    tx,
    back.flatMap(({ item }) => item.outboxIds ?? []),
  );
  await saveLeads(
    tx,
    back.map(({ lead, item }) => {
      const save = reversal(lead, item, { id: change.id, userId });
      return unheard.has(lead.id) ? { ...save, crmChanges: [] } : save;
    }),
  );
  const backIds = back.map(({ lead }) => lead.id);
  const after = await findVersions(tx, backIds);
  await moveItems(tx, change.id, { from: ["changed"], to: "undone", leadIds: backIds });
  for (const [reason, leadIds] of spared)
    await moveItems(tx, change.id, { from: ["changed"], to: "spared", reason, leadIds });
  await restoreVersions(
    tx,
    // An earlier bulk change must not treat the version of a later one as its own.
    back
      .filter(({ item }) => versions.get(item.leadId) === item.version)
      .map(({ item }) => ({
        leadId: item.leadId,
        versionBefore: item.versionBefore ?? 0,
        version: after.get(item.leadId) ?? 0,
      })),
  );
  for (const { lead, item } of back) {
    const former = item.before?.assignedTo;
    if (!item.meetingIds?.length || typeof former !== "number" || lead.assignedTo === null) continue;
    await moveMeetings(tx, { leadId: lead.id, from: lead.assignedTo, to: former, ids: item.meetingIds });
  }
  if (back.length > 0) {
    const people = back.flatMap(({ lead, item }) => [
      lead.assignedTo,
      (item.before?.assignedTo ?? null) as number | null,
    ]);
    await publishLeads(tx, [userId, change.userId, ...people], change.kind);
  }
  return { undone: back.length, spared: items.length - back.length };
}

/**
 * Undoes a bulk change: leads that somebody has changed since are skipped, and texts that the provider has stay sent. Pending CRM changes
 * and calendar changes are not sent. Errors: `not_found`, `conflict` (older than a day).
 */
export async function undoChange(
  context: BulkContext,
  { actor, id }: { actor: AuthSession; id: number },
): Promise<BulkChange> {
  // Checks the permission before anything is locked.
  await getChange(context, { actor, id });
  const { userId } = actor;
  await context.database.transaction(async (tx) => {
    const change = await holdChange(tx, id);
    if (!change || change.state === "undone") return;
    if (Date.now() - change.at.getTime() > limits.bulkUndoHours * 3_600_000)
      throw new AppError("conflict", "This change is more than a day old and cannot be undone any more.");
    const result =
      change.kind === "text"
        ? { undone: await moveItems(tx, id, { from: ["waiting"], to: "undone" }), spared: 0 }
        : await changeBack(tx, change, userId);
    await markUndone(tx, id, userId);
    const data = { kind: change.kind, ...result };
    await recordAudit(tx, { userId, action: "leads-changed-back", subject: `bulk-change:${id}`, data });
    await publishEvent(tx, { topic: "bulk-change", id, audience: [change.userId, userId] });
  });
  return getChange(context, { actor, id });
}
