import { leadFieldOf } from "@portal/contract/lead-headers";
import { limits } from "@portal/contract/limits";
import Papa from "papaparse";

export interface CsvTable {
  /** Unique, non-empty headers. */
  columns: string[];
  rows: string[][];
  delimiter: string;
  /** Number of unbalanced quotes, which were treated as text. */
  strayQuotes: number;
}

/** Maximum number of quotes to repair. */
const mendsMax = 20;

/** Excel's optional first line, which names the separator. */
function splitSeparatorLine(text: string): { delimiter: string; body: string } {
  const match = /^"?sep=(.)"?\n/i.exec(text);
  return match
    ? { delimiter: match[1] ?? "", body: text.slice(match[0].length) }
    : { delimiter: "", body: text };
}

function parseRows(text: string, delimiter: string) {
  return Papa.parse<string[]>(text, {
    delimiter,
    delimitersToGuess: [",", ";", "\t", "|"],
    newline: "\n",
    skipEmptyLines: "greedy",
  });
}

/**
 * Position of a quote that opens a cell and is never closed, or -1. It would swallow the rows below, and is recognised by a malformed cell
 * that spans lines.
 */
function strayQuote({ data, errors }: Papa.ParseResult<string[]>): number {
  const error = errors.find(
    ({ type, code, row }) =>
      type === "Quotes" && (code === "MissingQuotes" || data[row ?? -1]?.some((cell) => cell.includes("\n"))),
  );
  return error?.index === undefined ? -1 : error.index;
}

/** Headers as unique names: trimmed, empty ones filled, repeated ones numbered. */
function uniqueHeaders(headers: string[], count: number): string[] {
  const seen = new Map<string, number>();
  return Array.from({ length: count }, (_, index) => {
    const plain = headers[index]?.replaceAll("\u0000", "").toWellFormed().trim() ?? "";
    const typed = plain.slice(0, limits.importHeaderMaxLength - 10);
    const header = typed || `Column ${index + 1}`;
    const times = (seen.get(header) ?? 0) + 1;
    seen.set(header, times);
    const numbered = times === 1 ? header : `${header} (${times})`;
    if (times > 1) seen.set(numbered, 1);
    return numbered;
  });
}

const lookedForHeader = 10;
const address = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/**
 * The header and the rows below it. Title lines above the header are skipped. If the first line has an address and no field name, the file
 * has no header, and its columns are numbered.
 */
function withHeader(data: string[][]): { header: string[]; rows: string[][] } {
  const [first = [], ...rest] = data;
  const known = (row: string[]) => row.filter((cell) => leadFieldOf(cell) !== null).length;
  if (known(first) > 0) return { header: first, rows: rest };
  const at = data.slice(0, lookedForHeader).findIndex((row) => known(row) > 1);
  const below = data[at];
  if (below) return { header: below, rows: data.slice(at + 1) };
  if (first.some((cell) => address.test(cell.trim()))) return { header: first.map(() => ""), rows: data };
  return { header: first, rows: rest };
}

/**
 * Parses CSV as written by common programs (RFC 4180 and variants): comma, semicolon, tab or bar, quoted cells with line breaks, any line
 * endings, Excel's `sep=` line. Returns null without a header and at least one row.
 */
export function readCsv(typed: string): CsvTable | null {
  const plain = typed.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const { delimiter, body } = splitSeparatorLine(plain);
  let text = body;
  let parsed = parseRows(text, delimiter);
  let strayQuotes = 0;
  for (let at = strayQuote(parsed); at > 0 && strayQuotes < mendsMax; at = strayQuote(parsed)) {
    // The reported position is after the quote.
    text = text.slice(0, at - 1) + text.slice(at);
    strayQuotes += 1;
    parsed = parseRows(text, delimiter || parsed.meta.delimiter);
  }
  if (parsed.data.length < 2) return null;
  const { header, rows } = withHeader(parsed.data);
  if (rows.length === 0) return null;
  // Empty cells at the end of every line are a spreadsheet's margin.
  const named = header.findLastIndex((cell) => cell.trim() !== "") + 1;
  const used = rows.reduce((widest, row) => {
    const end = row.length <= header.length ? row.findLastIndex((cell) => cell.trim() !== "") + 1 : 0;
    return Math.max(widest, end);
  }, named);
  const columns = uniqueHeaders(header, Math.max(used, 1));
  return { columns, rows, delimiter: parsed.meta.delimiter, strayQuotes };
}
