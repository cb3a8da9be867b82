import { extractAllRecordings, getSyncRun, syncAll, syncLeads } from "@portal/contract/routes/crm";
import { callRoute } from "../../lib/api.ts";
import { routeQuery } from "../../lib/query-client.ts";

const syncPollMs = 5_000;

/** A sync run that goes on at the server, looked at until it has ended; without an id it rests. */
export function syncRunQuery(id: number | null) {
  return {
    ...routeQuery(getSyncRun, { params: { id: id ?? 0 } }),
    enabled: id !== null,
    staleTime: 0,
    refetchInterval: syncPollMs,
  };
}

/** Whose contacts a sync takes in: those of the consultants, or every one (administrators). */
export type SyncScope = "leads" | "all";

export function requestSync(scope: SyncScope) {
  return callRoute(scope === "all" ? syncAll : syncLeads);
}

export function requestRecordings() {
  return callRoute(extractAllRecordings);
}
