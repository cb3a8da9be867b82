import type { Db, Tx } from "../../platform/db/client.ts";
import { execute, query, queryFirst, queryOnly, sql } from "../../platform/db/query.ts";

/** A lead whose contact may or may not exist in the CRM. */
export interface DoubtfulLead {
  id: number;
  name: string;
  contactId: string;
  /** Already marked as deleted, or kept by an administrator: a missing contact changes nothing. */
  settled: boolean;
}

/** Without statistics on the pages just stored the planner would choose a nested loop over all contacts. */
const joinWhole = sql`set local enable_nestloop = off`;

/**
 * Leads after this id whose state differs from the run's result: the contact was not met and may be deleted, or the lead is marked as
 * deleted and the contact was met. Call it in a transaction of its own, as it changes a planner setting.
 */
export async function findDoubtfulLeads(
  tx: Tx,
  input: { runId: number; afterId: number; limit: number },
): Promise<DoubtfulLead[]> {
  await execute(tx, joinWhole);
  return query<DoubtfulLead>(
    tx,
    sql`select l.id, l.name, l.ghl_contact_id as "contactId", (l.crm_deleted_at is not null
         or exists (select 1 from crm_missing m where m.lead_id = l.id and m.left_at is not null)) as settled
       from leads l left join (select distinct unnest(contact_ids) as id from crm_run_pages where run_id = ${input.runId}) met
         on met.id = l.ghl_contact_id
      where l.ghl_contact_id is not null and l.id > ${input.afterId} and (l.crm_deleted_at is null) = (met.id is null)
      order by l.id limit ${input.limit}`,
  );
}

/**
 * Number of leads with a contact, and how many of these the run has not met; leads that an administrator kept are not counted. Call it in a
 * transaction of its own.
 */
export async function countMissing(tx: Tx, runId: number): Promise<{ leads: number; missing: number }> {
  await execute(tx, joinWhole);
  return queryOnly<{ leads: number; missing: number }>(
    tx,
    sql`select count(*)::int as leads, (count(*) filter (where met.id is null))::int as missing
       from leads l left join (select distinct unnest(contact_ids) as id from crm_run_pages where run_id = ${runId}) met
         on met.id = l.ghl_contact_id
      where l.ghl_contact_id is not null and l.crm_deleted_at is null
        and not exists (select 1 from crm_missing m where m.lead_id = l.id and m.left_at is not null)`,
  );
}

/** Records leads whose contact does not exist. Returns how many the run has found so far. */
export async function noteDeleted(tx: Tx, runId: number, leadIds: number[]): Promise<number> {
  await execute(
    tx,
    sql`insert into crm_missing (run_id, lead_id) select ${runId}, unnest(${sql.param(leadIds)}::int[]) on conflict do nothing`,
  );
  const { n } = await queryOnly<{ n: number }>(
    tx,
    sql`select count(*)::int as n from crm_missing where run_id = ${runId} and left_at is null`,
  );
  return n;
}

/** The next leads that a run has found deleted, by id. */
export async function listDeleted(
  db: Db,
  input: { runId: number; afterId: number; limit: number },
): Promise<Pick<DoubtfulLead, "id" | "contactId">[]> {
  return query<Pick<DoubtfulLead, "id" | "contactId">>(
    db,
    sql`select l.id, l.ghl_contact_id as "contactId" from crm_missing m join leads l on l.id = m.lead_id
      where m.run_id = ${input.runId} and m.left_at is null and l.ghl_contact_id is not null and l.id > ${input.afterId} order by l.id limit ${input.limit}`,
  );
}

/** Whether an administrator kept the lead of this contact although the contact was missing. */
export async function isContactLeft(db: Db, contactId: string): Promise<boolean> {
  const rowCount = await execute(
    db,
    sql`select 1 from leads l where l.ghl_contact_id = ${contactId}
        and exists (select 1 from crm_missing m where m.lead_id = l.id and m.left_at is not null)`,
  );
  return rowCount !== 0;
}

