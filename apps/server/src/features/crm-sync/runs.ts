import type { SyncResult } from "@portal/contract/entities/crm";
import { limits } from "@portal/contract/limits";
import type { Logger } from "pino";
import type { Tx } from "../../db/client.ts";
import { waitForEvent } from "../../events/wait-for-event.ts";
import { AppError } from "../../http/app-error.ts";
import type { Crm } from "../../ports/crm.ts";
import { recordAudit } from "../audit/service.ts";
import {
  changesAreDue,
  findKnownUntil,
  findRun,
  findRunningRun,
  freeDeadRuns,
  insertRun,
  pruneHistory,
  type RunKind,
  type RunRow,
} from "./data-runs.ts";
import { presentRun } from "./present.ts";
import type { CrmSyncContext } from "./service.ts";
import { crmOffMessage } from "./words.ts";

/** Queue of runs: a job works a run, or its next minute. */
export const runQueue = "crm-run";

export interface RunContext extends CrmSyncContext {
  /** Null where no key is set. */
  crm: Crm | null;
  defaultCountry: "US" | "ES";
  log: Pick<Logger, "error" | "warn" | "info">;
  /** How long a request waits for its run, ms; 20 s unless said otherwise. */
  waitMs?: number;
}

/** Takes in what changed in the CRM, once the first sync was done, where that is due; any process may ask. */
export async function beginDueChanges(context: RunContext, tx: Tx, everySeconds: number): Promise<void> {
  if (!context.crm || !(await changesAreDue(tx, everySeconds)) || !(await findKnownUntil(tx))) return;
  const runId = await insertRun(tx, { kind: "changes", requestedBy: null });
  if (runId === undefined) return;
  await pruneHistory(tx);
  await context.jobs.enqueue(tx, runQueue, { runId });
}

/** Gives the runs of dead workers to new jobs. */
export async function resumeDeadRuns(context: RunContext, tx: Tx): Promise<void> {
  for (const runId of await freeDeadRuns(tx)) await context.jobs.enqueue(tx, runQueue, { runId });
}

/** Begins a run with its job; undefined where one of its kind is under way. */
async function beginRun(
  context: RunContext,
  tx: Tx,
  { kind, userId }: { kind: RunKind; userId: number },
): Promise<number | undefined> {
  const runId = await insertRun(tx, { kind, requestedBy: userId });
  if (runId === undefined) return undefined;
  await context.jobs.enqueue(tx, runQueue, { runId });
  await recordAudit(tx, { userId, action: "crm-sync", subject: `crm-sync:${runId}`, data: { kind } });
  return runId;
}

/** Begins a run, or joins the one of this kind that is under way. Answers its id. */
async function startRun(context: RunContext, input: { kind: RunKind; userId: number }): Promise<number> {
  return context.database.transaction(async (tx) => {
    await resumeDeadRuns(context, tx);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const runId = (await beginRun(context, tx, input)) ?? (await findRunningRun(tx, input.kind))?.id;
      if (runId !== undefined) return runId;
      // The other one ended between the two looks.
    }
    throw new AppError("conflict", "A sync has just ended. Please try again.");
  });
}

async function readRun(context: RunContext, runId: number): Promise<RunRow> {
  const run = await findRun(context.database.db, runId);
  if (!run) throw new AppError("not_found");
  return run;
}

/**
 * Takes in the CRM's contacts or calls: begins a run or joins it, waits up to 20 s for its end and answers its figures; `running` where
 * it goes on. `synced` counts what was taken in by this run: created, changed or found equal (recordings: newly tied).
 * Errors: `provider_off`; `provider_unavailable` with what happened where the run failed.
 */
export async function runSync(
  context: RunContext,
  input: { kind: RunKind; userId: number },
): Promise<SyncResult> {
  if (!context.crm) throw new AppError("provider_off", crmOffMessage);
  const runId = await startRun(context, input);
  const ended = await waitForEvent({
    events: context.events,
    concerns: ({ topic, id }) => topic === "crm-sync" && id === runId,
    timeoutMs: context.waitMs ?? limits.syncWaitMs,
    look: async () => {
      const run = await readRun(context, runId);
      return run.state === "running" ? null : run;
    },
  });
  const run = ended ?? (await readRun(context, runId));
  if (run.state === "failed") throw new AppError("provider_unavailable", run.message ?? undefined);
  return presentRun(run);
}

/** One run's figures. Errors: `not_found`. */
export async function getRun(context: RunContext, runId: number): Promise<SyncResult & { failed: boolean }> {
  const run = await readRun(context, runId);
  return { ...presentRun(run), failed: run.state === "failed" };
}
