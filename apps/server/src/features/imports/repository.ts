import type { DuplicateRule } from "@portal/contract/entities/import";
import type { Role } from "@portal/contract/entities/user";
import type { ImportFault } from "@portal/contract/import-faults";
import type { FieldMapping } from "../../domain/read-lead-record.ts";
import type { Db, Tx } from "../../platform/db/client.ts";
import { execute, query, queryFirst, sql } from "../../platform/db/query.ts";
import { imports } from "../../platform/db/schema/imports.ts";
import type { RawBatch } from "./split-rows.ts";

export type ImportRow = typeof imports.$inferSelect;

export interface ImportFailure {
  /** Zero-based. */
  row: number;
  reasons: ImportFault[];
  /** The row as it came, as JSON text. */
  raw: string;
}

/** An import with its sender's name and its first failures. */
export type ImportView = ImportRow & {
  userName: string | null;
  failed: { row: number; reasons: ImportFault[] }[];
};

export interface NewImport {
  userId: number | null;
  sourceSystem: string;
  fileName: string | null;
  duplicates: DuplicateRule;
  columns: string[] | null;
  mapping: FieldMapping | null;
  total: number;
}

/** Failures shown with an import; failed.csv has all of them. */
const failuresShown = 100;
/** Batches inserted by one statement. */
const batchesAtOnce = 4;

export async function insertImport(tx: Tx, row: NewImport): Promise<number> {
  const [made] = await tx.insert(imports).values(row).returning({ id: imports.id });
  if (!made) throw new Error("no import was written");
  return made.id;
}

/** Stores rows as they came, one text per batch. */
export async function insertBatches(tx: Tx, importId: number, batches: RawBatch[]): Promise<void> {
  for (let at = 0; at < batches.length; at += batchesAtOnce) {
    const values = batches
      .slice(at, at + batchesAtOnce)
      .map(
        ({ firstRow, rowCount, rows }) => sql`(${importId}, ${firstRow}::int, ${rowCount}::int, ${rows()})`,
      );
    await execute(
      tx,
      sql`insert into import_batches (import_id, first_row, row_count, rows) values ${sql.join(values, sql`, `)}`,
    );
  }
}

/** The stored batch that contains a row. */
export async function findBatch(
  db: Db,
  input: { importId: number; row: number },
): Promise<{ firstRow: number; rows: string } | undefined> {
  return queryFirst<{ firstRow: number; rows: string }>(
    db,
    sql`select first_row as "firstRow", rows from import_batches
      where import_id = ${input.importId} and first_row <= ${input.row} order by first_row desc limit 1`,
  );
}

/** Stores failed rows. */
export async function insertFailures(tx: Tx, importId: number, failures: ImportFailure[]): Promise<void> {
  if (failures.length === 0) return;
  const column = (of: (failure: ImportFailure) => unknown) => sql.param(failures.map(of));
  await execute(
    tx,
    sql`insert into import_failures (import_id, row, reasons, raw)
     select ${importId}, * from unnest(${column(({ row }) => row)}::int[],
       ${column(({ reasons }) => JSON.stringify(reasons))}::jsonb[], ${column(({ raw }) => raw)}::text[])`,
  );
}

/** Failures by row number, after `afterRow`. */
export async function listFailures(
  db: Db,
  input: { importId: number; afterRow: number; limit: number },
): Promise<ImportFailure[]> {
  return query<ImportFailure>(
    db,
    sql`select row, reasons, raw from import_failures where import_id = ${input.importId} and row > ${input.afterRow} order by row limit ${input.limit}`,
  );
}

const view = sql`i.id, i.user_id as "userId", i.source_system as "sourceSystem", i.file_name as "fileName", i.duplicates, i.columns, i.mapping,
  i.state, i.total, i.position, i.imported, i.updated, i.skipped, i.errors, i.unreadable_phones as "unreadablePhones", i.message, i.lease, i.heartbeat_at as "heartbeatAt",
  i.attempts, i.started_at as "startedAt", i.finished_at as "finishedAt", u.name as "userName",
  coalesce((select jsonb_agg(jsonb_build_object('row', f.row, 'reasons', f.reasons) order by f.row)
     from (select row, reasons from import_failures where import_id = i.id order by row limit ${failuresShown}) f), '[]') as failed`;

export async function findImport(db: Db, importId: number): Promise<ImportView | undefined> {
  return queryFirst<ImportView>(
    db,
    sql`select ${view} from imports i left join users u on u.id = i.user_id where i.id = ${importId}`,
  );
}

