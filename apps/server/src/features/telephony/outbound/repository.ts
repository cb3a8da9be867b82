import { and, eq, inArray, ne, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../../../platform/db/client.ts";
import { columnsOf, execute, query, queryFirst, sql } from "../../../platform/db/query.ts";
import { callLogs, calls } from "../../../platform/db/schema/calls.ts";
import { leads } from "../../../platform/db/schema/leads.ts";
import { callOptOutSql, isNumberOfLeadSql, leadOnCallSql } from "../../../platform/db/sql/contact-facts.ts";

export type CallRow = typeof calls.$inferSelect;

/** A call with the data for its screen. */
export interface CallViewRow extends CallRow {
  leadName: string;
  leadCompany: string | null;
  callLogId: number | null;
  /** The outcome given by a person. */
  givenOutcome: string | null;
}

function views(db: Db) {
  return db
    .select({
      call: calls,
      leadName: leads.name,
      leadCompany: leads.company,
      callLogId: callLogs.id,
      givenOutcome: sql<string | null>`case when ${callLogs.confirmed} then ${callLogs.outcome} end`,
    })
    .from(calls)
    .innerJoin(leads, eq(leads.id, calls.leadId))
    .leftJoin(callLogs, eq(callLogs.callId, calls.id));
}

export async function findCallView(db: Db, callId: number): Promise<CallViewRow | undefined> {
  const [row] = await views(db).where(eq(calls.id, callId));
  return row && { ...row.call, ...row };
}

export async function findLiveCallView(db: Db, userId: number): Promise<CallViewRow | undefined> {
  const [row] = await views(db).where(and(eq(calls.userId, userId), ne(calls.state, "ended")));
  return row && { ...row.call, ...row };
}

export async function findCall(db: Db, callId: number): Promise<CallRow | undefined> {
  const [row] = await db.select().from(calls).where(eq(calls.id, callId));
  return row;
}

/** The call with our id, or, without one, with this sid. */
export async function findCallOf(
  db: Db,
  { callId, callSid }: { callId: number | null; callSid: string },
): Promise<CallRow | undefined> {
  const [row] = await db
    .select()
    .from(calls)
    .where(callId === null ? eq(calls.callSid, callSid) : eq(calls.id, callId));
  return row;
}

/** The live call of a consultant, or undefined. */
export async function findLiveCall(db: Db, userId: number): Promise<CallRow | undefined> {
  const [row] = await db
    .select()
    .from(calls)
    .where(and(eq(calls.userId, userId), ne(calls.state, "ended")));
  return row;
}

/** Whether a leg without a parent may be a call's lead leg: no other one is stored, and it is not the consultant's. */
export function mayBeLeadLeg(
  call: Pick<CallRow, "callSid" | "leadCallSid" | "lineId">,
  sid: string,
): boolean {
  return (
    (call.lineId !== null || call.callSid !== sid) && (call.leadCallSid === null || call.leadCallSid === sid)
  );
}

/** The sids of a call, given its lead's leg. On an open line the lead's leg is the call's own. */
export function sidsOf(
  call: Pick<CallRow, "lineId">,
  leg: { sid: string | null; parentSid: string | null },
): { callSid: string | null; leadCallSid: string | null } {
  return { callSid: call.lineId === null ? leg.parentSid : leg.sid, leadCallSid: leg.sid };
}

const allColumns = columnsOf(calls);

/** Locks a call, so that facts from two processes are merged one after the other. */
export async function lockCall(
  tx: Tx,
  by: { id: number } | { callSid: string },
): Promise<CallRow | undefined> {
  const isIt = "id" in by ? sql`id = ${by.id}` : sql`call_sid = ${by.callSid}`;
  return queryFirst<CallRow>(tx, sql`select ${allColumns} from calls where ${isIt} for update`, {
    prepared: true,
  });
}

/**
 * Inserts a call before the provider is asked. The statement itself requires a number of the lead, and the lead's assignee or an
 * administrator. Errors: the unique violations `calls_live_user_key`, `calls_live_lead_key`, `calls_live_number_key`.
 */
export async function insertCall(
  tx: Tx,
  input: {
    leadId: number;
    userId: number;
    anyLead: boolean;
    repNumber: string;
    repLine: CallRow["repLine"];
    leadNumber: string;
    callerNumber: string;
    /** An administrator overrides the contact policy with a reason. */
    overridden: boolean;
    /** The consultant's recorded message is left automatically if a voicemail answers. */
    leaveMessage: boolean;
    /** When the account's pace allows the request; null on an open line, which needs none. */
    dialsAt: Date | null;
    lineId: number | null;
  },
): Promise<number | undefined> {
  const number = sql`${input.leadNumber}::text`;
  const rows = await query<{ id: number }>(
    tx,
    sql`insert into calls (lead_id, user_id, rep_number, rep_line, lead_number, press_one, dials_at, overridden, overridden_opt_out, caller_number, leave_message, line_id)
     select l.id, u.id, ${input.repNumber}, ${input.repLine}, ${number}, u.press_one, ${input.dialsAt}, ${input.overridden}, case when ${input.overridden} then ${callOptOutSql(number)} end, ${input.callerNumber}, ${input.leaveMessage}, ${input.lineId}
     from leads l cross join users u
     where l.id = ${input.leadId} and u.id = ${input.userId} and (${input.anyLead} or l.assigned_to = ${input.userId}) and ${isNumberOfLeadSql(number)}
     returning id`,
  );
  return rows[0]?.id;
}

/**
 * Whether the lead of call `c` may still be called by user `u` at that number; checked again because time has passed since the contact
 * policy allowed it.
 */
const mayStillCall = sql`((${callOptOutSql(sql`c.lead_number`)} is null or ${callOptOutSql(sql`c.lead_number`)} = c.overridden_opt_out)
  and not ${leadOnCallSql(sql`c.user_id`)} and ${isNumberOfLeadSql(sql`c.lead_number`)}
  and u.disabled_at is null and (u.role = 'admin' or l.assigned_to = u.id))`;

/** Marks the call as requested, once. Returns false if it has ended meanwhile or the lead may no longer be called. */
export async function claimCall(db: Db, callId: number): Promise<boolean> {
  const rowCount = await execute(
    db,
    sql`update calls c set asked_at = clock_timestamp(), last_event_at = clock_timestamp()
     from leads l, users u where c.id = ${callId} and l.id = c.lead_id and u.id = c.user_id and c.asked_at is null
       and c.state = 'requested' and c.end_requested_at is null and ${mayStillCall}`,
  );
  return rowCount === 1;
}

/** Updates a locked call. Returns the new row and the lead's owner. */
export async function updateCall(
  tx: Tx,
  call: CallRow,
  patch: Partial<CallRow>,
): Promise<{ row: CallRow; assignedTo: number | null }> {
  const changes = Object.entries(patch).map(
    ([field, value]) => sql`${sql.identifier(calls[field as keyof CallRow].name)} = ${sql.param(value)}, `,
  );
  const written = await queryFirst<{ lastEventAt: Date; assignedTo: number | null }>(
    tx,
    sql`update calls c set ${sql.join(changes)} last_event_at = clock_timestamp() where id = ${call.id}
     returning last_event_at as "lastEventAt", (select l.assigned_to from leads l where l.id = c.lead_id) as "assignedTo"`,
  );
  if (!written) throw new Error(`no call ${call.id}`);
  return { row: { ...call, ...patch, lastEventAt: written.lastEventAt }, assignedTo: written.assignedTo };
}

export async function setEndRequested(tx: Tx, callId: number): Promise<void> {
  await tx
    .update(calls)
    .set({ endRequestedAt: sql`coalesce(${calls.endRequestedAt}, clock_timestamp())` })
    .where(eq(calls.id, callId));
}

/**
 * Reserves the next free slot of a paced resource that all processes share. Returns its time and the milliseconds until then, or null if
 * that exceeds `maxWaitMs`.
 */
export async function claimSlot(
  tx: Tx,
  input: { name: string; intervalMs: number; maxWaitMs: number },
): Promise<{ at: Date; waitMs: number } | null> {
  const row = await queryFirst<{ at: Date; waitMs: number }>(
    tx,
    sql`insert into pacing as p (name, next_at) values (${input.name}, clock_timestamp() + ${input.intervalMs} * interval '1 ms')
     on conflict (name) do update set next_at = greatest(p.next_at, clock_timestamp()) + ${input.intervalMs} * interval '1 ms'
       where p.next_at < clock_timestamp() + ${input.maxWaitMs} * interval '1 ms'
     returning next_at - ${input.intervalMs} * interval '1 ms' as at,
       greatest(0, extract(epoch from next_at - clock_timestamp()) * 1000 - ${input.intervalMs})::float8 as "waitMs"`,
  );
  return row ?? null;
}

/** Returns an unused slot, if nobody has reserved a later one. */
export async function returnSlot(
  tx: Tx,
  input: { name: string; intervalMs: number; at: Date },
): Promise<void> {
  // The time was rounded to milliseconds.
  await execute(
    tx,
    sql`update pacing set next_at = ${input.at} where name = ${input.name}
       and abs(extract(epoch from next_at - ${input.at}::timestamptz) * 1000 - ${input.intervalMs}) < 1`,
  );
}

export interface ScriptFacts {
  firstName: string;
  language: "en" | "es";
  mayCall: boolean;
  /** The consultant has calls recorded. */
  record: boolean;
  /** Machine detection is switched on for the organization. */
  detect: boolean;
  /** Recorded messages may be left: detection also reports the end of the machine's greeting. */
  untilBeep: boolean;
}

/** Facts for the consultant's script: the lead's name, whether it may still be called, and whether the call is recorded. */
export async function findScriptFacts(tx: Tx, call: Pick<CallRow, "id">): Promise<ScriptFacts> {
  const row = await queryFirst<ScriptFacts>(
    tx,
    sql`select coalesce(nullif(l.first_name, ''), split_part(l.name, ' ', 1)) as "firstName", u.language,
       u.call_recording as record,
       coalesce((select o.machine_detection from organisation_settings o), true) as detect,
       coalesce((select o.voicemail_drop from organisation_settings o), false) as "untilBeep",
       ${mayStillCall} as "mayCall"
     from calls c join leads l on l.id = c.lead_id join users u on u.id = c.user_id where c.id = ${call.id}`,
  );
  if (!row) throw new Error(`call ${call.id} without lead or user`);
  return row;
}

/** The language of a lead, or null if unknown. */
export async function findLeadLanguage(tx: Db, leadId: number): Promise<"en" | "es" | null> {
  const row = await queryFirst<{ language: "en" | "es" | null }>(
    tx,
    sql`select language from leads where id = ${leadId}`,
  );
  return row?.language ?? null;
}

/** The consultant's own number, E.164. */
export async function findRepPhone(tx: Tx, userId: number): Promise<string | null> {
  const row = await queryFirst<{ phone: string | null }>(
    tx,
    sql`select personal_phone_e164 as phone from users where id = ${userId}`,
  );
  return row?.phone ?? null;
}

interface Waits {
  silenceMs: number;
  unansweredMs: number;
  abandonedMs: number;
  unsettledMs: number;
  detectionMs: number;
  againMs: number;
}

const olderThan = (instant: SQL, ms: number) => sql`${instant} < clock_timestamp() - ${ms} * interval '1 ms'`;

/** An ended call whose facts stay incomplete is settled after a day. */
const closeOld = sql`update calls set settled = true
  where not settled and state = 'ended' and ended_at < clock_timestamp() - interval '1 day'`;

/** Claims calls that are due for a check at the provider, for one worker at a time. No row is locked afterwards. */
export async function claimSilentCalls(db: Db, waits: Waits, limit: number): Promise<CallRow[]> {
  await execute(db, closeOld);
  const rows = await query<{ id: number }>(
    db,
    sql`update calls set checked_at = clock_timestamp() where id in (
       select id from calls where not settled
         and (checked_at is null or ${olderThan(sql`checked_at`, waits.againMs)})
         and ((asked_at is null and state <> 'ended' and ${olderThan(sql`coalesce(dials_at, requested_at)`, waits.abandonedMs)})
           or (asked_at is not null and call_sid is null and ${olderThan(sql`asked_at`, waits.unansweredMs)})
           or (call_sid is not null and ${olderThan(sql`last_event_at`, waits.silenceMs)})
           or (call_sid is not null and answered_by is null and ${olderThan(sql`answered_at`, waits.detectionMs)})
           or (call_sid is not null and state <> 'ended' and ${olderThan(sql`end_requested_at`, waits.unsettledMs)})
           or (call_sid is not null and state = 'ended' and ${olderThan(sql`last_event_at`, waits.unsettledMs)}))
       order by last_event_at limit ${limit} for update skip locked)
     returning id`,
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  return db.select().from(calls).where(inArray(calls.id, ids)).orderBy(sql`id`);
}

/** Whether a recorded message is being left at a number: the lead's phone is still connected although the consultant's call is over. */
export async function isLeavingMessage(db: Db, leadNumber: string): Promise<boolean> {
  const [row] = await query<{ leaving: boolean }>(
    db,
    sql`select exists (select 1 from calls where lead_number = ${leadNumber}
       and message_asked_at is not null and message_ended_at is null) as leaving`,
  );
  return row?.leaving === true;
}

/** Times at which other calls and lines to this phone were requested whose sids are not known either. */
export async function findRivals(
  db: Db,
  { repNumber, callId, lineId }: { repNumber: string; callId: number | null; lineId: number | null },
): Promise<Date[]> {
  const rows = await query<{ asked_at: Date }>(
    db,
    sql`select asked_at from calls where not settled and rep_number = ${repNumber} and id is distinct from ${callId}
       and call_sid is null and asked_at is not null and line_id is null
     union all select asked_at from lines where state <> 'ended' and rep_number = ${repNumber} and id is distinct from ${lineId}
       and call_sid is null and asked_at is not null`,
  );
  return rows.map(({ asked_at }) => asked_at);
}
