import type { DeletionDecision, HeldDeletions } from "@portal/contract/entities/crm";
import { holdLock } from "../../platform/db/advisory-locks.ts";
import type { Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/service.ts";
import { countMissing, findDueRead, findHeldRun, leaveMissing, resumeToMark } from "./deletion-repository.ts";
import { askedOf, firstMissing } from "./read-missing.ts";
import { findKnownUntil } from "./run-repository.ts";
import { beginRun, type RunContext, runQueue, settleHeldAlert } from "./service.ts";
import { crmOffMessage, leftMessage } from "./write-messages.ts";

/**
 * Starts the nightly full run when it is due, after a first sync: over all contacts if all were synced before, else over the consultants'.
 * A failed run or a decided one may continue at any hour. Any process may call it.
 */
export async function beginNightlyRead(context: RunContext, tx: Tx, timeZone: string): Promise<void> {
  if (!context.crm || !(await findDueRead(tx, timeZone))) return;
  await holdLock(tx.$client, "nightlyRead");
  const known = await findKnownUntil(tx);
  const due = known && (await findDueRead(tx, timeZone));
  if (!due) return;
  await beginRun(context, tx, { kind: due.kind ?? (known.everyone ? "all" : "assigned"), userId: null });
}

/** Deletions that wait for a decision, or null. */
export async function getHeldDeletions({
  database,
}: Pick<RunContext, "database">): Promise<HeldDeletions | null> {
  const run = await findHeldRun(database.db);
  if (!run) return null;
  const { runId, startedAt, cursor, deleted, examples } = run;
  const { leads, missing } = await database.transaction((tx) => countMissing(tx, runId));
  return {
    runId,
    startedAt: startedAt.toISOString(),
    leads,
    missing,
    asked: askedOf(cursor),
    deleted,
    examples,
  };
}

const decided = () => new AppError("conflict", "These deletions no longer wait for a decision.");

async function decide(context: RunContext, tx: Tx, held: HeldDeletions, decision: DeletionDecision) {
  const { runId } = held;
  if (decision === "leave") {
    const left = await leaveMissing(tx, runId, leftMessage);
    if (left === null) throw decided();
    return { left };
  }
  if (!(await resumeToMark(tx, runId, firstMissing))) throw decided();
  await context.jobs.enqueue(tx, runQueue, { runId });
  return {};
}

/**
 * Decides about held deletions: the run continues and marks them, or their leads stay as they are. Errors: `conflict` if no decision is
 * pending; `provider_off` if they are to be marked and there is no CRM.
 */
export async function decideDeletions(
  context: RunContext,
  { userId, runId, decision }: { userId: number; runId: number; decision: DeletionDecision },
): Promise<string> {
  if (decision === "mark" && !context.crm) throw new AppError("provider_off", crmOffMessage);
  const held = await getHeldDeletions(context);
  if (held?.runId !== runId) throw decided();
  await context.database.transaction(async (tx) => {
    const result = await decide(context, tx, held, decision);
    const { leads, missing, asked, deleted } = held;
    await recordAudit(tx, {
      userId,
      action: "crm-deletions-decided",
      subject: `crm-sync:${runId}`,
      data: { decision, leads, missing, asked, deleted, ...result },
    });
    await publishEvent(tx, { topic: "crm-sync", id: runId, audience: "all" });
    await settleHeldAlert(context, tx);
  });
  return decision === "mark"
    ? "The missing contacts are asked for again; the leads of those that do not exist are marked."
    : leftMessage;
}
