import type { DuplicateRule } from "@portal/contract/entities/import";
import { jsonText } from "@portal/contract/json-text";
import type { LeadField } from "@portal/contract/lead-headers";
import { limits } from "@portal/contract/limits";
import type { ReadLeads } from "./read-source.ts";

export interface ImportOptions {
  /** As recorded: 'CSV Import' or 'JSON Import'. */
  sourceSystem: string;
  fileName: string | null;
  duplicates: DuplicateRule;
  /** Field by column; null stores the column with the lead under its own name. */
  mapping: Record<string, LeadField | null>;
}

const csvType = "text/csv";
/** Servers and proxies accept addresses of up to 8 kB. */
const queryMaxLength = 6_000;

const csvQuery = ({ mapping, fileName, ...options }: ImportOptions) =>
  new URLSearchParams({
    ...options,
    ...(fileName && { fileName }),
    mapping: JSON.stringify(mapping),
  }).toString();

const csvCell = (cell: unknown) => {
  const text = String(cell ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/**
 * The body of `POST /api/import/leads` as a Blob, which is sent without being copied: rows of cells as CSV, which takes the least space;
 * records, and imports whose options do not fit into an address, as JSON. Runs in a worker, so it must not use the page.
 */
export function importBody({ leads, columns }: ReadLeads, options: ImportOptions): Blob {
  if (columns && csvQuery(options).length <= queryMaxLength) {
    const lines = [columns, ...(leads as string[][])].map((cells) => cells.map(csvCell).join(","));
    const text = lines.join("\n");
    const csv = new Blob([text], { type: csvType });
    // UTF-8 cannot encode lone surrogates; JSON can, so that their rows are refused.
    if (csv.size <= limits.importCsvMaxBytes && text.isWellFormed()) return csv;
  }
  const { fileName, ...rest } = options;
  const body = { leads, ...(columns && { columns }), ...(fileName && { fileName }), ...rest };
  return new Blob([jsonText(body)], { type: "application/json" });
}

/** The query string for a body: the options, if the body is CSV. */
export function searchOf({ type }: Blob, options: ImportOptions): string {
  return type === csvType ? `?${csvQuery(options)}` : "";
}
