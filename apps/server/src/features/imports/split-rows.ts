import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ImportFault } from "@portal/contract/import-faults";
import { createRecordReader } from "../../domain/read-lead-record.ts";
import type { imports } from "../../platform/db/schema/imports.ts";
import { AppError } from "../../platform/http/app-error.ts";
import { type PreparedLead, prepareLead } from "../leads/ingest/merge-record.ts";

/** Unparsed rows: a part of the request's bytes. */
export interface RawBatch {
  firstRow: number;
  rowCount: number;
  /** The rows as they are stored: a JSON array, or CSV (`readStoredRows`). */
  rows(): string;
}

/** Maximum size of a batch; a row with more bytes is a batch of its own. */
export interface BatchSize {
  rows: number;
  bytes: number;
}

/** The first row of the next batch. `placeOf` is the byte position at which a row begins; for the row after the last, the end. */
function endOfBatch(first: number, total: number, size: BatchSize, placeOf: (row: number) => number): number {
  let end = first + 1;
  while (end < total && end - first < size.rows && placeOf(end + 1) - placeOf(first) <= size.bytes) end += 1;
  return end;
}

/** Rows of a stored batch. */
interface RawRows {
  readonly length: number;
  at(index: number): unknown;
}

interface SplitLeads {
  batches: RawBatch[];
  total: number;
  /** The request's body with null for each row. */
  body: Record<string, unknown>;
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const openers = new Set([0x5b, 0x7b]);
const closers = new Set([0x5d, 0x7d]);
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d]);
const key = Buffer.from('"leads"');

function stringEnd(bytes: Buffer, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (blanks.has(bytes[at] ?? 0)) at += 1;
  return at;
}

/** Position at which the array of the top-level `leads` opens, or -1. */
function findLeads(bytes: Buffer): number {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) {
      const end = stringEnd(bytes, at);
      const isKey = depth === 1 && bytes.subarray(at, end + 1).equals(key);
      at = end;
      if (!isKey) continue;
      const after = skipBlanks(bytes, end + 1);
      if (bytes[after] !== colon) continue;
      const value = skipBlanks(bytes, after + 1);
      return bytes[value] === 0x5b ? value : -1;
    }
    if (openers.has(byte)) depth += 1;
    else if (closers.has(byte)) depth -= 1;
  }
  return -1;
}

/** Positions of the commas between the rows and of the array's end; null if the array is not closed. */
function findRows(bytes: Buffer, open: number): { commas: number[]; end: number } | null {
  const commas: number[] = [];
  let depth = 1;
  for (let at = open + 1; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) at = stringEnd(bytes, at);
    else if (byte === comma) {
      if (depth === 1) commas.push(at);
    } else if (openers.has(byte)) depth += 1;
    else if (closers.has(byte)) {
      depth -= 1;
      if (depth === 0) return { commas, end: at };
    }
  }
  return null;
}

/**
 * Divides the body of an import into batches of rows by byte positions, so that a file of 100,000 rows is never in memory as objects.
 * Returns null if `leads` is not an array or its key is written with escapes. The content of a batch is not checked: `rows()` may be
 * invalid JSON.
 */
export function splitLeads(bytes: Buffer, size: BatchSize): SplitLeads | null {
  const open = findLeads(bytes);
  const found = open < 0 ? null : findRows(bytes, open);
  if (!found) return null;
  const { commas, end } = found;
  const isEmpty = skipBlanks(bytes, open + 1) === end;
  const total = isEmpty ? 0 : commas.length + 1;
  const edges = [open, ...commas, end];
  const batches: RawBatch[] = [];
  const placeOf = (row: number) => edges[row] ?? end;
  for (let firstRow = 0; firstRow < total; ) {
    const next = endOfBatch(firstRow, total, size, placeOf);
    const [from, to] = [placeOf(firstRow), placeOf(next)];
    const rows = () => `[${bytes.toString("utf8", from + 1, to)}]`;
    batches.push({ firstRow, rowCount: next - firstRow, rows });
    firstRow = next;
  }
  const rest = `${bytes.toString("utf8", 0, open)}[]${bytes.toString("utf8", end + 1)}`;
  const body: unknown = JSON.parse(rest);
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  const leads = (body as Record<string, unknown>).leads;
  // With two keys of that name the later one counts, which is not the one that was divided.
  if (!Array.isArray(leads) || leads.length > 0) return null;
  return { batches, total, body: { ...body, leads: Array.from({ length: total }, () => null) } };
}

interface SplitCsv {
  /** Cells of the header. */
  columns: string[];
  batches: RawBatch[];
  total: number;
}

const [lf, cr] = [0x0a, 0x0d];
/** Bytes of a line without a value. */
const csvBlanks = new Set([comma, 0x20, 0x09]);

/** Position of a byte, or the end. */
function find(bytes: Buffer, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from);
  return at < 0 ? bytes.length : at;
}

function saysNothing(bytes: Buffer, from: number, to: number): boolean {
  let at = from;
  while (at < to && csvBlanks.has(bytes[at] ?? 0)) at += 1;
  return at === to;
}