/** Contact ids of other leads, chosen at random. */
export async function findOtherContacts(db: Db, contactId: string, limit: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    sql`select ghl_contact_id as id from leads
      where ghl_contact_id is not null and crm_deleted_at is null and ghl_contact_id <> ${contactId} order by random() limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}

/** A run that waits for a decision. */
export interface HeldRun {
  runId: number;
  startedAt: Date;
  /** Where the run stopped; its third element is the number of contacts it has asked for. */
  cursor: unknown[] | null;
  deleted: number;
  examples: string[];
}

const examplesShown = 5;

export async function findHeldRun(db: Db): Promise<HeldRun | undefined> {
  return queryFirst<HeldRun>(
    db,
    sql`select r.id as "runId", r.started_at as "startedAt", r.cursor,
       (select count(*)::int from crm_missing m where m.run_id = r.id and m.left_at is null) as deleted,
       array(select l.name from crm_missing m join leads l on l.id = m.lead_id
         where m.run_id = r.id and m.left_at is null order by l.id limit ${examplesShown}) as examples
       from crm_sync_runs r where r.state = 'held' order by r.id desc limit 1`,
  );
}

/** Continues a held run from the first missing contact; those still missing are marked. Returns false if it is no longer held. */
export async function resumeToMark(tx: Tx, runId: number, cursor: unknown[]): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`update crm_sync_runs set state = 'running', decision = 'mark', cursor = ${JSON.stringify(cursor)}, attempts = 0, lease = null, message = null, fault = null,
       finished_at = null, heartbeat_at = clock_timestamp()
      where id = ${runId} and state = 'held'`,
  );
  await execute(tx, sql`delete from crm_missing where run_id = ${runId} and left_at is null`);
  return rowCount === 1;
}

/**
 * Ends a held run without marking anything. Leads whose contact was not met stay as they are until a run meets it. Returns how many, or
 * null if the run is no longer held.
 */
export async function leaveMissing(tx: Tx, runId: number, message: string): Promise<number | null> {
  const rowCount = await execute(
    tx,
    sql`update crm_sync_runs set state = 'done', decision = 'leave', cursor = null, message = ${message}, fault = null where id = ${runId} and state = 'held'`,
  );
  if (rowCount !== 1) return null;
  await execute(tx, joinWhole);
  const left = await execute(
    tx,
    sql`insert into crm_missing (run_id, lead_id, left_at)
     select ${runId}, l.id, clock_timestamp()
       from leads l left join (select distinct unnest(contact_ids) as id from crm_run_pages where run_id = ${runId}) met
         on met.id = l.ghl_contact_id
      where l.ghl_contact_id is not null and l.crm_deleted_at is null and met.id is null
        and not exists (select 1 from crm_missing m where m.lead_id = l.id and m.left_at is not null)
     on conflict (run_id, lead_id) do update set left_at = excluded.left_at`,
  );
  await execute(tx, sql`delete from crm_run_pages where run_id = ${runId}`);
  return left;
}

/** Ends held runs when a new full run replaces them; none of their deletions is marked. */
export async function endHeldRuns(tx: Tx, message: string): Promise<void> {
  const rows = await query<{ id: number }>(
    tx,
    sql`update crm_sync_runs set state = 'failed', cursor = null, message = ${message}, fault = '{"code":"replaced","status":null}' where state = 'held' returning id`,
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await forgetMissing(tx, ids);
}

async function forgetMissing(tx: Tx, runIds: number[]): Promise<void> {
  await execute(
    tx,
    sql`delete from crm_missing where run_id = any(${sql.param(runIds)}) and left_at is null`,
  );
  await execute(tx, sql`delete from crm_run_pages where run_id = any(${sql.param(runIds)})`);
}

/**
 * Removes what a run has found and met. Leads that an administrator kept and whose contact the run has met are treated like any other
 * again.
 */
export async function forgetRun(tx: Tx, runId: number): Promise<void> {
  await execute(
    tx,
    sql`delete from crm_missing m using leads l where l.id = m.lead_id and m.left_at is not null
    and l.ghl_contact_id in (select unnest(contact_ids) from crm_run_pages where run_id = ${runId})`,
  );
  await forgetMissing(tx, [runId]);
}

/** A full run that is due; `kind` is set if it continues a failed one. */
export interface DueRead {
  kind: "assigned" | "all" | null;
}

/** If the last complete run is older than this, for instance because no process ran at night, the next one starts at any hour. */
const overdueHours = 30;

/**
 * The full run that is due, if any; none while one is running or within ten minutes of a failure. Between 2 and 5 o'clock in the zone it is
 * the nightly run, unless one that started reading since 2 has ended or is held; until 17 o'clock a failed one is retried; at any hour if
 * the last one that ended or is held started reading over 30 hours ago. A run whose deletions an administrator wants marked continues at
 * any hour. Nothing continues 12 hours after its failure.
 */
export async function findDueRead(tx: Tx, timeZone: string): Promise<DueRead | undefined> {
  return queryFirst<DueRead>(
    tx,
    sql`with clock as (select clock_timestamp() as now, clock_timestamp() at time zone ${timeZone} as here),
       full_runs as (select * from crm_sync_runs where kind in ('assigned', 'all')),
       read as (select max(coalesce(r.read_since, r.started_at)) as since from full_runs r where r.state in ('done', 'held')),
       failed as (select * from (select * from full_runs order by id desc limit 1) r, clock
         where r.state = 'failed' and r.finished_at > now - interval '12 hours'),
       decided as (select kind from failed where decision = 'mark' and cursor is not null)
     select (select kind from decided) as kind from clock
      where not exists (select 1 from full_runs r where r.state = 'running'
          or r.state = 'failed' and r.finished_at > now - interval '10 minutes')
        and (exists (select 1 from decided)
          or exists (select 1 from read where read.since < now - make_interval(hours => ${overdueHours}))
          or (extract(hour from here) between 2 and 4
              or extract(hour from here) between 5 and 16 and exists (select 1 from failed where requested_by is null))
            and not exists (select 1 from read
              where read.since >= (date_trunc('day', here) + interval '2 hours') at time zone ${timeZone}))`,
  );
}
