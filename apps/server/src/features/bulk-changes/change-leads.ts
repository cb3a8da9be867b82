import { randomUUID } from "node:crypto";
import type { BulkEdit, BulkReason } from "@portal/contract/entities/bulk-change";
import type { Tx } from "../../platform/db/client.ts";
import { audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import { type AuditEntry, recordAudits } from "../activity/service.ts";
import { planAssignment } from "../assignment/service.ts";
import { planLeadChange } from "../leads/decide-lead-change.ts";
import { findLeadsForUpdate, type LeadSave, saveLeads } from "../leads/lead-repository.ts";
import { type Asked, judgeLeads, skipReasonOf } from "./check-edit.ts";
import { findVersions, type ItemRow, insertItems, setNext } from "./repository.ts";
import type { BulkContext } from "./types.ts";

type Lead = Awaited<ReturnType<typeof findLeadsForUpdate>>[number];
type FieldEdit = Exclude<BulkEdit, { kind: "text" }>;

interface Plan {
  save: LeadSave;
  /** The lead's own audit entry, if this kind of change has one. */
  audit?: AuditEntry;
}

function planOf(lead: Lead, { actor, edit }: Asked<FieldEdit>, changeId: number): Plan | null {
  const extraData = { bulkChangeId: changeId };
  if (edit.kind === "assign") {
    const { salesRepId, takeAlong } = edit;
    return planAssignment(
      lead,
      { actor, salesRepId, takeAlong, notes: edit.notes?.trim() || null },
      extraData,
    );
  }
  const changes = edit.kind === "status" ? { status: edit.status } : { priority: edit.priority };
  const save = planLeadChange(lead, actor.userId, changes);
  const events = save?.events?.map(({ kind, data }) => ({ kind, data: { ...data, ...extraData } }));
  return save && { save: { ...save, ...(events && { events }) } };
}

/** One event for all leads, so that pages reload their lists once. */
export async function publishLeads(tx: Tx, people: (number | null)[], kind: BulkEdit["kind"]): Promise<void> {
  const audience = audienceOf(...people);
  await publishEvent(tx, { topic: "lead", id: 0, audience });
  if (kind === "assign") await publishEvent(tx, { topic: "sms", id: 0, audience });
}

/** Changes fields of the permitted leads in one save; returns their number. CRM changes and meetings are processed later. */
export async function changeFields(
  context: BulkContext,
  tx: Tx,
  changeId: number,
  asked: Asked<FieldEdit>,
): Promise<number> {
  const { actor, edit, leadIds } = asked;
  const { waitMs } = context.timings;
  const held = await findLeadsForUpdate(tx, leadIds);
  const left: { leadId: number; state: "left_out"; reason: BulkReason }[] = [];
  const planned: { lead: Lead; plan: Plan }[] = [];
  for (const lead of held) {
    const reason = skipReasonOf(actor, edit, lead);
    const plan = reason ? null : planOf(lead, asked, changeId);
    if (plan) planned.push({ lead, plan });
    else left.push({ leadId: lead.id, state: "left_out", reason: reason ?? "already" });
  }
  const ids = planned.map(({ lead }) => lead.id);
  const before = await findVersions(tx, ids);
  const queued = await saveLeads(
    tx,
    planned.map(({ plan }) => ({ ...plan.save, heldMs: waitMs })),
  );
  const after = await findVersions(tx, ids);
  const changed = planned.map(({ lead, plan }): Pick<ItemRow, "leadId" | "state"> & Partial<ItemRow> => ({
    leadId: lead.id,
    state: "changed",
    before: Object.fromEntries(Object.keys(plan.save.changes).map((key) => [key, lead[key as keyof Lead]])),
    versionBefore: before.get(lead.id) ?? 0,
    version: after.get(lead.id) ?? 0,
    outboxIds: queued.get(lead.id) ?? [],
  }));
  await insertItems(tx, changeId, [...changed, ...left]);
  await recordAudits(
    tx,
    planned.flatMap(({ plan }) => plan.audit ?? []),
  );
  if (edit.kind === "assign" && edit.takeAlong && changed.length > 0) await setNext(tx, changeId, waitMs);
  if (changed.length > 0) {
    const owners = planned.map(({ lead }) => lead.assignedTo);
    await publishLeads(
      tx,
      [actor.userId, ...owners, edit.kind === "assign" ? edit.salesRepId : null],
      edit.kind,
    );
  }
  return changed.length;
}

/** Queues the texts, which a worker sends one after the other; returns their number. */
export async function queueSms(
  context: BulkContext,
  tx: Tx,
  changeId: number,
  asked: Asked<Extract<BulkEdit, { kind: "text" }>>,
): Promise<number> {
  const judged = await judgeLeads(context, tx, asked);
  const items = judged.map(({ lead, reason }) =>
    reason
      ? { leadId: lead.id, state: "left_out" as const, reason }
      : { leadId: lead.id, state: "waiting" as const, textRef: randomUUID() },
  );
  await insertItems(tx, changeId, items);
  const waiting = items.filter(({ state }) => state === "waiting").length;
  if (waiting > 0) await setNext(tx, changeId, context.timings.waitMs);
  return waiting;
}
