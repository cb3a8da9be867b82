import type { DuplicateRule } from "@portal/contract/entities/import";
import type { LeadField } from "@portal/contract/lead-headers";
import type { ReadLeads } from "./read-source.ts";

export interface ImportOptions {
  /** As recorded: 'CSV Import' or 'JSON Import'. */
  sourceSystem: string;
  fileName: string | null;
  duplicates: DuplicateRule;
  /** Field by column; null keeps the column with the lead under its own name. */
  mapping: Record<string, LeadField | null>;
}

/** The body of `POST /api/import/leads`, as a file, so that it is written once and handed on as it is. */
export function importBody({ leads, columns }: ReadLeads, { fileName, ...options }: ImportOptions): Blob {
  const body = { leads, ...(columns && { columns }), ...(fileName && { fileName }), ...options };
  return new Blob([JSON.stringify(body)], { type: "application/json" });
}
