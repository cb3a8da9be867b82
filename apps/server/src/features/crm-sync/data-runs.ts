import { desc, eq } from "drizzle-orm";
import type { Db, Tx } from "../../db/client.ts";
import { crmSyncPages, crmSyncRuns } from "../../db/schema/crm.ts";

export type RunRow = typeof crmSyncRuns.$inferSelect;
export type RunKind = RunRow["kind"];

/** A worker silent for so long is dead: its run may be taken over. */
const leaseSeconds = 60;
/** Texts kept with a run of what could not be taken in; `crm_rejects` holds them all. */
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

/** Begins a run where the last one of its kind failed, or at the beginning. Undefined where one is under way. */
export async function insertRun(
  tx: Tx,
  input: { kind: RunKind; requestedBy: number },
): Promise<number | undefined> {
  const [last] = await tx
    .select()
    .from(crmSyncRuns)
    .where(eq(crmSyncRuns.kind, input.kind))
    .orderBy(desc(crmSyncRuns.id))
    .limit(1);
  const cursor = last?.state === "failed" ? last.cursor : null;
  const [row] = await tx
    .insert(crmSyncRuns)
    .values({ ...input, cursor })
    .onConflictDoNothing()
    .returning({ id: crmSyncRuns.id });
  return row?.id;
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

/** Counts a page and keeps where the next one begins; false where the run is no longer this worker's. */
export async function advanceRun(
  tx: Tx,
  input: { runId: number; lease: string; cursor: unknown[] | null; synced: number; errors: string[] },
): Promise<boolean> {
  const { rowCount } = await tx.$client.query(
    `update crm_sync_runs set cursor = $3, synced = synced + $4, attempts = 0, heartbeat_at = clock_timestamp(),
       errors = (select coalesce(jsonb_agg(e order by n), '[]')
                   from jsonb_array_elements(errors || $5::jsonb) with ordinality as x(e, n) where n <= $6)
      where id = $1 and lease = $2 and state = 'running'`,
    [
      input.runId,
      input.lease,
      input.cursor ? JSON.stringify(input.cursor) : null,
      input.synced,
      JSON.stringify(input.errors),
      errorsKept,
    ],
  );
  return rowCount === 1;
}

/** The contacts that a run has counted so far, by whichever worker. */
export async function findCounted(db: Db, runId: number): Promise<Set<string>> {
  const { rows } = await db.$client.query<{ id: string }>(
    "select unnest(contact_ids) as id from crm_sync_pages where run_id = $1",
    [runId],
  );
  return new Set(rows.map(({ id }) => id));
}

export async function keepCounted(tx: Tx, input: { runId: number; contactIds: string[] }): Promise<void> {
  await tx.insert(crmSyncPages).values(input);
}

/** Ends a run. `forgetCursor` where the next one must begin anew. */
export async function finishRun(
  tx: Tx,
  input: {
    runId: number;
    lease: string;
    state: "done" | "failed";
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
  await tx.delete(crmSyncPages).where(eq(crmSyncPages.runId, input.runId));
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
