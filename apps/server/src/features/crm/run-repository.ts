import type { SyncFault } from "@portal/contract/sync-faults";
import { desc, eq, inArray, ne } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db/client.ts";
import { execute, query, queryFirst, sql } from "../../platform/db/query.ts";
import { crmSyncRuns, crmUnread } from "../../platform/db/schema/crm.ts";
import { leads } from "../../platform/db/schema/leads.ts";
import type { CrmCursor } from "../../ports/crm.ts";
import { forgetRun } from "./deletion-repository.ts";

export type RunRow = typeof crmSyncRuns.$inferSelect;
export type RunKind = RunRow["kind"];

/** A worker without a heartbeat for this long is dead, and its run may be taken over. */
const leaseSeconds = 20;
/** Errors stored with a run; `crm_rejects` holds all of them. */
const errorsKept = 100;

export async function findRun(db: Db, runId: number): Promise<RunRow | undefined> {
  const [row] = await db.select().from(crmSyncRuns).where(eq(crmSyncRuns.id, runId));
  return row;
}

export async function findRunningRun(db: Db, kind: RunKind): Promise<{ id: number } | undefined> {
  return queryFirst<{ id: number }>(
    db,
    sql`select id from crm_sync_runs where kind = ${kind} and state = 'running'`,
  );
}

/** Runs that read all contacts. */
export const fullKinds: readonly RunKind[] = ["assigned", "all"];
/**
 * A full run does not continue one that read its first page earlier than this, or, with decided deletions (whose contacts are asked for
 * again), one that failed earlier than this.
 */
const takenOverMs = 12 * 3_600_000;

function isTooOld(failed: RunRow): boolean {
  const since = failed.decision ? failed.finishedAt : failed.readSince;
  return fullKinds.includes(failed.kind) && (since ?? failed.startedAt).getTime() < Date.now() - takenOverMs;
}

/**
 * Starts a run. If the last one of its kind failed, it continues there with what that one met and what was decided. Returns undefined if
 * one is running.
 */
export async function insertRun(
  tx: Tx,
  input: { kind: RunKind; requestedBy: number | null },
): Promise<number | undefined> {
  const [last] = await tx
    .select()
    .from(crmSyncRuns)
    .where(eq(crmSyncRuns.kind, input.kind))
    .orderBy(desc(crmSyncRuns.id))
    .limit(1);
  const failed = last?.state === "failed" && last.cursor !== null ? last : undefined;
  const unfinished = failed && !isTooOld(failed) ? failed : undefined;
  const [row] = await tx
    .insert(crmSyncRuns)
    .values({
      ...input,
      cursor: unfinished?.cursor ?? null,
      watermark: unfinished?.watermark ?? null,
      decision: unfinished?.decision ?? null,
      readSince: unfinished?.readSince ?? unfinished?.startedAt ?? sql`clock_timestamp()`,
    })
    .onConflictDoNothing()
    .returning({ id: crmSyncRuns.id });
  if (row && unfinished) {
    await handOnUnread(tx, unfinished.id, row.id);
    await execute(
      tx,
      sql`with pages as (update crm_run_pages set run_id = ${row.id} where run_id = ${unfinished.id})
       update crm_missing set run_id = ${row.id} where run_id = ${unfinished.id} and left_at is null`,
    );
  } else if (row && failed) await forgetRun(tx, failed.id);
  return row?.id;
}

/** Ids of the contacts that a run has met so far. */
export async function findMet(db: Db, runId: number): Promise<Set<string>> {
  const rows = await query<{ ids: string[] }>(
    db,
    sql`select contact_ids as ids from crm_run_pages where run_id = ${runId}`,
  );
  return new Set(rows.flatMap(({ ids }) => ids));
}

/** The newest change of the CRM that is ingested, and whether all contacts were ever ingested; null before the first sync. */
export async function findKnownUntil(db: Db): Promise<{ at: Date; everyone: boolean } | null> {
  const rows = await query<{ at: Date | null; everyone: boolean | null }>(
    db,
    sql`select max(watermark) as at, bool_or(kind = 'all') as everyone from crm_sync_runs
      where state = 'done' and kind in ('assigned', 'all', 'changes')`,
  );
  const { at, everyone } = rows[0] ?? {};
  return at ? { at, everyone: everyone ?? false } : null;
}

