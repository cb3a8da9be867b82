import type { DuplicateRule } from "@portal/contract/entities/import";
import type { ImportFault } from "@portal/contract/import-faults";
import type { Db, Tx } from "../../db/client.ts";
import { imports } from "../../db/schema/imports.ts";
import type { FieldMapping } from "../../values/read-lead-record.ts";
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

/** Failures told with an import's figures; failed.csv has all. */
const failuresTold = 100;
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
  i.state, i.total, i.position, i.imported, i.updated, i.skipped, i.errors, i.message, i.lease, i.heartbeat_at as "heartbeatAt",
  i.attempts, i.started_at as "startedAt", i.finished_at as "finishedAt", u.name as "userName",
  coalesce((select jsonb_agg(jsonb_build_object('row', f.row, 'reasons', f.reasons) order by f.row)
     from (select row, reasons from import_failures where import_id = i.id order by row limit ${failuresTold}) f), '[]') as failed`;

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
