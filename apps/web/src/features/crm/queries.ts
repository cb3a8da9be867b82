import type { SyncResult } from "@portal/contract/entities/crm";
import {
  extractAllRecordings,
  getSyncRun,
  listSyncRuns,
  syncAll,
  syncChanges,
  syncLeads,
} from "@portal/contract/routes/crm";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useReducer } from "react";
import { callRoute } from "../../lib/api.ts";
import { fetchCode } from "../../lib/connection.ts";
import { refreshLeads } from "../../lib/lead-updates.ts";
import { routeQuery } from "../../lib/query-client.ts";
import type { SyncScope } from "./show-sync.ts";

const syncPollMs = 5_000;
const runsRead = 50;

/** A running sync, polled until it ends; disabled without an id. */
function syncRunQuery(id: number | null) {
  return {
    ...routeQuery(getSyncRun, { params: { id: id ?? 0 } }),
    enabled: id !== null,
    staleTime: 0,
    refetchInterval: syncPollMs,
  };
}

/** The latest runs of all users and of the schedule; live. */
export function syncRunsQuery() {
  return { ...routeQuery(listSyncRuns, { query: { limit: runsRead } }), staleTime: 0 };
}

const routes = { leads: syncLeads, all: syncAll, changes: syncChanges };

function requestSync(scope: SyncScope) {
  return callRoute(routes[scope]);
}

function requestRecordings() {
  return callRoute(extractAllRecordings);
}

/** Phases of a sync: the leads, then the AI recordings. */
export type SyncPhase = "idle" | "syncing-leads" | "syncing-recordings";

/** `runId` is set if the run continues after its request; its end arrives by an event. */
interface SyncState {
  readonly phase: SyncPhase;
  readonly runId: number | null;
  /** Contacts that the last run could not ingest. */
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

/** Messages about a sync are loaded with the first one. */
const loadToasts = () => fetchCode(() => import("./show-sync.ts"));

/**
 * Sync Leads, Sync All and Sync Changes: syncs the leads, then the AI recordings, with the recorded toasts. A run that outlasts its request
 * is followed to its end.
 */
export function useCrmSync(scope: SyncScope) {
  const client = useQueryClient();
  const [state, dispatch] = useReducer(syncReducer, idleSync);
  const run = useQuery(syncRunQuery(state.runId));

  async function start(): Promise<void> {
    if (state.phase !== "idle") return;
    dispatch({ type: "started" });
    try {
      const result = await requestSync(scope);
      if (result.running) {
        (await loadToasts()).showRunning(scope, result);
        dispatch({ type: "continues", runId: result.runId });
        void refreshLeads(client);
      } else await finish(result);
    } catch (error) {
      await fail(error);
    }
  }

  async function finish(result: SyncResult): Promise<void> {
    const { errors } = result;
    const toasts = await loadToasts();
    toasts.showComplete(scope, result);
    dispatch({ type: "leadsDone", issues: errors });
    void refreshLeads(client);
    try {
      const { extractedCount } = await requestRecordings();
      if (extractedCount > 0) void refreshLeads(client);
      dispatch({ type: "stopped" });
    } catch (error) {
      await fail(error);
      return;
    }
    if (errors.length > 0) toasts.showIssues(scope, errors.length);
  }

  async function fail(error: unknown): Promise<void> {
    dispatch({ type: "stopped" });
    (await loadToasts()).showFailed(error);
  }

  const runEnded = useEffectEvent((result: SyncResult & { failed: boolean }) => {
    if (state.runId !== result.runId) return;
    if (!result.failed) return void finish(result);
    dispatch({ type: "stopped" });
    void loadToasts().then(({ showRunFailed }) => showRunFailed(result));
  });
  const { data } = run;
  useEffect(() => {
    if (data && !data.running) runEnded(data);
  }, [data]);

  return { state, start, readIssues: () => dispatch({ type: "issuesRead" }) };
}
