import { setImmediate as nextTurn } from "node:timers/promises";
import type { ImportFault } from "@portal/contract/import-faults";
import { createRecordReader } from "../../domain/read-lead-record.ts";
import { type PreparedLead, prepareLead } from "../leads/ingest/merge-record.ts";
import type { ImportRow } from "./repository.ts";
import type { RawRows } from "./split-leads.ts";

export interface ReadRow {
  row: number;
  /** Where it stands as it came: thousands of rows wait at once, and few are asked for again. */
  raws: RawRows;
  place: number;
  lead: PreparedLead;
  reasons: ImportFault[];
  /** It has a phone that cannot be read, and an address. */
  isPhoneUnreadable: boolean;
}

/** Rows read at once: about a millisecond. The answers of PostgreSQL and other requests never wait longer. */
const turnRows = 50;

/** What is said of a lead that is left as it is if it is there. */
const unsaid: PreparedLead["record"] = {};

/**
 * Reads the rows of an import as its columns and mapping say, with all that can be done before they are written: those
 * of a batch from the place `from` on, where the import's `row` stands.
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
