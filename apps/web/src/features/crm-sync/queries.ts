import {
  extractAllRecordings,
  getSyncRun,
  listSyncRuns,
  syncAll,
  syncChanges,
  syncLeads,
} from "@portal/contract/routes/crm";
import { callRoute } from "../../lib/api.ts";
import { routeQuery } from "../../lib/query-client.ts";

const syncPollMs = 5_000;
const runsRead = 50;

/** A sync run that goes on at the server, looked at until it has ended; without an id it rests. */
export function syncRunQuery(id: number | null) {
  return {
    ...routeQuery(getSyncRun, { params: { id: id ?? 0 } }),
    enabled: id !== null,
    staleTime: 0,
    refetchInterval: syncPollMs,
  };
}

/** The last runs of everybody and of the schedule; live. */
export function syncRunsQuery() {
  return { ...routeQuery(listSyncRuns, { query: { limit: runsRead } }), staleTime: 0 };
}

/** Whose contacts a sync takes in: the consultants', every one (administrators), or those that changed since the last sync. */
export type SyncScope = "leads" | "all" | "changes";

const routes = { leads: syncLeads, all: syncAll, changes: syncChanges };

export function requestSync(scope: SyncScope) {
  return callRoute(routes[scope]);
}

export function requestRecordings() {
  return callRoute(extractAllRecordings);
}