/** The newest imports of one user, or of all (null). */
export async function listImports(
  db: Db,
  input: { userId: number | null; limit: number },
): Promise<ImportView[]> {
  return query<ImportView>(
    db,
    sql`select ${view} from imports i left join users u on u.id = i.user_id
      where ${input.userId}::int is null or i.user_id = ${input.userId} order by i.id desc nulls last limit ${input.limit}`,
  );
}

/** A worker without a heartbeat for this long is dead, and its import may be taken over. */
const leaseSeconds = 15;

export interface Held {
  importId: number;
  lease: string;
}

/** Counts of a batch. */
export interface BatchCounts {
  imported: number;
  updated: number;
  skipped: number;
  errors: number;
  unreadablePhones: number;
}

/** Claims an import for this worker. Returns undefined if it has ended or another living worker has it. */
export async function claimImport(db: Db, { importId, lease }: Held): Promise<ImportView | undefined> {
  const rowCount = await execute(
    db,
    sql`update imports set lease = ${lease}, heartbeat_at = clock_timestamp(), attempts = attempts + 1
      where id = ${importId} and state = 'running'
        and (lease is null or heartbeat_at < clock_timestamp() - make_interval(secs => ${leaseSeconds}))`,
  );
  return rowCount ? findImport(db, importId) : undefined;
}

/** Updates the heartbeat. */
export async function beatImport(db: Db, { importId, lease }: Held): Promise<void> {
  await execute(
    db,
    sql`update imports set heartbeat_at = clock_timestamp() where id = ${importId} and lease = ${lease} and state = 'running'`,
  );
}

/** Adds a batch's counts and moves to the next one. Returns false if the import is no longer this worker's. */
export async function advanceImport(
  tx: Tx,
  { importId, lease }: Held,
  batch: BatchCounts & { from: number; to: number },
): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`update imports set position = ${batch.to}, imported = imported + ${batch.imported}, updated = updated + ${batch.updated}, skipped = skipped + ${batch.skipped},
       errors = errors + ${batch.errors}, unreadable_phones = unreadable_phones + ${batch.unreadablePhones}, attempts = 0, heartbeat_at = clock_timestamp()
      where id = ${importId} and lease = ${lease} and state = 'running' and position = ${batch.from}`,
  );
  return rowCount === 1;
}

/** Ends an import. Returns false if it is no longer this worker's. */
export async function finishImport(
  tx: Tx,
  { importId, lease }: Held,
  end: { state: "done" | "failed"; message: string | null },
): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`update imports set state = ${end.state}, message = ${end.message}, finished_at = clock_timestamp(), lease = null
      where id = ${importId} and lease = ${lease} and state = 'running'`,
  );
  return rowCount === 1;
}

/** Releases the import between two batches for the next job. */
export async function releaseImport(tx: Tx, { importId, lease }: Held): Promise<void> {
  await execute(
    tx,
    sql`update imports set lease = null where id = ${importId} and lease = ${lease} and state = 'running'`,
  );
}

/** Frees the imports of dead workers; each id is returned to one caller only. */
export async function freeDeadImports(tx: Tx): Promise<number[]> {
  const rows = await query<{ id: number }>(
    tx,
    sql`update imports set lease = null, heartbeat_at = clock_timestamp()
      where state = 'running' and heartbeat_at < clock_timestamp() - make_interval(secs => ${leaseSeconds}) returning id`,
  );
  return rows.map(({ id }) => id);
}

/** The sender of an import with their current role. */
export async function findSender(db: Db, userId: number): Promise<{ userId: number; role: Role } | null> {
  const row = await queryFirst<{ userId: number; role: Role }>(
    db,
    sql`select id as "userId", role from users where id = ${userId}`,
  );
  return row ?? null;
}

/** Days for which unparsed rows are stored after the end; imported rows exist as leads. */
const rowsDays = 7;
/** Days for which failed rows are stored. */
const failuresDays = 90;
/** Imports whose rows are removed by one statement. */
const atOnce = 5;

async function forget(db: Db, table: "import_batches" | "import_failures", days: number): Promise<void> {
  for (;;) {
    const rowCount = await execute(
      db,
      sql`delete from ${sql.identifier(table)} where import_id = any(array(
         select i.id from imports i
          where i.state <> 'running' and i.finished_at < clock_timestamp() - make_interval(days => ${days})
            and exists (select from ${sql.identifier(table)} where import_id = i.id)
          order by i.id limit ${atOnce}))`,
    );
    if (!rowCount) return;
  }
}

/** Removes the stored rows of old imports; their figures stay. A few imports per statement, so that none takes long. */
export async function pruneImports(db: Db): Promise<void> {
  await forget(db, "import_batches", rowsDays);
  await forget(db, "import_failures", failuresDays);
}
