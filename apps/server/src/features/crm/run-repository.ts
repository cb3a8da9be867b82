import { desc, eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db/client.ts";
import { prepared } from "../../platform/db/prepared.ts";
import { crmSyncRuns } from "../../platform/db/schema/crm.ts";
import type { CrmCursor } from "../../ports/crm.ts";
import { forgetRun } from "./deletion-repository.ts";
import { handOnUnread } from "./unread-repository.ts";

export type RunRow = typeof crmSyncRuns.$inferSelect;
export type RunKind = RunRow["kind"];

/** A worker silent for so long is dead: its run may be taken over. It says every few seconds that it is alive. */
const leaseSeconds = 20;
/** Texts kept with a run of what could not be ingested; `crm_rejects` holds them all. */
const errorsKept = 100;

export async function findRun(db: Db, runId: number): Promise<RunRow | undefined> {
  const [row] = await db.select().from(crmSyncRuns).where(eq(crmSyncRuns.id, runId));
  return row;
}

export async function findRunningRun(db: Db, kind: RunKind): Promise<{ id: number } | undefined> {
  const { rows } = await db.$client.query<{ id: number }>(
    "select id from crm_sync_runs where kind = $1 and state = 'running'",
    [kind],
  );
  return rows[0];
}

/** Runs that read all contacts. */
export const fullKinds: readonly RunKind[] = ["assigned", "all"];
/** No full run goes on with what was read longer ago than this; with decided deletions, whose contacts are asked for anew, where it failed so long ago. */
const takenOverMs = 12 * 3_600_000;

function isTooOld(failed: RunRow): boolean {
  const since = failed.decision ? failed.finishedAt : failed.readSince;
  return fullKinds.includes(failed.kind) && (since ?? failed.startedAt).getTime() < Date.now() - takenOverMs;
}

/**
 * Begins a run where the last one of its kind failed, with what that one had met and what was decided, or at the beginning. Undefined where one is under way.
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
    await tx.$client.query(
      `with pages as (update crm_run_pages set run_id = $2 where run_id = $1)
       update crm_missing set run_id = $2 where run_id = $1 and left_at is null`,
      [unfinished.id, row.id],
    );
  } else if (row && failed) await forgetRun(tx, failed.id);
  return row?.id;
}

/** The contacts that a run has met so far. */
export async function findMet(db: Db, runId: number): Promise<Set<string>> {
  const { rows } = await db.$client.query<{ ids: string[] }>(
    "select contact_ids as ids from crm_run_pages where run_id = $1",
    [runId],
  );
  return new Set(rows.flatMap(({ ids }) => ids));
}

/** Up to what change the CRM's contacts are known here, and whether all of them were ever ingested; null before the first sync. */
export async function findKnownUntil(db: Db): Promise<{ at: Date; everyone: boolean } | null> {
  const { rows } = await db.$client.query<{ at: Date | null; everyone: boolean | null }>(
    `select max(watermark) as at, bool_or(kind = 'all') as everyone from crm_sync_runs
      where state = 'done' and kind in ('assigned', 'all', 'changes')`,
  );
  const { at, everyone } = rows[0] ?? {};
  return at ? { at, everyone: everyone ?? false } : null;
}

/** Whether a run of changes is due: none was begun for so long. */
export async function changesAreDue(tx: Tx, everySeconds: number): Promise<boolean> {
  const { rowCount } = await tx.$client.query(
    `select 1 from crm_sync_runs where kind = 'changes'
        and started_at > clock_timestamp() - make_interval(secs => $1) limit 1`,
    [everySeconds],
  );
  return rowCount === 0;
}

/** Forgets runs of the schedule that found nothing, a day old, and changes that the CRM has had for long; some at a time. */
export async function pruneHistory(tx: Tx): Promise<void> {
  await tx.$client.query(
    `delete from crm_sync_runs where kind = 'changes' and requested_by is null and state = 'done' and errors = '[]'
        and created + changed + deleted = 0 and finished_at < clock_timestamp() - interval '1 day'
        and coalesce(watermark, '-infinity') < (select max(watermark) from crm_sync_runs where state = 'done')`,
  );
  await tx.$client.query(
    `delete from crm_outbox where id in (
       select id from crm_outbox where state = 'sent' and sent_at < clock_timestamp() - interval '90 days' limit 1000)`,
  );
}

/** Takes a run for this worker; undefined where it has ended or another worker is alive at it. */
export async function claimRun(db: Db, input: { runId: number; lease: string }): Promise<RunRow | undefined> {
  const { rowCount } = await db.$client.query(
    `update crm_sync_runs set lease = $2, heartbeat_at = clock_timestamp(), attempts = attempts + 1
      where id = $1 and state = 'running'
        and (lease is null or heartbeat_at < clock_timestamp() - make_interval(secs => $3))`,
    [input.runId, input.lease, leaseSeconds],
  );
  return rowCount ? findRun(db, input.runId) : undefined;
}

/** Says that the worker is alive. */
export async function beatRun(db: Db, input: { runId: number; lease: string }): Promise<void> {
  await db.$client.query(
    "update crm_sync_runs set heartbeat_at = clock_timestamp() where id = $1 and lease = $2 and state = 'running'",
    [input.runId, input.lease],
  );
}

/** What a page did. */
export interface PageCounts {
  synced: number;
  created: number;
  changed: number;
  deleted: number;
  /** The newest change among its contacts. */
  newest: Date | null;
  /** What could not be ingested, in words. */
  errors: string[];
  /** Ids of the contacts that the CRM's list had. */
  met: string[];
}

/** A page that did nothing. */
export const nothing: PageCounts = {
  synced: 0,
  created: 0,
  changed: 0,
  deleted: 0,
  newest: null,
  errors: [],
  met: [],
};

/** What a page did, and whose lists changed. */
export interface PageResult extends PageCounts {
  owners: Iterable<number | null>;
  /** The run stops here, at this cursor, until an administrator decides. */
  heldAt?: CrmCursor;
}

/** A page that was read, and how it is written; reading holds no connection. */
export interface Page {
  next: CrmCursor | null;
  /** The next page does not depend on what this one writes. */
  mayReadAhead: boolean;
  write(tx: Tx): Promise<PageResult>;
}

export type ReadPage = (cursor: CrmCursor | null) => Promise<Page>;

/** Counts a page and keeps where the next one begins; false where the run is no longer this worker's. */
export async function advanceRun(
  tx: Tx,
  input: { runId: number; lease: string; cursor: unknown[] | null; page: PageCounts },
): Promise<boolean> {
  const { page } = input;
  const { rowCount } = await tx.$client.query(
    prepared(
      `with met as (insert into crm_run_pages (run_id, contact_ids) select $1, $11::text[] where cardinality($11::text[]) > 0)
       update crm_sync_runs set cursor = $3, synced = synced + $4, created = created + $7, changed = changed + $8,
       deleted = deleted + $9, watermark = greatest(watermark, least($10, started_at)),
       attempts = 0, heartbeat_at = clock_timestamp(), errors = (select coalesce(jsonb_agg(e order by n), '[]')
                   from jsonb_array_elements(errors || $5::jsonb) with ordinality as x(e, n) where n <= $6)
      where id = $1 and lease = $2 and state = 'running'`,
      [
        input.runId,
        input.lease,
        input.cursor ? JSON.stringify(input.cursor) : null,
        page.synced,
        JSON.stringify(page.errors),
        errorsKept,
        page.created,
        page.changed,
        page.deleted,
        page.newest,
        page.met,
      ],
    ),
  );
  return rowCount === 1;
}

/** Ends a run, or holds it at its cursor. `forgetCursor` where the next one must begin anew. */
export async function finishRun(
  tx: Tx,
  input: {
    runId: number;
    lease: string;
    state: "done" | "failed" | "held";
    message: (synced: number) => string;
    forgetCursor: boolean;
  },
): Promise<boolean> {
  const { rows } = await tx.$client.query<{ synced: number }>(
    `update crm_sync_runs set state = $3, finished_at = clock_timestamp(), lease = null,
       cursor = case when $4 then null else cursor end
      where id = $1 and lease = $2 and state = 'running' returning synced`,
    [input.runId, input.lease, input.state, input.forgetCursor],
  );
  const [run] = rows;
  if (!run) return false;
  // A run that failed hands on what it has met to the one that goes on from its cursor.
  if (input.state === "done" || input.forgetCursor) await forgetRun(tx, input.runId);
  await tx
    .update(crmSyncRuns)
    .set({ message: input.message(run.synced) })
    .where(eq(crmSyncRuns.id, input.runId));
  return true;
}

/** Gives the run up between two pages, for the next job. */
export async function releaseRun(tx: Tx, input: { runId: number; lease: string }): Promise<boolean> {
  const { rowCount } = await tx.$client.query(
    "update crm_sync_runs set lease = null where id = $1 and lease = $2 and state = 'running'",
    [input.runId, input.lease],
  );
  return rowCount === 1;
}

/** Takes the runs of dead workers away from them; each is answered to one caller only. */
export async function freeDeadRuns(tx: Tx): Promise<number[]> {
  const { rows } = await tx.$client.query<{ id: number }>(
    `update crm_sync_runs set lease = null, heartbeat_at = clock_timestamp()
      where state = 'running' and heartbeat_at < clock_timestamp() - make_interval(secs => $1) returning id`,
    [leaseSeconds],
  );
  return rows.map(({ id }) => id);
}

export type RunView = RunRow & { requesterName: string | null };

/** The last runs, newest first. A run of the schedule that found nothing is left out, but for the last of them. */
export async function listRuns(db: Db, limit: number): Promise<RunView[]> {
  const { rows } = await db.$client.query<RunView>(
    `select r.id, r.kind, r.state, r.requested_by as "requestedBy", r.synced, r.created, r.changed, r.deleted, r.errors,
       r.message, r.started_at as "startedAt", r.finished_at as "finishedAt", u.name as "requesterName"
       from crm_sync_runs r left join users u on u.id = r.requested_by
      where not (r.kind = 'changes' and r.requested_by is null and r.state = 'done'
          and r.created + r.changed + r.deleted = 0 and r.errors = '[]')
        or r.id = (select max(id) from crm_sync_runs where kind = 'changes')
      order by r.id desc nulls last limit $1`,
    [limit],
  );
  return rows;
}
