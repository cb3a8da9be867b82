import { randomUUID } from "node:crypto";
import type { ImportFault } from "@portal/contract/import-faults";
import { jsonText } from "@portal/contract/json-text";
import type { Database, Tx } from "../../platform/db/client.ts";
import type { Jobs, Queue, Scheduler } from "../../platform/jobs/jobs.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { holdSalesRep } from "../assignment/repository.ts";
import { type IngestedLead, ingestLeads, isRefusedValue } from "../leads/ingest/ingest-leads.ts";
import { recordPolicy } from "../leads/ingest/merge-record.ts";
import { createSearchTidier, manyLeadsSettings } from "../leads/lead-repository.ts";
import {
  advanceImport,
  type BatchCounts,
  beatImport,
  claimImport,
  findBatch,
  findSender,
  finishImport,
  type Held,
  type ImportFailure,
  type ImportRow,
  type ImportView,
  insertFailures,
  pruneImports,
  releaseImport,
} from "./repository.ts";
import { type ImportsContext, importQueue, resumeDeadImports, type Sender } from "./service.ts";
import { createRowReader, type ReadRow, readStoredRows } from "./split-rows.ts";

const beatMs = 3_000;
/** A job works no longer than this before the next one continues. */
const sliceMs = 60_000;
/** An import that was started this many times without finishing a batch fails. */
const maxAttempts = 5;
const resumeMs = 5_000;
const pruneMs = 60 * 60_000;
/** Minimum interval between progress events. */
const notifyMs = 300;

/** Another worker has claimed the import; this worker's open transaction is rolled back. */
class LeaseLostError extends Error {}

type Run = ImportView & Held;

async function finish(
  context: ImportsContext,
  run: Run,
  end: { state: "done" | "failed"; message: string | null },
): Promise<void> {
  await context.database.transaction(async (tx) => {
    if (!(await finishImport(tx, run, end))) throw new LeaseLostError();
    await publishEvent(tx, { topic: "import", id: run.id, audience: run.userId ? [run.userId] : [] });
    // Those whose leads they are were notified with each batch.
    await publishEvent(tx, { topic: "all-leads", id: 0, audience: "all" });
  });
}

async function handOn(context: ImportsContext, run: Run): Promise<void> {
  await context.database.transaction(async (tx) => {
    await releaseImport(tx, run);
    await context.jobs.enqueue(tx, importQueue, { importId: run.id });
  });
}

/** The parsed rows from `position` to the end of their stored batch; empty at the end of the import. */
async function nextRows(
  context: ImportsContext,
  run: Run,
  read: ReturnType<typeof createRowReader>,
  position: number,
): Promise<ReadRow[]> {
  if (position >= run.total) return [];
  const batch = await findBatch(context.database.db, { importId: run.id, row: position });
  const rows = batch ? await read(readStoredRows(batch.rows), position - batch.firstRow, position) : [];
  if (rows.length === 0) throw new Error(`import ${run.id} has no row ${position}`);
  return rows;
}

async function workImport(context: ImportsContext, run: Run, onMade: (leads: number) => void): Promise<void> {
  const read = createRowReader(run, context.defaultCountry);
  const sender = run.userId === null ? null : await findSender(context.database.db, run.userId);
  const began = performance.now();
  let notifiedAt = began;
  let rows = await nextRows(context, run, read, run.position);
  while (rows.length > 0) {
    if (performance.now() - began > sliceMs) return handOn(context, run);
    const notify = performance.now() - notifiedAt > notifyMs;
    if (notify) notifiedAt = performance.now();
    const from = rows[0]?.row ?? 0;
    const next = from + rows.length;
    // The next rows are parsed while PostgreSQL writes these. Parsing earlier would delay sending them.
    const { promise: sent, resolve: onSent } = Promise.withResolvers<void>();
    const [following] = await Promise.all([
      sent.then(() => nextRows(context, run, read, next)),
      workRows(context, { run, sender, rows, notify, onSent, onMade }).finally(onSent),
    ]);
    rows = following;
  }
  await finish(context, run, { state: "done", message: null });
}

/** Works one import to its end or for a minute. Does nothing if it has ended or another living worker has it. */
async function runImport(context: ImportsContext, importId: number): Promise<void> {
  const held = { importId, lease: randomUUID() };
  const claimed = await claimImport(context.database.db, held);
  if (!claimed) return;
  const run = { ...claimed, ...held };
  const beat = setInterval(() => {
    beatImport(context.database.db, held).catch((err: unknown) =>
      context.log.warn({ err, importId }, "no heartbeat"),
    );
  }, beatMs);
  const tidier = createSearchTidier(context);
  try {
    if (run.attempts > maxAttempts)
      await finish(context, run, {
        state: "failed",
        message:
          "Import failed: it was given up after several tries. What is done stays; import the file again.",
      });
    else await workImport(context, run, tidier.tidy);
  } catch (error) {
    if (error instanceof LeaseLostError) return;
    context.log.error({ err: (error as Error).cause ?? error, importId }, "import failed, tried again");
    await context.database.transaction((tx) => releaseImport(tx, run));
    throw error;
  } finally {
    clearInterval(beat);
    await tidier.ended();
  }
}

/** The queue that works imports. */
export function importsQueue(context: ImportsContext): Queue<{ importId: number }> {
  return {
    name: importQueue,
    retryLimit: 5,
    retryDelay: 2,
    retryDelayMax: 30,
    expireInSeconds: 300,
    concurrency: 2,
    work: ({ importId }) => runImport(context, importId),
  };
}

/** Starts the scheduled tasks of this process: imports of dead workers are resumed, and old rows are removed. */
export function startImportJobs(context: ImportsContext, scheduler: Scheduler): void {
  scheduler.every(resumeMs, () => context.database.transaction((tx) => resumeDeadImports(context, tx)));
  scheduler.every(pruneMs, () => pruneImports(context.database.db));
}

interface BatchContext {
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
async function workRows(context: BatchContext, work: Work): Promise<void> {
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
