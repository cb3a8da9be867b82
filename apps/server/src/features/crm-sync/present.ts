import type { SyncResult } from "@portal/contract/entities/crm";
import type { RunRow } from "./data-runs.ts";
import { runningMessage } from "./words.ts";

/** A run as the browser sees it. */
export function presentRun(run: RunRow): SyncResult {
  return {
    message: run.message ?? runningMessage(run.kind, run.synced),
    synced: run.synced,
    errors: run.errors,
    running: run.state === "running",
    runId: run.id,
  };
}
