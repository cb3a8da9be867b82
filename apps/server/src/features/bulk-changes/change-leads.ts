import { randomUUID } from "node:crypto";
import type { BulkEdit, BulkReason } from "@portal/contract/entities/bulk-change";
import type { LeadStatus, Priority } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import type { Logger } from "pino";
import type { Db, Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import { type AuditEntry, recordAudits } from "../activity/service.ts";
import { holdSalesRep } from "../assignment/repository.ts";
import { planAssignment } from "../assignment/service.ts";
import { decideContact, type LeadFacts } from "../contact-policy/decide-contact.ts";
import { planLeadChange } from "../leads/decide-lead-change.ts";
import { findLeadsForUpdate, type LeadSave, saveLeads } from "../leads/lead-repository.ts";
import { isWriter, mayAssign } from "../leads/policy.ts";
import type { WriteContext } from "../leads/service.ts";
import { checkMessage } from "../sms/send-message.ts";
import { requireSmsProvider } from "../sms/service.ts";
import type { SmsContext } from "../sms/types.ts";
import {
  findVersions,
  type ItemRow,
  insertItems,
  type JudgedLead,
  listLeads,
  setNext,
} from "./repository.ts";

/** Delays of bulk changes, in milliseconds. */
interface BulkTimings {
  /** Effects outside of the portal (SMS, CRM, calendar) wait this long, so that the change can be undone. */
  waitMs: number;
  /** Between two texts of a bulk change, so that the consultant's own texts stay within the rate limit. */
  textEveryMs: number;
  /** The delay before a retry while the provider cannot be reached. */
  againMs: number;
}

export const bulkTimings: BulkTimings = { waitMs: limits.bulkWaitMs, textEveryMs: 4_000, againMs: 30_000 };

export type BulkContext = WriteContext & { log: Logger; sms: SmsContext; timings: BulkTimings };

export interface Asked<Edit extends BulkEdit = BulkEdit> {
  actor: AuthSession;
  edit: Edit;
  leadIds: readonly number[];
}

/**
 * Checks a bulk change as a whole, and returns it as it is applied. Errors: `invalid` (no active consultant, too many texts),
 * `message_empty`, `message_too_long`, `provider_off`.
 */
export async function checkEdit(
  context: BulkContext,
  tx: Tx,
  { edit, leadIds }: Pick<Asked, "edit" | "leadIds">,
): Promise<BulkEdit> {
  if (edit.kind === "assign" && !(await holdSalesRep(tx, edit.salesRepId)))
    throw new AppError("invalid", "The leads can only be given to an active consultant.");
  if (edit.kind !== "text") return edit;
  requireSmsProvider(context.sms);
  if (leadIds.length > limits.bulkTextsMax)
    throw new AppError("invalid", `At most ${limits.bulkTextsMax} leads get a text at once.`);
  return { ...edit, message: checkMessage(edit.message) };
}

/** The existing leads, by name, each with the reason if it is skipped. */
export async function judgeLeads(
  context: BulkContext,
  db: Db,
  { actor, edit, leadIds }: Asked,
): Promise<{ lead: JudgedLead; reason: BulkReason | null }[]> {
  const leads = await listLeads(db, leadIds, edit.kind === "text" ? actor : null);
  const now = new Date();
  return leads.map((lead) => {
    const reason = skipReasonOf(actor, edit, lead);
    if (reason || edit.kind !== "text") return { lead, reason };
    const facts = lead as JudgedLead & LeadFacts;
    const answer = decideContact({ lead: facts, channel: "text", now, rules: context.contactPolicy });
    return { lead, reason: answer.allowed ? null : answer.reason };
  });
}

interface EditedLead {
  status: LeadStatus;
  priority: Priority;
  assignedTo: number | null;
}

/** Why a bulk change skips a lead; null if it changes it. For texts the contact policy decides in addition. */
function skipReasonOf(actor: AuthSession, edit: BulkEdit, lead: EditedLead): BulkReason | null {
  const isTheirs = edit.kind === "assign" ? mayAssign(actor, lead) : isWriter(actor, lead);
  if (!isTheirs) return "not_yours";
  switch (edit.kind) {
    case "status":
      if (lead.status === "converted") return "client";
      return lead.status === edit.status ? "already" : null;
    case "priority":
      return lead.priority === edit.priority ? "already" : null;
    case "assign":
      return lead.assignedTo === edit.salesRepId ? "already" : null;
    case "text":
      return null;
  }
}

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
