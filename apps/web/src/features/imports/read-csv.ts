import { leadFieldOf } from "@portal/contract/lead-headers";
import { limits } from "@portal/contract/limits";
import Papa from "papaparse";

export interface CsvTable {
  /** Headers, each once and none empty. */
  columns: string[];
  rows: string[][];
  delimiter: string;
  /** Quotes that no other quote closes, taken as plain signs. */
  strayQuotes: number;
}

/** Quotes fixed before the file is taken as it is. */
const mendsMax = 20;

/** Excel's own first line, which names the separator. */
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
 * A quote that opens a cell and is never closed would swallow the rows below it: it is one where the cell is malformed and runs over
 * a line's end. Answers its place, or -1.
 */
function strayQuote({ data, errors }: Papa.ParseResult<string[]>): number {
  const error = errors.find(
    ({ type, code, row }) =>
      type === "Quotes" && (code === "MissingQuotes" || data[row ?? -1]?.some((cell) => cell.includes("\n"))),
  );
  return error?.index === undefined ? -1 : error.index;
}

/** Headers that can serve as names: trimmed, none empty, a repeated one numbered. */
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
 * The header, and the rows below it. Lines of a title above it are no rows; where the first line holds an address and no name of a
 * field, the file has no header: its columns are numbered.
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
 * Reads CSV as other programs write it (RFC 4180 and its relatives): comma, semicolon, tab or bar, quoted cells with line breaks, any
 * line ends, Excel's `sep=` line. Null without a header and at least one row below it.
 */
export function readCsv(typed: string): CsvTable | null {
  const plain = typed.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const { delimiter, body } = splitSeparatorLine(plain);
  let text = body;
  let parsed = parseRows(text, delimiter);
  let strayQuotes = 0;
  for (let at = strayQuote(parsed); at > 0 && strayQuotes < mendsMax; at = strayQuote(parsed)) {
    // The error points behind the quote.
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
