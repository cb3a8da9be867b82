import type { CrmChange, CrmOutbox, CrmStatus, SyncResult } from "@portal/contract/entities/crm";
import type { Role } from "@portal/contract/entities/user";
import { limits } from "@portal/contract/limits";
import type { Logger } from "pino";
import type { Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import { waitForEvent } from "../../platform/realtime/listener.ts";
import type { Crm, CrmAccess } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { recordAudit } from "../activity/service.ts";
import { isCut } from "../crm-connection/refresh.ts";
import { type CrmSyncContext, retryCrmPush } from "../crm-outbox/service.ts";
import { type NotificationsContext, settleAdminAlert } from "../notifications/service.ts";

import { endHeldRuns, findHeldRun } from "./deletion-repository.ts";
import {
  findChangeOwner,
  findLeadOwner,
  listChangesOfLead,
  listFailures,
  readOutbox,
} from "./outbox-repository.ts";
import { presentChange, presentRun } from "./present.ts";
import {
  changesAreDue,
  findKnownUntil,
  findRun,
  findRunningRun,
  freeDeadRuns,
  fullKinds,
  insertRun,
  pruneHistory,
  type RunKind,
  type RunRow,
} from "./run-repository.ts";
import { crmOffMessage, replacedMessage } from "./write-messages.ts";

/** Queue of sync runs; each job works a run for at most a minute. */
export const runQueue = "crm-run";

export interface RunContext extends CrmSyncContext {
  /** Null without a CRM configuration. */
  crm: Crm | null;
  /** Which key the requests use; null without a CRM configuration. */
  crmAccess: CrmAccess | null;
  defaultCountry: "US" | "ES";
  notifications: Pick<NotificationsContext, "jobs" | "mailer">;
  log: Pick<Logger, "error" | "warn" | "info">;
  /** Time a request waits for its run, ms; 20 s by default. */
  waitMs?: number;
}

/** Whether requests to the CRM have a key. Until an administrator connects, changes and events stay queued. */
export async function hasWay({ crmAccess }: Pick<RunContext, "crmAccess">): Promise<boolean> {
  return crmAccess !== null && !(await isCut(crmAccess));
}

/** Starts a run of changes if one is due, after the first sync. Any process may call it. */
export async function beginDueChanges(context: RunContext, tx: Tx, everySeconds: number): Promise<void> {
  if (!context.crm || !(await changesAreDue(tx, everySeconds)) || !(await findKnownUntil(tx))) return;
  const runId = await insertRun(tx, { kind: "changes", requestedBy: null });
  if (runId === undefined) return;
  await pruneHistory(tx);
  await context.jobs.enqueue(tx, runQueue, { runId });
}

/** Hands the runs of dead workers to new jobs. */
export async function resumeDeadRuns(context: RunContext, tx: Tx): Promise<void> {
  for (const runId of await freeDeadRuns(tx)) await context.jobs.enqueue(tx, runQueue, { runId });
}

/** Alerts administrators while a run waits for their decision, and ends the alert otherwise. Call it last in a transaction. */
export async function settleHeldAlert({ notifications }: RunContext, tx: Tx): Promise<void> {
  const isOpen = async () => (await findHeldRun(tx)) !== undefined;
  await settleAdminAlert(tx, notifications, { kind: "crm_deletions_held", isOpen });
}

/**
 * Starts a run with its job; a full run replaces a held one. `userId` null is a scheduled run. Returns undefined if one of its kind is
 * running.
 */
export async function beginRun(
  context: RunContext,
  tx: Tx,
  { kind, userId }: { kind: RunKind; userId: number | null },
): Promise<number | undefined> {
  const runId = await insertRun(tx, { kind, requestedBy: userId });
  if (runId === undefined) return undefined;
  if (fullKinds.includes(kind)) await endHeldRuns(tx, replacedMessage);
  await context.jobs.enqueue(tx, runQueue, { runId });
  if (userId !== null)
    await recordAudit(tx, { userId, action: "crm-sync", subject: `crm-sync:${runId}`, data: { kind } });
  if (fullKinds.includes(kind)) await settleHeldAlert(context, tx);
  return runId;
}

/** Starts a run or joins the running one of its kind. Returns its id. */
async function startRun(context: RunContext, input: { kind: RunKind; userId: number }): Promise<number> {
  return context.database.transaction(async (tx) => {
    await resumeDeadRuns(context, tx);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const runId = (await beginRun(context, tx, input)) ?? (await findRunningRun(tx, input.kind))?.id;
      if (runId !== undefined) return runId;
      // The other run ended between the two queries.
    }
    throw new AppError("conflict", "A sync has just ended. Please try again.");
  });
}

