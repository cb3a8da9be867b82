import type { LeadStatus } from "@portal/contract/entities/lead";
import type { Tx } from "../../../platform/db/client.ts";
import { execute, query, queryFirst, sql } from "../../../platform/db/query.ts";
import type { numberFaults } from "../../../platform/db/schema/leads.ts";
import { audienceOf, publishEvent } from "../../../platform/realtime/publish.ts";
import { recordLeadEvent, recordLeadEvents } from "../../activity/service.ts";
import { queueCrmChange } from "../../crm-outbox/service.ts";
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

type NumberFault = (typeof numberFaults)[number];

/** Stores that the lead was contacted and changes 'new' to 'contacted'. Returns the status before and after, or null if nothing changed. */
async function markContacted(
  tx: Tx,
  input: { leadId: number; at: Date },
): Promise<{ before: LeadStatus; after: LeadStatus } | null> {
  const row = await queryFirst<{ before: LeadStatus; after: LeadStatus }>(
    tx,
    sql`with known as (select id, status from leads where id = ${input.leadId} for update)
     update leads l set last_contacted_at = greatest(l.last_contacted_at, ${input.at}),
       status = case when l.status = 'new' then 'contacted' else l.status end, updated_at = clock_timestamp()
     from known where l.id = known.id
       and (l.status = 'new' or l.last_contacted_at is null or l.last_contacted_at < ${input.at})
     returning known.status as before, l.status as after`,
  );
  return row ?? null;
}

/** Marks the lead's number as wrong or dead, unless it was changed since. */
async function setNumberFault(
  tx: Tx,
  input: { leadId: number; number: string | null; fault: NumberFault },
): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`update leads set number_fault = ${input.fault}, updated_at = clock_timestamp() where id = ${input.leadId}
       and (${input.number}::text is null or phone_e164 = ${input.number}) and number_fault is distinct from ${input.fault}`,
  );
  return rowCount === 1;
}

/** Removes the fault of a number, because the outcome that set it was replaced. */
async function clearNumberFault(
  tx: Tx,
  input: { leadId: number; number: string | null; fault: NumberFault },
): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`update leads set number_fault = null, updated_at = clock_timestamp() where id = ${input.leadId} and number_fault = ${input.fault}
       and (${input.number}::text is null or phone_e164 = ${input.number})`,
  );
  return rowCount === 1;
}

/**
 * Somebody was reached at the number: removes its 'dead' mark from every lead that has it, and the 'wrong' mark from this lead. Returns the
 * affected leads.
 */
async function proveNumber(
  tx: Tx,
  input: { leadId: number; number: string | null },
): Promise<{ id: number; assignedTo: number | null; before: NumberFault }[]> {
  return query<{ id: number; assignedTo: number | null; before: NumberFault }>(
    tx,
    sql`with known as (
       select h.id, h.number_fault from leads l join leads h on h.id = l.id or h.phone_e164 = l.phone_e164
       where l.id = ${input.leadId} and (${input.number}::text is null or l.phone_e164 = ${input.number})
         and (h.number_fault = 'disconnected' or (h.id = l.id and h.number_fault is not null))
       order by h.id for update of h)
     update leads l set number_fault = null, updated_at = clock_timestamp() from known where l.id = known.id
     returning l.id, l.assigned_to as "assignedTo", known.number_fault as before`,
  );
}

export async function findAssignee(tx: Tx, leadId: number): Promise<number | null> {
  const row = await queryFirst<{ assigned_to: number | null }>(
    tx,
    sql`select assigned_to from leads where id = ${leadId}`,
    { prepared: true },
  );
  return row?.assigned_to ?? null;
}
