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
import { recordedText } from "../../lib/errors.ts";
import { currentLanguage, messagesOf } from "../../lib/i18n.ts";
import { refreshLeads } from "../../lib/lead-updates.ts";
import { routeQuery } from "../../lib/query-client.ts";
import { toast } from "../../ui/toast.ts";
import { crmSyncMessages } from "./messages.ts";

const syncPollMs = 5_000;
const runsRead = 50;

/** A sync run that goes on at the server, looked at until it has ended; without an id it rests. */
function syncRunQuery(id: number | null) {
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
type SyncScope = "leads" | "all" | "changes";

const routes = { leads: syncLeads, all: syncAll, changes: syncChanges };

function requestSync(scope: SyncScope) {
  return callRoute(routes[scope]);
}

function requestRecordings() {
  return callRoute(extractAllRecordings);
}

/** Syncing with the CRM: first the leads, then the AI recordings, then idle. */
export type SyncPhase = "idle" | "syncing-leads" | "syncing-recordings";

/** `runId` is set while the answer said that the run goes on: its end arrives by event. */
interface SyncState {
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

const titles = { leads: "syncLeads", all: "syncAll", changes: "syncChanges" } as const;

/** The server tells of a sync in English; Spanish has words of its own. */
function localized(message: string, own: string): string {
  return (currentLanguage() === "en" && message) || own;
}

/** Sync Leads, Sync All and Sync Changes: the leads, then the AI recordings, with the recorded toasts. A run that outlasts its request is followed to its end. */
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
        const t = messagesOf(crmSyncMessages);
        toast({
          title: t(titles[scope]),
          description: localized(result.message, t("running")),
        });
        dispatch({ type: "continues", runId: result.runId });
        void refreshLeads(client);
      } else await finish(result);
    } catch (error) {
      fail(error);
    }
  }

  async function finish({ message, synced, errors }: SyncResult): Promise<void> {
    const t = messagesOf(crmSyncMessages);
    toast({
      title: t("completeTitle"),
      description: localized(
        message,
        t(scope === "leads" ? "completeTeam" : "completeText", { count: synced }),
      ),
      tone: "success",
    });
    dispatch({ type: "leadsDone", issues: errors });
    void refreshLeads(client);
    try {
      const { extractedCount } = await requestRecordings();
      if (extractedCount > 0) void refreshLeads(client);
      dispatch({ type: "stopped" });
    } catch (error) {
      fail(error);
      return;
    }
    if (errors.length > 0) {
      toast({
        title: t("issuesTitle"),
        description: t(scope === "leads" ? "leadIssues" : "contactIssues", { count: errors.length }),
        tone: "warning",
      });
    }
  }

  function fail(error: unknown): void {
    const t = messagesOf(crmSyncMessages);
    dispatch({ type: "stopped" });
    toast({
      title: t("failedTitle"),
      description: recordedText(error, t("failedText")),
      tone: "destructive",
    });
  }

  const runEnded = useEffectEvent((result: SyncResult & { failed: boolean }) => {
    if (state.runId !== result.runId) return;
    if (!result.failed) return void finish(result);
    const t = messagesOf(crmSyncMessages);
    dispatch({ type: "stopped" });
    toast({
      title: t("failedTitle"),
      description: localized(result.message, t("failedText")),
      tone: "destructive",
    });
  });
  const { data } = run;
  useEffect(() => {
    if (data && !data.running) runEnded(data);
  }, [data]);

  return { state, start, readIssues: () => dispatch({ type: "issuesRead" }) };
}