/** Whether the last run of changes started longer ago than this. */
export async function changesAreDue(tx: Tx, everySeconds: number): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`select 1 from crm_sync_runs where kind = 'changes'
        and started_at > clock_timestamp() - make_interval(secs => ${everySeconds}) limit 1`,
  );
  return rowCount === 0;
}

/** Removes day-old scheduled runs that found nothing, and changes sent long ago, a limited number at a time. */
export async function pruneHistory(tx: Tx): Promise<void> {
  await execute(
    tx,
    sql`delete from crm_sync_runs where kind = 'changes' and requested_by is null and state = 'done' and errors = '[]'
        and created + changed + deleted = 0 and finished_at < clock_timestamp() - interval '1 day'
        and coalesce(watermark, '-infinity') < (select max(watermark) from crm_sync_runs where state = 'done')`,
  );
  await execute(
    tx,
    sql`delete from crm_outbox where id in (
       select id from crm_outbox where state = 'sent' and sent_at < clock_timestamp() - interval '90 days' limit 1000)`,
  );
}

/** Claims a run for this worker. Returns undefined if it has ended or another living worker has it. */
export async function claimRun(db: Db, input: { runId: number; lease: string }): Promise<RunRow | undefined> {
  const rowCount = await execute(
    db,
    sql`update crm_sync_runs set lease = ${input.lease}, heartbeat_at = clock_timestamp(), attempts = attempts + 1
      where id = ${input.runId} and state = 'running'
        and (lease is null or heartbeat_at < clock_timestamp() - make_interval(secs => ${leaseSeconds}))`,
  );
  return rowCount ? findRun(db, input.runId) : undefined;
}

/** Updates the heartbeat. */
export async function beatRun(db: Db, input: { runId: number; lease: string }): Promise<void> {
  await execute(
    db,
    sql`update crm_sync_runs set heartbeat_at = clock_timestamp() where id = ${input.runId} and lease = ${input.lease} and state = 'running'`,
  );
}

/** Counts of a page. */
export interface PageCounts {
  synced: number;
  created: number;
  changed: number;
  deleted: number;
  /** The newest change among its contacts, or null. */
  newest: Date | null;
  /** Messages of what could not be ingested. */
  errors: string[];
  /** Ids of the contacts that the CRM's list had. */
  met: string[];
}

export const nothing: PageCounts = {
  synced: 0,
  created: 0,
  changed: 0,
  deleted: 0,
  newest: null,
  errors: [],
  met: [],
};

/** Counts of a page, and the consultants whose lists changed. */
export interface PageResult extends PageCounts {
  owners: Iterable<number | null>;
  /** The run is held at this cursor until an administrator decides. */
  heldAt?: CrmCursor;
}

/** A page that was read, and how to write it. Reading holds no connection. */
export interface Page {
  next: CrmCursor | null;
  /** The next page does not depend on what this one writes. */
  mayReadAhead: boolean;
  write(tx: Tx): Promise<PageResult>;
}

export type ReadPage = (cursor: CrmCursor | null) => Promise<Page>;

/** Adds a page's counts and stores the next cursor. Returns false if the run is no longer this worker's. */
export async function advanceRun(
  tx: Tx,
  input: { runId: number; lease: string; cursor: unknown[] | null; page: PageCounts },
): Promise<boolean> {
  const { page } = input;
  const rowCount = await execute(
    tx,
    sql`with met as (insert into crm_run_pages (run_id, contact_ids) select ${input.runId}, ${sql.param(page.met)}::text[] where cardinality(${sql.param(page.met)}::text[]) > 0)
       update crm_sync_runs set cursor = ${input.cursor ? JSON.stringify(input.cursor) : null}, synced = synced + ${page.synced}, created = created + ${page.created}, changed = changed + ${page.changed},
       deleted = deleted + ${page.deleted}, watermark = greatest(watermark, least(${page.newest}, started_at)),
       attempts = 0, heartbeat_at = clock_timestamp(), errors = (select coalesce(jsonb_agg(e order by n), '[]')
                   from jsonb_array_elements(errors || ${JSON.stringify(page.errors)}::jsonb) with ordinality as x(e, n) where n <= ${errorsKept})
      where id = ${input.runId} and lease = ${input.lease} and state = 'running'`,
    { prepared: true },
  );
  return rowCount === 1;
}

