import type { AuditAction } from "@portal/contract/entities/audit";
import type { Tx } from "../../platform/db/client.ts";
import { execute, query, sql } from "../../platform/db/query.ts";
import { insertAuditSql, insertLeadEventsSql } from "../../platform/db/sql/leads.ts";

/** The kinds of a lead's events. The writer decides the shape of `data`; changes carry `{ field, before, after }`. */
export type LeadEventKind =
  | "created"
  | "changed"
  | "renamed"
  | "assigned"
  | "converted"
  | "call-attempt"
  | "call-ended"
  | "message-left"
  | "message-cut"
  | "call-logged"
  | "outcome-confirmed"
  | "missed-call-done"
  | "missed-call-reopened"
  | "opted-out"
  | "opted-in"
  | "contact-override"
  | "consent-recorded"
  | "consent-withdrawn"
  | "follow-up-proposed"
  | "meeting-scheduled"
  | "meeting-changed"
  | "meeting-deleted"
  | "crm-synced"
  | "crm-pushed"
  | "crm-push-failed"
  | "crm-deleted"
  | "crm-unanswered"
  | "crm-note"
  | "note-added"
  | "merged"
  | "unmerged";

export interface LeadEvent {
  leadId: number;
  /** The user; null for the CRM, a provider or the system. */
  userId: number | null;
  kind: LeadEventKind;
  data?: Record<string, unknown>;
}

/**
 * Writes an event of a lead, in the transaction of the change itself. The event has the time of writing: of two transactions that waited
 * for each other, the later one may have begun first.
 */
export async function recordLeadEvent(tx: Tx, event: LeadEvent): Promise<void> {
  await recordLeadEvents(tx, [event]);
}

/** Writes several events with one statement. */
export async function recordLeadEvents(tx: Tx, events: LeadEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ leadId, userId, kind, data = {} }) => ({
    lead_id: leadId,
    user_id: userId,
    kind,
    data,
  }));
  const selected = sql`select * from json_to_recordset(${JSON.stringify(rows)}::json) as r(lead_id int, user_id int, kind text, data jsonb)`;
  await execute(tx, insertLeadEventsSql(selected), { prepared: true });
}

/** Writes the same event for many leads, in the given order: one statement, its data sent once. */
export async function recordSharedEvent(
  tx: Tx,
  { leadIds, userId, kind, data = {} }: Omit<LeadEvent, "leadId"> & { leadIds: number[] },
): Promise<void> {
  if (leadIds.length === 0) return;
  await execute(
    tx,
    sql`insert into lead_events (lead_id, user_id, kind, data, at)
       select lead_id, ${userId}::int, ${kind}, ${JSON.stringify(data)}::jsonb, clock_timestamp() from unnest(${sql.param(leadIds)}::int[]) as l(lead_id)`,
    { prepared: true },
  );
}

/** Whether this user has already recorded the same event for the lead. */
export async function hasLeadEvent(tx: Tx, event: LeadEvent): Promise<boolean> {
  const { leadId, userId, kind, data = {} } = event;
  const rows = await query(
    tx,
    sql`select 1 from lead_events where lead_id = ${leadId} and user_id = ${userId} and kind = ${kind} and data = ${JSON.stringify(data)}::jsonb limit 1`,
  );
  return rows.length > 0;
}

/** Whether a request of this user for the lead with this reference was already handled. */
export async function isRequestDone(
  tx: Tx,
  { leadId, userId, clientRef }: { leadId: number; userId: number; clientRef: string | null | undefined },
): Promise<boolean> {
  if (!clientRef) return false;
  const rows = await query(
    tx,
    sql`select 1 from lead_events where lead_id = ${leadId} and user_id = ${userId} and data ->> 'clientRef' = ${clientRef} limit 1`,
  );
  return rows.length > 0;
}

/** Removes a call's entry from the timeline, because the result of the call was corrected. */
export async function withdrawCallEvent(
  tx: Tx,
  call: { leadId: number; callId: number; kind: LeadEventKind },
): Promise<void> {
  await execute(
    tx,
    sql`delete from lead_events where lead_id = ${call.leadId} and kind = ${call.kind} and data ->> 'callId' = ${call.callId}::text`,
  );
}

/** Who did what. `userId` null means the system; `subject` names the object, for example `lead:42`. */
export interface AuditEntry {
  userId: number | null;
  action: AuditAction;
  subject?: string;
  data: Record<string, unknown>;
}

/** Writes an audit entry, in the transaction of the change itself. */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const { userId, action, subject = null, data } = entry;
  const row = sql`values (${userId}, ${action}, ${subject}, ${JSON.stringify(data)}::jsonb)`;
  await execute(tx, insertAuditSql(row), { prepared: true });
}

/** Writes several audit entries in their order, with one statement. */
export async function recordAudits(tx: Tx, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = JSON.stringify(entries);
  await execute(
    tx,
    insertAuditSql(
      sql`select "userId", action, subject, data from json_to_recordset(${rows}::json) as r("userId" int, action text, subject text, data jsonb)`,
    ),
  );
}
