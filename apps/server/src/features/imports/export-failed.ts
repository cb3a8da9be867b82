import { pipeline, Readable } from "node:stream";
import { importFaultText } from "@portal/contract/import-faults";
import { jsonText } from "@portal/contract/json-text";
import { stringify } from "csv-stringify";
import type { Db } from "../../platform/db/client.ts";
import { rowNumber } from "./present.ts";
import { type ImportRow, listFailures } from "./repository.ts";

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
