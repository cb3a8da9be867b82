import type { SyncFault } from "@portal/contract/sync-faults";
import { ApiError } from "../../lib/api.ts";
import { recordedText } from "../../lib/errors.ts";
import { currentLanguage, messagesOf } from "../../lib/i18n.ts";
import { toast } from "../../ui/toast.ts";
import { crmSyncMessages } from "./messages.ts";
import { syncFaultText, syncResultMessages } from "./sync-messages.ts";

/** Which contacts a sync ingests: the consultants', all (administrators), or those changed since the last sync. */
export type SyncScope = "leads" | "all" | "changes";

const titles = { leads: "syncLeads", all: "syncAll", changes: "syncChanges" } as const;

/** The server's English message, or the page's own Spanish text. */
function localized(message: string, own: string): string {
  return (currentLanguage() === "en" && message) || own;
}

/** Shows that the sync continues in the background. */
export function showRunning(scope: SyncScope, { message }: { message: string }): void {
  toast({
    title: messagesOf(crmSyncMessages)(titles[scope]),
    description: localized(message, messagesOf(syncResultMessages)("running")),
  });
}

/** Shows that the leads are synced. */
export function showComplete(
  scope: SyncScope,
  { message, synced }: { message: string; synced: number },
): void {
  const t = messagesOf(syncResultMessages);
  toast({
    title: t("completeTitle"),
    description: localized(
      message,
      t(scope === "leads" ? "completeTeam" : "completeText", { count: synced }),
    ),
    tone: "success",
  });
}

/** Shows how many contacts could not be ingested. */
export function showIssues(scope: SyncScope, count: number): void {
  const t = messagesOf(syncResultMessages);
  toast({
    title: t("issuesTitle"),
    description: t(scope === "leads" ? "leadIssues" : "contactIssues", { count }),
    tone: "warning",
  });
}

/** Shows a failed request. */
export function showFailed(error: unknown): void {
  const t = messagesOf(syncResultMessages);
  const fault = error instanceof ApiError ? error.body?.syncFault : undefined;
  const said = recordedText(error, t("failedText"));
  toast({
    title: t("failedTitle"),
    description: fault ? localized(said, syncFaultText(fault)) : said,
    error,
    tone: "destructive",
  });
}

/** Shows that a run failed after its request had returned. */
export function showRunFailed({ message, fault }: { message: string; fault: SyncFault | null }): void {
  const t = messagesOf(syncResultMessages);
  const own = fault ? syncFaultText(fault) : t("failedText");
  toast({ title: t("failedTitle"), description: localized(message, own), tone: "destructive" });
}