/** Ends a run, or holds it at its cursor. With `forgetCursor` the next run starts from the beginning. */
export async function finishRun(
  tx: Tx,
  input: {
    runId: number;
    lease: string;
    state: "done" | "failed" | "held";
    message: (synced: number) => string;
    fault: SyncFault | null;
    forgetCursor: boolean;
  },
): Promise<boolean> {
  const run = await queryFirst<{ synced: number }>(
    tx,
    sql`update crm_sync_runs set state = ${input.state}, finished_at = clock_timestamp(), lease = null,
       cursor = case when ${input.forgetCursor} then null else cursor end
      where id = ${input.runId} and lease = ${input.lease} and state = 'running' returning synced`,
  );
  if (!run) return false;
  // A failed run leaves what it has met to the run that continues it.
  if (input.state === "done" || input.forgetCursor) await forgetRun(tx, input.runId);
  await tx
    .update(crmSyncRuns)
    .set({ message: input.message(run.synced), fault: input.fault })
    .where(eq(crmSyncRuns.id, input.runId));
  return true;
}

/** Releases the run between two pages for the next job. */
export async function releaseRun(tx: Tx, input: { runId: number; lease: string }): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`update crm_sync_runs set lease = null where id = ${input.runId} and lease = ${input.lease} and state = 'running'`,
  );
  return rowCount === 1;
}

/** Frees the runs of dead workers; each id is returned to one caller only. */
export async function freeDeadRuns(tx: Tx): Promise<number[]> {
  const rows = await query<{ id: number }>(
    tx,
    sql`update crm_sync_runs set lease = null, heartbeat_at = clock_timestamp()
      where state = 'running' and heartbeat_at < clock_timestamp() - make_interval(secs => ${leaseSeconds}) returning id`,
  );
  return rows.map(({ id }) => id);
}

export type RunView = RunRow & { requesterName: string | null };

/** The latest runs, newest first. Scheduled runs that found nothing are left out, except the last one. */
export async function listRuns(db: Db, limit: number): Promise<RunView[]> {
  return query<RunView>(
    db,
    sql`select r.id, r.kind, r.state, r.requested_by as "requestedBy", r.synced, r.created, r.changed, r.deleted, r.errors,
       r.message, r.fault, r.started_at as "startedAt", r.finished_at as "finishedAt", u.name as "requesterName"
       from crm_sync_runs r left join users u on u.id = r.requested_by
      where not (r.kind = 'changes' and r.requested_by is null and r.state = 'done'
          and r.created + r.changed + r.deleted = 0 and r.errors = '[]')
        or r.id = (select max(id) from crm_sync_runs where kind = 'changes')
      order by r.id desc nulls last limit ${limit}`,
  );
}

const leadsOf = (tx: Tx, contactIds: string[]) =>
  tx.select({ leadId: leads.id }).from(leads).where(inArray(leads.ghlContactId, contactIds));

/** Records leads whose contact a full run could not read; they are read before they are contacted. */
export async function noteUnread(tx: Tx, runId: number, contactIds: string[]): Promise<void> {
  if (contactIds.length === 0) return;
  const found = await leadsOf(tx, contactIds);
  if (found.length === 0) return;
  await tx
    .insert(crmUnread)
    .values(found.map(({ leadId }) => ({ leadId, runId })))
    .onConflictDoUpdate({ target: crmUnread.leadId, set: { runId } });
}

/** Removes the record for contacts that were read. */
export async function forgetUnread(tx: Tx, contactIds: string[]): Promise<void> {
  if (contactIds.length > 0)
    await tx.delete(crmUnread).where(inArray(crmUnread.leadId, leadsOf(tx, contactIds)));
}

/** A completed full run has read what earlier ones could not, except what it recorded itself. */
export async function forgetUnreadBefore(tx: Tx, runId: number): Promise<void> {
  await tx.delete(crmUnread).where(ne(crmUnread.runId, runId));
}

/** Moves the records of a failed run to the run that continues it. */
async function handOnUnread(tx: Tx, from: number, to: number): Promise<void> {
  await tx.update(crmUnread).set({ runId: to }).where(eq(crmUnread.runId, from));
}
