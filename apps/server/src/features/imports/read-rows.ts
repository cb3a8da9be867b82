import { setImmediate as nextTurn } from "node:timers/promises";
import type { ImportFault } from "@portal/contract/import-faults";
import { createRecordReader } from "../../values/read-lead-record.ts";
import { type PreparedLead, prepareLead } from "../leads/take-plan.ts";
import type { ImportRow } from "./data.ts";

export interface ReadRow {
  row: number;
  raw: unknown;
  lead: PreparedLead;
  reasons: ImportFault[];
}

/** Rows read at once: about a millisecond. The answers of PostgreSQL and other requests never wait longer. */
const turnRows = 50;

/** Reads the rows of an import as its columns and mapping say, with all that can be done before they are written. */
export function createRowReader(
  run: Pick<ImportRow, "columns" | "mapping" | "sourceSystem">,
  country: "US" | "ES",
): (raws: unknown[], firstRow: number) => Promise<ReadRow[]> {
  const read = createRecordReader({ country, columns: run.columns, mapping: run.mapping });
  return async (raws, firstRow) => {
    const rows: ReadRow[] = [];
    for (const [index, raw] of raws.entries()) {
      if (index % turnRows === 0) await nextTurn();
      const { lead, reasons } = read(raw);
      const record = { ...lead, leadSource: lead.leadSource || run.sourceSystem };
      rows.push({ row: firstRow + index, raw, reasons, lead: prepareLead(record, country) });
    }
    return rows;
  };
}
