import { randomUUID } from "node:crypto";
import type { Queue, Scheduler } from "../../platform/jobs/jobs.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { createSearchTidier } from "../leads/lead-repository.ts";
import {
  beatImport,
  claimImport,
  findBatch,
  findSender,
  finishImport,
  type Held,
  type ImportView,
  pruneImports,
  releaseImport,
} from "./repository.ts";
import { type ImportsContext, importQueue, resumeDeadImports } from "./service.ts";
import { readStoredRows } from "./split-rows.ts";
import { createRowReader, LeaseLostError, type ReadRow, workRows } from "./write-rows.ts";

const beatMs = 3_000;
/** A job works no longer than this before the next one continues. */
const sliceMs = 60_000;
/** An import that was started this many times without finishing a batch fails. */
const maxAttempts = 5;
const resumeMs = 5_000;
const pruneMs = 60 * 60_000;
/** Minimum interval between progress events. */
const notifyMs = 300;

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
