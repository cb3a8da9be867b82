import { randomUUID } from "node:crypto";
import type { SyncFault } from "@portal/contract/sync-faults";
import type { Tx } from "../../platform/db/client.ts";
import { audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import { type Crm, CrmNotConnected } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { retryCrmPush } from "../crm-outbox/service.ts";
import { createSearchTidier, manyLeadsSettings } from "../leads/lead-repository.ts";
import { queueUnmet } from "./gather-refreshes.ts";
import { pageReader } from "./read-pages.ts";
import {
  advanceRun,
  beatRun,
  claimRun,
  finishRun,
  forgetUnreadBefore,
  fullKinds,
  type Page,
  type RunRow,
  releaseRun,
} from "./run-repository.ts";
import { type RunContext, runQueue, settleHeldAlert } from "./service.ts";
import { crmOffMessage, doneMessage, failedMessage, faultOf, heldMessage } from "./write-messages.ts";

const beatMs = 5_000;
/** A job works no longer than this before the next one continues. */
const sliceMs = 60_000;
/** A run that was started this many times without finishing a page fails. */
const maxAttempts = 5;
/** Minimum interval between progress events. */
const notifyMs = 1_000;
/**
 * After a successful scheduled run, changes that failed for a temporary reason are retried if their last attempt was at least this long
 * ago; after a run that a person started, at once.
 */
const scheduledRetrySeconds = 3_600;

interface Held {
  runId: number;
  lease: string;
}

/** Another worker has claimed the run; this worker's open transaction is rolled back. */
class LeaseLostError extends Error {}

async function finish(
  context: RunContext,
  tx: Tx,
  run: RunRow & Held,
  end: {
    state: "done" | "failed" | "held";
    message: (synced: number) => string;
    fault: SyncFault | null;
    forgetCursor: boolean;
  },
): Promise<void> {
  await queueUnmet(context, tx, { runId: run.runId, failed: end.state === "failed" });
  if (!(await finishRun(tx, { ...end, runId: run.runId, lease: run.lease }))) throw new LeaseLostError();
  if (end.state === "done" && fullKinds.includes(run.kind)) await forgetUnreadBefore(tx, run.runId);
  if (end.state === "done")
    await retryCrmPush(tx, context.jobs, {
      passingAfter: run.requestedBy === null ? scheduledRetrySeconds : 0,
    });
  await publishEvent(tx, { topic: "crm-sync", id: run.runId, audience: "all" });
  // Those whose leads they are were notified with each page. Everybody is notified once, at the end, and not of leads: a thousand browsers
  // would read their pages at the same moment, though nothing on them has changed.
  await publishEvent(tx, { topic: "all-leads", id: 0, audience: "all" });
}

/** Holds the run until an administrator decides, and alerts the administrators. */
async function hold(context: RunContext, tx: Tx, run: RunRow & Held): Promise<void> {
  await finish(context, tx, run, {
    state: "held",
    message: () => heldMessage,
    fault: { code: "held", status: null },
    forgetCursor: false,
  });
  await settleHeldAlert(context, tx);
}

/**
 * Works the pages from the run's cursor. Each page is written in one transaction with its counts and the next cursor, and the next page is
 * read meanwhile.
 */
async function workPages(
  context: RunContext,
  crm: Crm,
  { run, onMade }: { run: RunRow & Held; onMade: (leads: number) => void },
): Promise<void> {
  const { database, jobs } = context;
  const readPage = await pageReader(context, crm, run);
  const began = performance.now();
  let notifiedAt = Number.NEGATIVE_INFINITY;
  let cursor = run.cursor;
  let ahead: Promise<Page> | null = null;
  for (;;) {
    const page: Page = await (ahead ?? readPage(cursor));
    const handOn = page.next !== null && performance.now() - began > sliceMs;
    const notifies = performance.now() - notifiedAt > notifyMs;
    ahead = page.next !== null && page.mayReadAhead && !handOn ? readPage(page.next) : null;
    // A failure is thrown when the page's turn comes, or not at all if this page is the last.
    ahead?.catch(() => undefined);
    let held = false;
    await database.transaction(async (tx) => {
      const { owners, heldAt, ...figures } = await page.write(tx);
      held = heldAt !== undefined;
      onMade(figures.created);
      if (!(await advanceRun(tx, { ...run, cursor: heldAt ?? page.next ?? cursor, page: figures })))
        throw new LeaseLostError();
      const changed = [...owners];
      if (changed.length > 0)
        await publishEvent(tx, { topic: "lead", id: 0, audience: audienceOf(...changed) });
      if (heldAt) return hold(context, tx, run);
      if (page.next === null)
        return finish(context, tx, run, {
          state: "done",
          message: (count) => doneMessage(run.kind, count),
          fault: null,
          forgetCursor: true,
        });
      if (notifies) await publishEvent(tx, { topic: "crm-sync", id: run.runId, audience: "all" });
      if (!handOn) return;
      await releaseRun(tx, run);
      await jobs.enqueue(tx, runQueue, { runId: run.runId });
    }, manyLeadsSettings);
    if (page.next === null || handOn || held) return;
    if (notifies) notifiedAt = performance.now();
    cursor = page.next;
  }
}

async function fail(context: RunContext, run: RunRow & Held, error: unknown): Promise<void> {
  const details = { err: error, cause: (error as Error).cause, runId: run.runId };
  if (error instanceof ProviderError) context.log.warn(details, "crm sync failed");
  else context.log.error(details, "crm sync failed");
  // A cursor that the CRM refuses would be refused again.
  const forgetCursor = error instanceof ProviderError && error.kind === "invalid";
  await context.database.transaction((tx) =>
    finish(context, tx, run, {
      state: "failed",
      message: (count) => failedMessage(run.kind, error, count),
      fault: faultOf(error),
      forgetCursor,
    }),
  );
}

/** Works one run to its end or for a minute. Does nothing if it has ended or another living worker has it. */
export async function workRun(context: RunContext, runId: number): Promise<void> {
  const { crm, database } = context;
  const lease = randomUUID();
  const claimed = await claimRun(database.db, { runId, lease });
  if (!claimed) return;
  const run = { ...claimed, runId, lease };
  const beat = setInterval(() => {
    beatRun(database.db, run).catch((err: unknown) => context.log.warn({ err, runId }, "no heartbeat"));
  }, beatMs);
  const tidier = createSearchTidier(context);
  try {
    if (!crm) throw new CrmNotConnected("not_connected", crmOffMessage);
    if (run.attempts > maxAttempts) throw new Error(`run ${runId} was begun ${run.attempts} times`);
    await workPages(context, crm, { run, onMade: tidier.tidy });
  } catch (error) {
    if (!(error instanceof LeaseLostError)) await fail(context, run, error);
  } finally {
    clearInterval(beat);
    await tidier.ended();
  }
}
