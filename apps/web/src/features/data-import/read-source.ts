import { limits } from "@portal/contract/limits";
import { decodeText, type Encoding, isBinary } from "./decode-text.ts";
import { readCsv } from "./read-csv.ts";
import { keysOf, readJson } from "./read-json.ts";

export type ImportFormat = "csv" | "json";
/** What a file or pasted text cannot be: the recorded messages, and three more. */
export type ReadFault = "no-rows" | "no-leads" | "invalid-json" | "too-large" | "too-many" | "not-text";

/** A look at what would be imported. */
export interface Look {
  columns: string[];
  total: number;
  /** The first rows, as texts, by column. */
  samples: string[][];
  encoding: Encoding | null;
  delimiter: string | null;
  strayQuotes: number;
}

/** What was read, ready to be sent. */
export interface ReadLeads {
  look: Look;
  leads: unknown[];
  /** Given where the leads are rows of cells. */
  columns: string[] | null;
}

export type ReadResult = ReadLeads | { fault: ReadFault };

const sampleRows = 5;
const sampleLength = 80;

function sample(value: unknown): string {
  const text =
    typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
  return text.length > sampleLength ? `${text.slice(0, sampleLength)}…` : text;
}

function isTooMany(total: number, columns: number): boolean {
  return total > limits.importMaxRows || columns > limits.importMaxColumns;
}

function fromCsv(text: string, encoding: Encoding | null): ReadResult {
  const table = readCsv(text);
  if (!table) return { fault: "no-rows" };
  const { columns, rows, delimiter, strayQuotes } = table;
  if (isTooMany(rows.length, columns.length)) return { fault: "too-many" };
  const samples = rows.slice(0, sampleRows).map((row) => columns.map((_, index) => sample(row[index])));
  return {
    look: { columns, total: rows.length, samples, encoding, delimiter, strayQuotes },
    leads: rows,
    columns,
  };
}

function fromJson(text: string, encoding: Encoding | null): ReadResult {
  const leads = readJson(text);
  if (!leads) return { fault: "invalid-json" };
  if (leads.length === 0) return { fault: "no-leads" };
  const columns = keysOf(leads);
  if (isTooMany(leads.length, 0)) return { fault: "too-many" };
  const samples = leads
    .slice(0, sampleRows)
    .map((lead) => columns.map((key) => sample((lead as Record<string, unknown> | null)?.[key])));
  const look = { columns, total: leads.length, samples, encoding, delimiter: null, strayQuotes: 0 };
  return { look, leads, columns: null };
}

/** Reads a file's bytes or a pasted text. */
export function readSource(source: Uint8Array | string, format: ImportFormat): ReadResult {
  const isText = typeof source === "string";
  const size = isText ? new Blob([source]).size : source.byteLength;
  if (size > limits.importMaxBytes) return { fault: "too-large" };
  if (!isText && isBinary(source)) return { fault: "not-text" };
  const { text, encoding } = isText ? { text: source, encoding: null } : decodeText(source);
  return format === "csv" ? fromCsv(text, encoding) : fromJson(text, encoding);
}