/** The run ended without completing. */
const isUnfinished = ({ state }: RunRow) => state === "failed" || state === "held";

async function readRun(context: RunContext, runId: number): Promise<RunRow> {
  const run = await findRun(context.database.db, runId);
  if (!run) throw new AppError("not_found");
  return run;
}

/**
 * Ingests the CRM's contacts or calls: starts or joins a run, waits up to 20 s and returns its figures, with `running` if it continues.
 * `synced` counts what the run processed: created, changed or unchanged (recordings: newly linked). Errors: `provider_off`;
 * `provider_unavailable` with the reason if the run failed.
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
  if (isUnfinished(run))
    throw new AppError("provider_unavailable", run.message ?? undefined, {
      ...(run.fault && { syncFault: run.fault }),
    });
  return presentRun(run);
}

/** Figures of one run. Errors: `not_found`. */
export async function getRun(context: RunContext, runId: number): Promise<SyncResult & { failed: boolean }> {
  const run = await readRun(context, runId);
  return { ...presentRun(run), failed: isUnfinished(run) };
}

interface Actor {
  userId: number;
  role: Role;
}

/** Whose changes the actor sees and retries: a consultant those of their own leads, an administrator all (null). */
function scopeOf(actor: Actor): number | null {
  return actor.role === "admin" ? null : actor.userId;
}

function mayAct(actor: Actor, owner: { assignedTo: number | null } | undefined, missing: string): void {
  if (!owner) throw new AppError("not_found", missing);
  if (actor.role !== "admin" && owner.assignedTo !== actor.userId) throw new AppError("not_your_lead");
}

/** State of the changes for the CRM, for this actor. */
export async function getOutbox(
  { database: { db } }: Pick<CrmSyncContext, "database">,
  actor: Actor,
): Promise<CrmOutbox> {
  const figures = await readOutbox(db, scopeOf(actor));
  const failures = figures.failed > 0 ? await listFailures(db, scopeOf(actor)) : [];
  return {
    pending: figures.pending,
    failed: figures.failed,
    sentToday: figures.sentToday,
    oldestPendingAt: figures.oldestPendingAt?.toISOString() ?? null,
    failures: failures.map(presentChange),
  };
}

/** A lead's latest changes for the CRM. Errors: `not_found`, `not_your_lead`. */
export async function getLeadChanges(
  { database: { db } }: Pick<CrmSyncContext, "database">,
  { actor, leadId }: { actor: Actor; leadId: number },
): Promise<CrmChange[]> {
  mayAct(actor, await findLeadOwner(db, leadId), "This lead does not exist.");
  return (await listChangesOfLead(db, leadId)).map(presentChange);
}

/** Retries failed changes: one, a lead's, or all that the actor may see. Returns how many. Errors: `not_found`, `not_your_lead`. */
export async function retryChanges(
  context: CrmSyncContext,
  { actor, id, leadId }: { actor: Actor; id?: number | undefined; leadId?: number | undefined },
): Promise<number> {
  const { db } = context.database;
  if (id !== undefined) mayAct(actor, await findChangeOwner(db, id), "This change does not exist.");
  if (leadId !== undefined) mayAct(actor, await findLeadOwner(db, leadId), "This lead does not exist.");
  return context.database.transaction(async (tx) => {
    const salesRepId = scopeOf(actor) ?? undefined;
    const retried = await retryCrmPush(tx, context.jobs, { id, leadId, salesRepId });
    if (retried > 0)
      await recordAudit(tx, {
        userId: actor.userId,
        action: "crm-retry",
        data: { retried, ...(id !== undefined && { id }), ...(leadId !== undefined && { leadId }) },
      });
    return retried;
  });
}

const rememberMs = 10_000;

async function ask(crm: Crm): Promise<CrmStatus> {
  try {
    const users = await crm.listUsers({ once: true });
    return { connected: true, message: "Connected to GoHighLevel.", usersCount: users.length };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { connected: false, message: error.message, usersCount: 0 };
  }
}

/** Returns a check whether the CRM answers. The result is shared for some seconds, so that open pages do not load the CRM. */
export function createCrmStatus(crm: Crm | null): () => Promise<CrmStatus> {
  let known: Promise<CrmStatus> | undefined;
  let until = 0;
  return async () => {
    if (!crm) return { connected: false, message: crmOffMessage, usersCount: 0 };
    if (!known || until < performance.now()) {
      known = ask(crm);
      until = Number.POSITIVE_INFINITY;
      known.then(
        () => {
          until = performance.now() + rememberMs;
        },
        () => {
          known = undefined;
        },
      );
    }
    return known;
  };
}
