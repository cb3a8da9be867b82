import type { CrmChange, SyncResult, SyncRun } from "@portal/contract/entities/crm";
import type { ChangeView } from "./outbox-repository.ts";
import type { RunRow, RunView } from "./run-repository.ts";
import { runningMessage } from "./write-messages.ts";

/** Presents the result of a run. */
export function presentRun(run: RunRow): SyncResult {
  return {
    message: run.message ?? runningMessage(run.kind, run.synced),
    synced: run.synced,
    errors: run.errors,
    running: run.state === "running",
    runId: run.id,
    fault: run.fault,
  };
}

/** Presents a run for the list of recent runs. */
export function presentListedRun(run: RunView): SyncRun {
  const { id, kind, state, synced, created, changed, deleted, errors, requestedBy } = run;
  return {
    id,
    kind,
    state,
    requestedBy: requestedBy === null ? null : { id: requestedBy, name: run.requesterName ?? "" },
    startedAt: run.startedAt.toISOString(),
    endedAt: run.finishedAt?.toISOString() ?? null,
    synced,
    created,
    changed,
    deleted,
    errors,
    message: run.message ?? runningMessage(kind, synced),
    fault: run.fault,
  };
}

/** Presents a change on its way to the CRM. */
export function presentChange(change: ChangeView): CrmChange {
  return {
    id: change.id,
    leadId: change.leadId,
    leadName: change.leadName,
    field: change.field,
    state: change.state,
    reason: change.state === "sent" ? null : change.error,
    attempts: change.attempts,
    createdAt: change.createdAt.toISOString(),
    sentAt: change.sentAt?.toISOString() ?? null,
  };
}
