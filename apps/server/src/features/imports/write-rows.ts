import { setImmediate as nextTurn } from "node:timers/promises";
import type { ImportFault } from "@portal/contract/import-faults";
import { jsonText } from "@portal/contract/json-text";
import { createRecordReader } from "../../domain/read-lead-record.ts";
import type { Database, Tx } from "../../platform/db/client.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { holdSalesRep } from "../assignment/repository.ts";
import { type IngestedLead, ingestLeads, isRefusedValue } from "../leads/ingest/ingest-leads.ts";
import { type PreparedLead, prepareLead, recordPolicy } from "../leads/ingest/merge-record.ts";
import { manyLeadsSettings } from "../leads/lead-repository.ts";
import {
  advanceImport,
  type BatchCounts,
  type Held,
  type ImportFailure,
  type ImportRow,
  insertFailures,
} from "./repository.ts";
import type { Sender } from "./service.ts";
import type { RawRows } from "./split-rows.ts";

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

/** Another worker has claimed the import; this worker's open transaction is rolled back. */
export class LeaseLostError extends Error {}

export interface BatchContext {
  database: Database;
  jobs: Jobs;
}

const failureOf = ({ row, raws, place }: ReadRow, reasons: ImportFault[]): ImportFailure => ({
  row,
  reasons,
  raw: jsonText(raws.at(place)),
});

/** A phone that cannot be parsed is not reported for a lead that stays as it is. */
const isRead = (outcome: IngestedLead["outcome"] | undefined) =>
  outcome !== "skipped" && outcome !== "forbidden";

function countOutcomes(leads: IngestedLead[]): Pick<BatchCounts, "imported" | "updated" | "skipped"> {
  const count = (...outcomes: IngestedLead["outcome"][]) =>
    leads.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return { imported: count("created"), updated: count("updated"), skipped: count("skipped", "unchanged") };
}

interface Work {
  run: ImportRow & Held;
  sender: Sender;
  rows: ReadRow[];
  /** Publish a progress event. */
  notify: boolean;
  /** Called while the database writes many new leads, so that the caller can use the wait; not called for few. */
  onSent: () => void;
  /** Called with the number of new leads in the search index. */
  onMade: (leads: number) => void;
}

async function writeRows(
  context: BatchContext,
  tx: Tx,
  { run, sender, rows, notify, onSent, onMade }: Work,
): Promise<void> {
  // Assigned to the sender, unless their account was disabled meanwhile.
  const assignTo = sender && (await holdSalesRep(tx, sender.userId)) ? sender.userId : null;
  const good = rows.filter(({ reasons }) => reasons.length === 0);
  const policy = recordPolicy({
    known: run.duplicates,
    from: { kind: "import", data: { source: run.sourceSystem, importId: run.id } },
    assignTo,
  });
  const { leads } = await ingestLeads(
    tx,
    good.map(({ lead }) => lead),
    { policy, jobs: context.jobs, actor: sender, onSent, onMade },
  );
  const failures = [
    ...rows.filter(({ reasons }) => reasons.length > 0).map((row) => failureOf(row, row.reasons)),
    ...good
      .filter((_, index) => leads[index]?.outcome === "forbidden")
      .map((row) => failureOf(row, [{ code: "not_yours", value: null }])),
  ];
  await insertFailures(tx, run.id, failures);
  const from = rows[0]?.row ?? run.position;
  const figures = {
    ...countOutcomes(leads),
    errors: failures.length,
    unreadablePhones: good.filter(
      ({ isPhoneUnreadable }, index) => isPhoneUnreadable && isRead(leads[index]?.outcome),
    ).length,
    from,
    to: from + rows.length,
  };
  if (!(await advanceImport(tx, run, figures))) throw new LeaseLostError();
  if (notify)
    await publishEvent(tx, { topic: "import", id: run.id, audience: sender ? [sender.userId] : [] });
}

/**
 * Writes rows, their counts and the new position in one transaction. A row that PostgreSQL refuses is found by halving and stored as a
 * failure. Errors: `LeaseLostError`, and those of the database.
 */
export async function workRows(context: BatchContext, work: Work): Promise<void> {
  const { rows } = work;
  try {
    await context.database.transaction((tx) => writeRows(context, tx, work), manyLeadsSettings);
  } catch (error) {
    const [first] = rows;
    if (!first || !isRefusedValue(error)) throw error;
    if (rows.length === 1) {
      const refused: ReadRow = { ...first, reasons: [{ code: "not_stored", value: null }] };
      await context.database.transaction(
        (tx) => writeRows(context, tx, { ...work, rows: [refused] }),
        manyLeadsSettings,
      );
      return;
    }
    const half = Math.ceil(rows.length / 2);
    await workRows(context, { ...work, rows: rows.slice(0, half) });
    await workRows(context, { ...work, rows: rows.slice(half) });
  }
}
