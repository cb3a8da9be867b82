import type { SyncResult } from "@portal/contract/entities/crm";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useReducer } from "react";
import { currentLanguage, textOf } from "../../lib/i18n.ts";
import { recordedText } from "../../lib/recorded-text.ts";
import { toast } from "../../ui/toast.ts";
import { refreshLeads } from "../leads/queries.ts";
import { requestRecordings, requestSync, type SyncScope, syncRunQuery } from "./queries.ts";
import { idleSync, syncReducer } from "./sync-state.ts";
import { crmSyncTexts } from "./texts.ts";

const titles = { leads: "syncLeads", all: "syncAll", changes: "syncChanges" } as const;

/** The server tells of a sync in English; Spanish has words of its own. */
function told(message: string, own: string): string {
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
        const t = textOf(crmSyncTexts);
        toast({
          title: t(titles[scope]),
          description: told(result.message, t("running")),
        });
        dispatch({ type: "continues", runId: result.runId });
        void refreshLeads(client);
      } else await finish(result);
    } catch (error) {
      fail(error);
    }
  }

  async function finish({ message, synced, errors }: SyncResult): Promise<void> {
    const t = textOf(crmSyncTexts);
    toast({
      title: t("completeTitle"),
      description: told(message, t("completeText", { count: synced })),
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
    const t = textOf(crmSyncTexts);
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
    const t = textOf(crmSyncTexts);
    dispatch({ type: "stopped" });
    toast({
      title: t("failedTitle"),
      description: told(result.message, t("failedText")),
      tone: "destructive",
    });
  });
  const { data } = run;
  useEffect(() => {
    if (data && !data.running) runEnded(data);
  }, [data]);

  return { state, start, readIssues: () => dispatch({ type: "issuesRead" }) };
}
