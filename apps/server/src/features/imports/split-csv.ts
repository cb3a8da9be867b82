import { isUtf8 } from "node:buffer";
import { AppError } from "../../platform/http/app-error.ts";
import { type BatchSize, endOfBatch, type RawBatch, type RawRows } from "./split-leads.ts";

export interface SplitCsv {
  /** Cells of the header. */
  columns: string[];
  batches: RawBatch[];
  total: number;
}

const [quote, comma, lf, cr] = [0x22, 0x2c, 0x0a, 0x0d];
const blanks = new Set([comma, 0x20, 0x09]);

/** Position of a byte, or the end. */
function find(bytes: Buffer, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from);
  return at < 0 ? bytes.length : at;
}

function saysNothing(bytes: Buffer, from: number, to: number): boolean {
  let at = from;
  while (at < to && blanks.has(bytes[at] ?? 0)) at += 1;
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
