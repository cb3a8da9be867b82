import { jsonText } from "@portal/contract/json-text";
import { limits } from "@portal/contract/limits";
import {
  decodeText,
  type Encoding,
  isBinary,
  isBroken,
  type SelectedEncoding,
  type Undecided,
} from "./decode-text.ts";
import { readCsv } from "./read-csv.ts";

export type ImportFormat = "csv" | "json";
/** Why a source cannot be imported: the recorded messages, and three more. */
export type ReadFault = "no-rows" | "no-leads" | "invalid-json" | "too-large" | "too-many" | "not-text";

/** A preview of the import. */
export interface SourcePreview {
  columns: string[];
  total: number;
  /** The first rows as texts, by column. */
  samples: string[][];
  encoding: Encoding | null;
  delimiter: string | null;
  strayQuotes: number;
  /** Numbers of rows with bytes invalid in the encoding (U+FFFD in the text), counted as in the import's result. */
  brokenRows: number[];
}

/** A parsed source, ready to send. */
export interface ReadLeads {
  look: SourcePreview;
  leads: unknown[];
  /** Set if the leads are rows of cells. */
  columns: string[] | null;
}

type ReadResult = ReadLeads | Undecided | { fault: ReadFault };

const sampleRows = 5;
const sampleLength = 80;

function sample(value: unknown): string {
  const text =
    typeof value === "string" ? value : value === undefined || value === null ? "" : jsonText(value);
  return text.length > sampleLength ? `${text.slice(0, sampleLength)}…` : text;
}

function isTooMany(total: number, columns: number): boolean {
  return total > limits.importMaxRows || columns > limits.importMaxColumns;
}

interface Source {
  text: string;
  encoding: Encoding | null;
  hasBroken: boolean;
}

function fromCsv({ text, encoding, hasBroken }: Source): ReadResult {
  const table = readCsv(text);
  if (!table) return { fault: "no-rows" };
  const { columns, rows, delimiter, strayQuotes } = table;
  if (isTooMany(rows.length, columns.length)) return { fault: "too-many" };
  const brokenRows = hasBroken
    ? [columns, ...rows].flatMap((row, n) => (row.some(isBroken) ? [n + 1] : []))
    : [];
  const samples = rows.slice(0, sampleRows).map((row) => columns.map((_, index) => sample(row[index])));
  return {
    look: { columns, total: rows.length, samples, encoding, delimiter, strayQuotes, brokenRows },
    leads: rows,
    columns,
  };
}

function fromJson({ text, encoding, hasBroken }: Source): ReadResult {
  const leads = readJson(text);
  if (!leads) return { fault: "invalid-json" };
  if (leads.length === 0) return { fault: "no-leads" };
  const columns = keysOf(leads);
  if (isTooMany(leads.length, 0)) return { fault: "too-many" };
  const samples = leads
    .slice(0, sampleRows)
    .map((lead) => columns.map((key) => sample((lead as Record<string, unknown> | null)?.[key])));
  const brokenRows = hasBroken
    ? leads.flatMap((lead, n) => (isBroken(JSON.stringify(lead)) ? [n + 1] : []))
    : [];
  const total = leads.length;
  const look = { columns, total, samples, encoding, delimiter: null, strayQuotes: 0, brokenRows };
  return { look, leads, columns: null };
}

/** Parses a file's bytes, in the `chosen` encoding if they do not tell it themselves, or a pasted text. */
export function readSource(
  source: Uint8Array | string,
  format: ImportFormat,
  chosen?: SelectedEncoding,
): ReadResult {
  const isText = typeof source === "string";
  const size = isText ? new Blob([source]).size : source.byteLength;
  if (size > limits.importMaxBytes) return { fault: "too-large" };
  if (!isText && isBinary(source)) return { fault: "not-text" };
  const decoded = isText ? { text: source, encoding: null, hasBroken: false } : decodeText(source, chosen);
  if ("excerpt" in decoded) return decoded;
  return format === "csv" ? fromCsv(decoded) : fromJson(decoded);
}

/** Keys under which exports store their list. */
const listNames = ["leads", "contacts", "data", "records", "results", "items", "rows"];

function parseLines(text: string): unknown[] | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length < 2) return null;
  try {
    const records = lines.map((line) => JSON.parse(line) as unknown);
    return records.every((record) => typeof record === "object" && record !== null) ? records : null;
  } catch {
    return null;
  }
}

function listOf(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) return null;
  for (const name of listNames) {
    const inner = (value as Record<string, unknown>)[name];
    if (Array.isArray(inner)) return inner;
  }
  return [value];
}

/** Leads as JSON: an array, a single object, an export's `{ "contacts": [...] }`, or an object per line. Null for anything else. */
export function readJson(typed: string): unknown[] | null {
  const text = typed.replace(/^\ufeff/, "");
  try {
    return listOf(JSON.parse(text));
  } catch {
    return parseLines(text);
  }
}

/** Keys of the records, in order of appearance. */
function keysOf(records: unknown[], looked = 1_000): string[] {
  const keys = new Set<string>();
  for (const record of records.slice(0, looked))
    if (typeof record === "object" && record !== null && !Array.isArray(record))
      for (const key of Object.keys(record)) keys.add(key);
  return [...keys];
}
