import type { ImportFault } from "@portal/contract/import-faults";
import { type Database, postgresCode, type Tx } from "../../db/client.ts";
import { publishEvent } from "../../events/publish.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { holdSalesRep } from "../leads/data-assignment.ts";
import { type TakenLead, takePreparedLeads } from "../leads/take-lead.ts";
import { manyLeadsSettings } from "../leads/tidy-search-index.ts";
import { type ImportFailure, type ImportRow, insertFailures } from "./data.ts";
import { advanceImport, type BatchFigures, type Held } from "./data-lease.ts";
import type { ReadRow } from "./read-rows.ts";
import type { Sender } from "./service.ts";

/** Another worker has the import: whatever this one was about to write is rolled back. */
export class LeaseLostError extends Error {}

export interface BatchContext {
  database: Database;
  jobs: Jobs;
}

const failureOf = ({ row, raws, place }: ReadRow, reasons: ImportFault[]): ImportFailure => ({
  row,
  reasons,
  raw: JSON.stringify(raws.at(place)),
});

function countOutcomes(taken: TakenLead[]): Omit<BatchFigures, "errors"> {
  const count = (...outcomes: TakenLead["outcome"][]) =>
    taken.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return { imported: count("created"), updated: count("updated"), skipped: count("skipped", "unchanged") };
}

interface Work {
  run: ImportRow & Held;
  sender: Sender;
  rows: ReadRow[];
  /** Tell the importer how far it is. */
  tell: boolean;
  /** Called when the database has new leads to write for a while; not where there are none, or few. */
  onSent: () => void;
  /** Called when so many new leads are in the index of words. */
  onMade: (leads: number) => void;
}

async function writeRows(
  context: BatchContext,
  tx: Tx,
  { run, sender, rows, tell, onSent, onMade }: Work,
): Promise<void> {
  // Theirs, unless their account was closed since they sent it: nobody is given leads then.
  const assignTo = sender && (await holdSalesRep(tx, sender.userId)) ? sender.userId : null;
  const good = rows.filter(({ reasons }) => reasons.length === 0);
  const taken = await takePreparedLeads(
    tx,
    good.map(({ lead }) => lead),
    {
      jobs: context.jobs,
      from: { kind: "import", data: { source: run.sourceSystem, importId: run.id } },
      assignTo,
      known: run.duplicates,
      actor: sender,
      quiet: true,
      onSent,
      onMade,
    },
  );
  const failures = [
    ...rows.filter(({ reasons }) => reasons.length > 0).map((row) => failureOf(row, row.reasons)),
    ...good
      .filter((_, index) => taken[index]?.outcome === "forbidden")
      .map((row) => failureOf(row, [{ code: "not_yours", value: null }])),
  ];
  await insertFailures(tx, run.id, failures);
  const from = rows[0]?.row ?? run.position;
  const figures = { ...countOutcomes(taken), errors: failures.length, from, to: from + rows.length };
  if (!(await advanceImport(tx, run, figures))) throw new LeaseLostError();
  if (tell) await publishEvent(tx, { topic: "import", id: run.id, audience: sender ? [sender.userId] : [] });
}

/** PostgreSQL classes that mean that a row cannot be stored: its data, a constraint, a limit. */
const isRowFault = (error: unknown) => /^(22|23|54)/.test(postgresCode(error) ?? "");

/**
 * Writes rows with their figures and the new position, or nothing of them. A row that PostgreSQL refuses is found by halving and kept
 * among the failures. Errors: `LeaseLostError`, and those of the database.
 */
export async function workRows(context: BatchContext, work: Work): Promise<void> {
  const { rows } = work;
  try {
    await context.database.transaction((tx) => writeRows(context, tx, work), manyLeadsSettings);
  } catch (error) {
    const [first] = rows;
    if (!first || !isRowFault(error)) throw error;
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
