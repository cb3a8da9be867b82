import { setImmediate as nextTurn } from "node:timers/promises";
import type { ImportFault } from "@portal/contract/import-faults";
import { createRecordReader } from "../../domain/read-lead-record.ts";
import { type PreparedLead, prepareLead } from "../leads/ingest/merge-record.ts";
import type { ImportRow } from "./repository.ts";
import type { RawRows } from "./split-leads.ts";

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
  run: Pick<ImportRow, "columns" | "mapping" | "sourceSystem" | "duplicates">,
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
