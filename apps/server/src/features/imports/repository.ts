import type { DuplicateRule } from "@portal/contract/entities/import";
import type { Role } from "@portal/contract/entities/user";
import type { ImportFault } from "@portal/contract/import-faults";
import type { FieldMapping } from "../../domain/read-lead-record.ts";
import type { Db, Tx } from "../../platform/db/client.ts";
import { imports } from "../../platform/db/schema/imports.ts";
import type { RawBatch } from "./split-leads.ts";

export type ImportRow = typeof imports.$inferSelect;

export interface ImportFailure {
  /** From 0. */
  row: number;
  reasons: ImportFault[];
  /** The row as it came: JSON as text. */
  raw: string;
}

/** An import with its sender's name and the first of its failures. */
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

/** Failures that are shown with an import's figures; failed.csv has all. */
const failuresShown = 100;
/** Batches stored by one statement. */
const batchesAtOnce = 4;

export async function insertImport(tx: Tx, row: NewImport): Promise<number> {
  const [made] = await tx.insert(imports).values(row).returning({ id: imports.id });
  if (!made) throw new Error("no import was written");
  return made.id;
}

/** Stores rows as they came, each batch a text. */
export async function insertBatches(tx: Tx, importId: number, batches: RawBatch[]): Promise<void> {
  let waiting: unknown[] = [];
  const flush = async () => {
    const places = waiting.map((_, n) =>
      n % 3 === 0 ? `($1, $${n + 2}::int, $${n + 3}::int, $${n + 4})` : "",
    );
    await tx.$client.query(
      `insert into import_batches (import_id, first_row, row_count, rows) values ${places.filter(Boolean).join(", ")}`,
      [importId, ...waiting],
    );
    waiting = [];
  };
  for (const { firstRow, rowCount, rows } of batches) {
    waiting.push(firstRow, rowCount, rows());
    if (waiting.length === batchesAtOnce * 3) await flush();
  }
  if (waiting.length > 0) await flush();
}

/** The stored batch in which a row stands. */
export async function findBatch(
  db: Db,
  input: { importId: number; row: number },
): Promise<{ firstRow: number; rows: string } | undefined> {
  const { rows } = await db.$client.query<{ firstRow: number; rows: string }>(
    `select first_row as "firstRow", rows from import_batches
      where import_id = $1 and first_row <= $2 order by first_row desc limit 1`,
    [input.importId, input.row],
  );
  return rows[0];
}

/** Keeps rows that did not go in. */
export async function insertFailures(tx: Tx, importId: number, failures: ImportFailure[]): Promise<void> {
  if (failures.length === 0) return;
  await tx.$client.query(
    `insert into import_failures (import_id, row, reasons, raw)
     select $1, * from unnest($2::int[], $3::jsonb[], $4::text[])`,
    [
      importId,
      failures.map(({ row }) => row),
      failures.map(({ reasons }) => JSON.stringify(reasons)),
      failures.map(({ raw }) => raw),
    ],
  );
}

/** Failures in the order of their rows, after one of them. */
export async function listFailures(
  db: Db,
  input: { importId: number; afterRow: number; limit: number },
): Promise<ImportFailure[]> {
  const { rows } = await db.$client.query<ImportFailure>(
    "select row, reasons, raw from import_failures where import_id = $1 and row > $2 order by row limit $3",
    [input.importId, input.afterRow, input.limit],
  );
  return rows;
}

const view = `i.id, i.user_id as "userId", i.source_system as "sourceSystem", i.file_name as "fileName", i.duplicates, i.columns, i.mapping,
  i.state, i.total, i.position, i.imported, i.updated, i.skipped, i.errors, i.unreadable_phones as "unreadablePhones", i.message, i.lease, i.heartbeat_at as "heartbeatAt",
  i.attempts, i.started_at as "startedAt", i.finished_at as "finishedAt", u.name as "userName",
  coalesce((select jsonb_agg(jsonb_build_object('row', f.row, 'reasons', f.reasons) order by f.row)
     from (select row, reasons from import_failures where import_id = i.id order by row limit ${failuresShown}) f), '[]') as failed`;

export async function findImport(db: Db, importId: number): Promise<ImportView | undefined> {
  const { rows } = await db.$client.query<ImportView>(
    `select ${view} from imports i left join users u on u.id = i.user_id where i.id = $1`,
    [importId],
  );
  return rows[0];
}

/** The newest imports: of one person, or everyone's. */
export async function listImports(
  db: Db,
  input: { userId: number | null; limit: number },
): Promise<ImportView[]> {
  const { rows } = await db.$client.query<ImportView>(
    `select ${view} from imports i left join users u on u.id = i.user_id
      where $1::int is null or i.user_id = $1 order by i.id desc nulls last limit $2`,
    [input.userId, input.limit],
  );
  return rows;
}

/** A worker silent for so long is dead: its import may be taken over. */
const leaseSeconds = 15;

export interface Held {
  importId: number;
  lease: string;
}

/** What a batch did. */
export interface BatchCounts {
  imported: number;
  updated: number;
  skipped: number;
  errors: number;
  unreadablePhones: number;
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
  batch: BatchCounts & { from: number; to: number },
): Promise<boolean> {
  const { rowCount } = await tx.$client.query(
    `update imports set position = $4, imported = imported + $5, updated = updated + $6, skipped = skipped + $7,
       errors = errors + $8, unreadable_phones = unreadable_phones + $9, attempts = 0, heartbeat_at = clock_timestamp()
      where id = $1 and lease = $2 and state = 'running' and position = $3`,
    [
      importId,
      lease,
      batch.from,
      batch.to,
      batch.imported,
      batch.updated,
      batch.skipped,
      batch.errors,
      batch.unreadablePhones,
    ],
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

/** Who sent an import, with the role of now. */
export async function findSender(db: Db, userId: number): Promise<{ userId: number; role: Role } | null> {
  const { rows } = await db.$client.query<{ userId: number; role: Role }>(
    `select id as "userId", role from users where id = $1`,
    [userId],
  );
  return rows[0] ?? null;
}

/** Rows as they came are kept this long after the end; what went in stands as leads. */
const rowsDays = 7;
/** Rows that did not go in, for failed.csv. */
const failuresDays = 90;
/** Imports whose rows are removed by one statement. */
const atOnce = 5;

async function forget(db: Db, table: "import_batches" | "import_failures", days: number): Promise<void> {
  for (;;) {
    const { rowCount } = await db.$client.query(
      `delete from ${table} where import_id = any(array(
         select i.id from imports i
          where i.state <> 'running' and i.finished_at < clock_timestamp() - make_interval(days => $1)
            and exists (select from ${table} where import_id = i.id)
          order by i.id limit $2))`,
      [days, atOnce],
    );
    if (!rowCount) return;
  }
}

/** Forgets what imports brought, some time after their end; the figures stay. A few imports at a time, so that no statement is long. */
export async function pruneImports(db: Db): Promise<void> {
  await forget(db, "import_batches", rowsDays);
  await forget(db, "import_failures", failuresDays);
}
