import { pipeline, Readable } from "node:stream";
import type { Import, ImportResult } from "@portal/contract/entities/import";
import { importFaultText } from "@portal/contract/import-faults";
import { jsonText } from "@portal/contract/json-text";
import { stringify } from "csv-stringify";
import type { Db } from "../../platform/db/client.ts";
import { type ImportRow, type ImportView, listFailures } from "./repository.ts";

/** Row number as a spreadsheet shows it: the header is row 1. */
function rowNumber(row: number, hasHeader: boolean): number {
  return row + (hasHeader ? 2 : 1);
}

/** Phones that cannot be parsed or must not be dialed are stored as they came. */
function unreadablePhonesText(count: number): string {
  return count === 1
    ? "1 phone number cannot be called and was kept as it came."
    : `${count} phone numbers cannot be called and were kept as they came.`;
}

function messageOf({
  state,
  imported,
  skipped,
  updated,
  errors,
  position,
  total,
  unreadablePhones,
  message,
}: ImportView): string {
  if (state === "running") return `Importing: ${position} of ${total} rows so far.`;
  const parts = [
    `${imported} imported`,
    ...(updated > 0 ? [`${updated} updated`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(errors > 0 ? [`${errors} failed`] : []),
  ];
  const phones = unreadablePhones > 0 && unreadablePhonesText(unreadablePhones);
  return [message, `${parts.join(", ")}.`, phones].filter(Boolean).join(" ");
}

/** Presents the figures of an import. */
export function presentResult(row: ImportView): ImportResult {
  const failures = row.failed.map(({ row: at, reasons }) => ({
    row: rowNumber(at, row.columns !== null),
    faults: reasons,
  }));
  return {
    imported: row.imported,
    errors: row.errors,
    details: {
      failed: failures.map(({ row: at, faults }) => `Row ${at}: ${faults.map(importFaultText).join("; ")}`),
    },
    failures,
    updated: row.updated,
    skipped: row.skipped,
    unreadablePhones: row.unreadablePhones,
    total: row.total,
    importId: row.id,
    running: row.state === "running",
    gaveUp: row.state === "failed",
    message: messageOf(row),
  };
}

/** Presents an import for the list. */
export function presentImport(row: ImportView): Import {
  return {
    ...presentResult(row),
    state: row.state,
    sourceSystem: row.sourceSystem,
    fileName: row.fileName,
    processed: row.position,
    userName: row.userName,
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

const page = 500;
/** Keys of free-form records that get their own column; a record with other keys is also written whole in the last column. */
const columnsMax = 200;

async function* failuresOf(db: Db, importId: number) {
  let afterRow = -1;
  for (;;) {
    const rows = await listFailures(db, { importId, afterRow, limit: page });
    const last = rows.at(-1);
    if (!last) return;
    yield* rows;
    afterRow = last.row;
  }
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? jsonText(value) : String(value);
}

interface Headers {
  headers: string[];
  /** Some records have further keys. */
  isMore: boolean;
}

/** Headers for free-form records: the keys of all failed ones. */
async function keysOf(db: Db, importId: number): Promise<Headers> {
  const keys = new Set<string>();
  for await (const { raw } of failuresOf(db, importId)) {
    const record: unknown = JSON.parse(raw);
    if (typeof record === "object" && record !== null && !Array.isArray(record))
      for (const key of Object.keys(record)) keys.add(key);
    if (keys.size > columnsMax) break;
  }
  return { headers: [...keys].slice(0, columnsMax), isMore: keys.size > columnsMax };
}

async function* rowsOf(db: Db, run: Pick<ImportRow, "id" | "columns">, { headers, isMore }: Headers) {
  const known = new Set(headers);
  for await (const { row, reasons, raw } of failuresOf(db, run.id)) {
    const record: unknown = JSON.parse(raw);
    const place = [reasons.map(importFaultText).join("; "), rowNumber(row, run.columns !== null)];
    if (Array.isArray(record)) yield [...place, ...record.map(cellOf)];
    else if (typeof record === "object" && record !== null) {
      const values = record as Record<string, unknown>;
      const cells = headers.map((key) => cellOf(Object.hasOwn(values, key) ? values[key] : null));
      const whole = Object.keys(values).some((key) => !known.has(key)) ? raw : "";
      yield [...place, ...cells, ...(isMore ? [whole] : [])];
    } else yield [...place, cellOf(record)];
  }
}

/**
 * The failed rows of an import as they came, after columns for the reason and the row number, so that they can be fixed and imported again.
 * CSV with a byte order mark, streamed, with formulas neutralised.
 */
export async function failedCsv(db: Db, run: Pick<ImportRow, "id" | "columns">): Promise<Readable> {
  const named = run.columns ? { headers: run.columns, isMore: false } : await keysOf(db, run.id);
  const csv = stringify({
    bom: true,
    record_delimiter: "windows",
    quoted_match: /[\r\n]/,
    escape_formulas: true,
  });
  csv.write(["Import error", "Import row", ...named.headers, ...(named.isMore ? ["Import record"] : [])]);
  pipeline(Readable.from(rowsOf(db, run, named)), csv, () => undefined);
  return csv;
}
