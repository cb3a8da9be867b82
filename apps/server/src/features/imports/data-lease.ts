import type { Db, Tx } from "../../db/client.ts";
import { findImport, type ImportView } from "./data.ts";

/** A worker silent for so long is dead: its import may be taken over. */
const leaseSeconds = 15;

export interface Held {
  importId: number;
  lease: string;
}

/** What a batch did. */
export interface BatchFigures {
  imported: number;
  updated: number;
  skipped: number;
  errors: number;
}

/** Takes an import for this worker; undefined where it has ended or another worker is alive at it. */
export async function claimImport(db: Db, { importId, lease }: Held): Promise<ImportView | undefined> {
  const { rowCount } = await db.$client.query(
    `update imports set lease = $2, heartbeat_at = clock_timestamp(), attempts = attempts + 1
      where id = $1 and state = 'running'
        and (lease is null or heartbeat_at < clock_timestamp() - make_interval(secs => $3))`,
    [importId, lease, leaseSeconds],
  );
  return rowCount ? findImport(db, importId) : undefined;
}

/** Says that the worker is alive. */
export async function beatImport(db: Db, { importId, lease }: Held): Promise<void> {
  await db.$client.query(
    "update imports set heartbeat_at = clock_timestamp() where id = $1 and lease = $2 and state = 'running'",
    [importId, lease],
  );
}

/** Counts a batch and moves on to the next; false where the import is no longer this worker's. */
export async function advanceImport(
  tx: Tx,
  { importId, lease }: Held,
  batch: BatchFigures & { from: number; to: number },
): Promise<boolean> {
  const { rowCount } = await tx.$client.query(
    `update imports set position = $4, imported = imported + $5, updated = updated + $6, skipped = skipped + $7,
       errors = errors + $8, attempts = 0, heartbeat_at = clock_timestamp()
      where id = $1 and lease = $2 and state = 'running' and position = $3`,
    [importId, lease, batch.from, batch.to, batch.imported, batch.updated, batch.skipped, batch.errors],
  );
  return rowCount === 1;
}

/** Ends an import; false where it is no longer this worker's. */
export async function finishImport(
  tx: Tx,
  { importId, lease }: Held,
  end: { state: "done" | "failed"; message: string | null },
): Promise<boolean> {
  const { rowCount } = await tx.$client.query(
    `update imports set state = $3, message = $4, finished_at = clock_timestamp(), lease = null
      where id = $1 and lease = $2 and state = 'running'`,
    [importId, lease, end.state, end.message],
  );
  return rowCount === 1;
}

/** Gives the import up between two batches, for the next job. */
export async function releaseImport(tx: Tx, { importId, lease }: Held): Promise<void> {
  await tx.$client.query(
    "update imports set lease = null where id = $1 and lease = $2 and state = 'running'",
    [importId, lease],
  );
}

/** Takes the imports of dead workers away from them; each is answered to one caller only. */
export async function freeDeadImports(tx: Tx): Promise<number[]> {
  const { rows } = await tx.$client.query<{ id: number }>(
    `update imports set lease = null, heartbeat_at = clock_timestamp()
      where state = 'running' and heartbeat_at < clock_timestamp() - make_interval(secs => $1) returning id`,
    [leaseSeconds],
  );
  return rows.map(({ id }) => id);
}
