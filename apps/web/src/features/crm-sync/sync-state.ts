/** Syncing with the CRM (specification §4): first the leads, then the AI recordings, then idle. */
export type SyncPhase = "idle" | "syncing-leads" | "syncing-recordings";

/** `runId` is set while the answer said that the run goes on: its end arrives by event. */
export interface SyncState {
  readonly phase: SyncPhase;
  readonly runId: number | null;
  /** Contacts that could not be taken in whole, of the last run. */
  readonly issues: readonly string[];
}

export type SyncAction =
  | { readonly type: "started" }
  | { readonly type: "continues"; readonly runId: number }
  | { readonly type: "leadsDone"; readonly issues: readonly string[] }
  | { readonly type: "stopped" }
  | { readonly type: "issuesRead" };

export const idleSync: SyncState = { phase: "idle", runId: null, issues: [] };

export function syncReducer(state: SyncState, action: SyncAction): SyncState {
  switch (action.type) {
    case "started":
      return { phase: "syncing-leads", runId: null, issues: [] };
    case "continues":
      return { ...state, runId: action.runId };
    case "leadsDone":
      if (state.phase !== "syncing-leads") return state;
      return { phase: "syncing-recordings", runId: null, issues: action.issues };
    case "stopped":
      return { ...state, phase: "idle", runId: null };
    case "issuesRead":
      return { ...state, issues: [] };
  }
}