/** Start and end positions of the non-empty lines; line breaks inside quotes belong to the text. */
function findLines(bytes: Buffer): number[] {
  const lines: number[] = [];
  let opening = find(bytes, quote, 0);
  for (let start = 0; start < bytes.length; ) {
    let end = find(bytes, lf, start);
    while (opening < end) {
      const closing = find(bytes, quote, opening + 1);
      if (closing === bytes.length) throw new AppError("invalid", "The CSV has a quote that is not closed.");
      if (closing > end) end = find(bytes, lf, closing);
      opening = find(bytes, quote, closing + 1);
    }
    const to = bytes[end - 1] === cr ? end - 1 : end;
    if (!saysNothing(bytes, start, to)) lines.push(start, to);
    start = end + 1;
  }
  return lines;
}

function unquoted(cell: string): string {
  if (cell.length < 2 || !cell.startsWith('"') || !cell.endsWith('"')) return cell;
  const text = cell.slice(1, -1);
  return text.includes('"') ? text.replaceAll('""', '"') : text;
}

function cellsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(",");
  const cells: string[] = [];
  let [start, isQuoted] = [0, false];
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code === quote) isQuoted = !isQuoted;
    else if (code === comma && !isQuoted) {
      cells.push(unquoted(line.slice(start, at)));
      start = at + 1;
    }
  }
  cells.push(unquoted(line.slice(start)));
  return cells;
}

const lineAt = (bytes: Buffer, lines: number[], index: number) =>
  cellsOf(bytes.toString("utf8", lines[2 * index], lines[2 * index + 1]));

function readLines(bytes: Buffer): RawRows {
  const lines = findLines(bytes);
  return { length: lines.length / 2, at: (index) => lineAt(bytes, lines, index) };
}

/** First character of a stored batch of CSV lines; JSON never begins with it. */
const csvMark = "\n";

/** Rows of a stored batch, JSON or CSV; a CSV line is parsed on access. */
export function readStoredRows(stored: string): RawRows {
  return stored.startsWith(csvMark) ? readLines(Buffer.from(stored)) : (JSON.parse(stored) as unknown[]);
}

/**
 * Divides a CSV body (RFC 4180: UTF-8, commas, a header) into batches of rows by byte positions. The lines are stored as they came and
 * parsed when they are worked. Empty lines are no rows. Errors: `invalid` if it is not UTF-8 or a quote is not closed.
 */
export function splitCsv(bytes: Buffer, size: BatchSize): SplitCsv {
  if (!isUtf8(bytes)) throw new AppError("invalid", "The CSV is not UTF-8.");
  const lines = findLines(bytes);
  const total = Math.max(0, lines.length / 2 - 1);
  // PostgreSQL cannot store U+0000.
  const isStorable = !bytes.includes(0);
  const batches: RawBatch[] = [];
  const placeOf = (row: number) => lines[2 * (row + 1)] ?? bytes.length;
  for (let firstRow = 0; firstRow < total; ) {
    const next = endOfBatch(firstRow, total, size, placeOf);
    const [from, to, start, rowCount] = [placeOf(firstRow), placeOf(next), firstRow, next - firstRow];
    const rows = () =>
      isStorable
        ? csvMark + bytes.toString("utf8", from, to)
        : JSON.stringify(
            Array.from({ length: rowCount }, (_, index) => lineAt(bytes, lines, 1 + start + index)),
          );
    batches.push({ firstRow, rowCount, rows });
    firstRow = next;
  }
  const [first = "", ...rest] = lines.length > 0 ? lineAt(bytes, lines, 0) : [];
  return { columns: [first.replace(/^\ufeff/, ""), ...rest], batches, total };
}

export interface ReadRow {
  row: number;
  /** Batch and index of the unparsed row. Thousands of rows are in memory at once and few are needed again. */
  raws: RawRows;
  place: number;
  lead: PreparedLead;
  reasons: ImportFault[];
  /** The row has a phone that cannot be parsed, and an email. */
  isPhoneUnreadable: boolean;
}

/** Rows parsed in one go, about a millisecond, which is the longest that other requests wait. */
const turnRows = 50;

/** Record of a lead that is skipped if it exists. */
const unsaid: PreparedLead["record"] = {};

/**
 * Returns a reader that parses rows by the import's columns and mapping, and computes everything that needs no database: the rows of a
 * batch from index `from`, of which the first is the import's row `row`.
 */
export function createRowReader(
  run: Pick<typeof imports.$inferSelect, "columns" | "mapping" | "sourceSystem" | "duplicates">,
  country: "US" | "ES",
): (raws: RawRows, from: number, row: number) => Promise<ReadRow[]> {
  const read = createRecordReader({ country, columns: run.columns, mapping: run.mapping });
  return async (raws, from, row) => {
    const rows: ReadRow[] = [];
    for (let place = from; place < raws.length; place += 1) {
      if ((place - from) % turnRows === 0) await nextTurn();
      const { lead, reasons, isPhoneUnreadable } = read(raws.at(place));
      lead.leadSource ||= run.sourceSystem;
      const { columns } = prepareLead(lead, country);
      const said = run.duplicates === "skip" ? unsaid : lead;
      rows.push({
        row: row + place - from,
        raws,
        place,
        reasons,
        isPhoneUnreadable,
        lead: { record: said, columns },
      });
    }
    return rows;
  };
}
