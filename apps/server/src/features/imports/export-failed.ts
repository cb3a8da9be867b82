import { pipeline, Readable } from "node:stream";
import { importFaultText } from "@portal/contract/import-faults";
import { stringify } from "csv-stringify";
import type { Db } from "../../db/client.ts";
import { type ImportRow, listFailures } from "./data.ts";
import { rowNumber } from "./present.ts";

const page = 500;
/** Keys of free-form records that get a column of their own; what has others stands in the last column, whole. */
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
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Headers of free-form records: the keys of the first failures. */
async function keysOf(db: Db, importId: number): Promise<string[]> {
  const first = await listFailures(db, { importId, afterRow: -1, limit: page });
  const keys = new Set<string>();
  for (const { raw } of first) {
    const record: unknown = JSON.parse(raw);
    if (typeof record === "object" && record !== null && !Array.isArray(record))
      for (const key of Object.keys(record)) keys.add(key);
  }
  return [...keys].slice(0, columnsMax);
}

async function* rowsOf(db: Db, run: Pick<ImportRow, "id" | "columns">, headers: string[]) {
  for await (const { row, reasons, raw } of failuresOf(db, run.id)) {
    const record: unknown = JSON.parse(raw);
    const place = [reasons.map(importFaultText).join("; "), rowNumber(row, run.columns !== null)];
    if (Array.isArray(record)) yield [...place, ...record.map(cellOf)];
    else if (typeof record === "object" && record !== null) {
      const known = record as Record<string, unknown>;
      yield [...place, ...headers.map((key) => cellOf(Object.hasOwn(known, key) ? known[key] : null))];
    } else yield [...place, cellOf(record)];
  }
}

/**
 * The rows of an import that did not go in, as they came, after columns for the reason and the row's number, so that they can be mended
 * and imported again: CSV with a byte order mark, streamed, safe from formulas.
 */
export async function failedCsv(db: Db, run: Pick<ImportRow, "id" | "columns">): Promise<Readable> {
  const headers = run.columns ?? (await keysOf(db, run.id));
  const csv = stringify({
    bom: true,
    record_delimiter: "windows",
    quoted_match: /[\r\n]/,
    escape_formulas: true,
  });
  csv.write(["Import error", "Import row", ...headers]);
  pipeline(Readable.from(rowsOf(db, run, headers)), csv, () => undefined);
  return csv;
}
