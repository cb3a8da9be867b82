import type { Lead } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { listFollowUps } from "@portal/contract/routes/assignment";
import { convertLead, renameLead } from "@portal/contract/routes/leads";
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, type CallInput, callRoute } from "../../lib/api.ts";
import { recordedText, recordedWithReason } from "../../lib/errors.ts";
import { followUpOf } from "../../lib/follow-up.ts";
import { followUpAt } from "../../lib/follow-up-clock.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { patchLead, patchLeadAlone } from "../../lib/lead-cache.ts";
import { refreshLeads, showSavedLead } from "../../lib/lead-updates.ts";
import { page } from "../../lib/navigation.ts";
import { type Saved, saveWrite } from "../../lib/offline/queue.ts";
import { type LeadChange, seenOf } from "../../lib/offline/queue-item.ts";
import { invalidatePaths } from "../../lib/query-client.ts";
import { toast } from "../../ui/toast.ts";
import { sayWaiting } from "../../ui/waiting-toast.ts";
import { leadDialogMessages } from "./dialog-messages.ts";

/** Refetches everything that shows leads: lists, figures, follow-ups. */
function refresh(client: QueryClient): Promise<unknown> {
  return Promise.all([refreshLeads(client), invalidatePaths(client, [listFollowUps.path])]);
}

/** Shows the saved lead; without a response the queued change, and, if the session has ended, the login screen. */
function showSaved(client: QueryClient, saved: Saved<Lead>): boolean {
  if (saved.state === "sent") {
    void (saved.answer ? showSavedLead(client, saved.answer) : refresh(client));
    return true;
  }
  if (saved.reason === "session") returnToLogin();
  else sayWaiting(saved.reason);
  return false;
}

/**
 * Saves a lead's changed fields optimistically; the cards revert if the server refuses. Without a network the change is queued in the
 * browser, and the cards show that.
 */
export function useUpdateLead(lead: Lead) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: LeadChange) =>
      saveWrite<Lead>(client, {
        leadId: lead.id,
        leadName: lead.name,
        write: { kind: "change", change, seen: seenOf(lead, change) },
      }),
    onMutate: (change) => patchLead(client, lead.id, optimistic(lead, change)),
    onSuccess: (saved, change) => {
      if (saved.state === "waiting") patchLeadAlone(client, lead.id, optimistic(lead, change));
      if (!showSaved(client, saved)) return;
      const t = messagesOf(leadDialogMessages);
      toast({ title: t("updatedTitle"), description: t("updatedText"), tone: "success" });
    },
    onError: (error, _change, takeBack) => {
      takeBack?.();
      sayUpdateFailed(client, error);
    },
  });
}

/** Shows why a change was not saved, and refetches the lead. */
function sayUpdateFailed(client: QueryClient, error: Error): void {
  void refresh(client);
  if (isSessionExpired(error)) {
    returnToLogin();
    return;
  }
  const t = messagesOf(leadDialogMessages);
  toast({
    title: t("updateFailedTitle"),
    description: recordedWithReason(error, t("updateFailedText")),
    error,
    tone: "destructive",
  });
}

/** Adds a note above a lead's existing notes. */
export function useAddNote({ id, name }: Pick<Lead, "id" | "name">) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (text: string) =>
      saveWrite<Lead>(client, { leadId: id, leadName: name, write: { kind: "note", text } }),
    onSuccess: (saved) => void showSaved(client, saved),
    onError: (error) => sayUpdateFailed(client, error),
  });
}

/** The lead's fields after a change, as the server will answer them. */
function optimistic(lead: Lead, change: LeadChange): Partial<Lead> {
  const { status, nextFollowUpDate, nextFollowUpTime } = change;
  const fields: Partial<Lead> = { ...(change as Partial<Lead>), ...(status && { leadStatus: status }) };
  if (nextFollowUpDate === undefined && nextFollowUpTime === undefined) return fields;
  // The time goes with the date.
  if (nextFollowUpDate === null) Object.assign(fields, { nextFollowUpTime: null, nextFollowUpZone: null });
  const followUp = followUpOf({ ...lead, ...fields });
  return { ...fields, nextFollowUpAt: followUp && followUpAt(followUp) };
}

/** Renames a lead, with the recorded Spanish messages. */
export function useRenameLead(lead: Lead) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => callRoute(renameLead, { params: { id: lead.id }, body: { name } }),
    onMutate: (name) => patchLead(client, lead.id, { name }),
    onSuccess: ({ lead: saved, ghlSynced }) => {
      void showSavedLead(client, saved);
      const t = messagesOf(leadDialogMessages);
      toast({
        title: t("nameUpdatedTitle"),
        description: ghlSynced ? t("nameUpdatedSynced") : t("nameUpdatedQueued"),
        tone: "success",
      });
    },
    onError: (error, _name, takeBack) => {
      takeBack?.();
      void refresh(client);
      const t = messagesOf(leadDialogMessages);
      if (isSessionExpired(error)) {
        toast({ title: t("sessionTitle"), description: t("sessionReload"), error, tone: "destructive" });
        setTimeout(page.reload, limits.sessionExpiredReloadMs);
        return;
      }
      toast({
        title: t("nameFailedTitle"),
        description: recordedText(error, t("nameFailedText")),
        error,
        tone: "destructive",
      });
    },
  });
}

/** Shows that the session has ended, and opens the login screen. */
function returnToLogin(): void {
  const t = messagesOf(leadDialogMessages);
  toast({ title: t("sessionTitle"), description: t("sessionRedirect"), tone: "destructive" });
  setTimeout(() => page.go("/"), limits.leadUpdateRedirectMs);
}

/** The recorded check for an ended session: a 401, or the text of an HTML response. */
function isSessionExpired(error: Error): boolean {
  return (
    (error instanceof ApiError && error.status === 401) || /Unauthorized|Sesión expirada/.test(error.message)
  );
}

type Conversion = NonNullable<CallInput<typeof convertLead>["body"]>;

/** Converts a lead to a client. */
export function useConvertLead(lead: Lead) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Conversion) => callRoute(convertLead, { params: { id: lead.id }, body }),
    onMutate: () => patchLead(client, lead.id, { status: "converted", leadStatus: "converted" }),
    onSuccess: ({ lead: saved }) => {
      void showSavedLead(client, saved);
      const t = messagesOf(leadDialogMessages);
      toast({
        title: t("convertedTitle"),
        description: t("convertedText", { name: saved.name }),
        tone: "success",
      });
    },
    onError: (error, _body, takeBack) => {
      takeBack?.();
      void refresh(client);
      const t = messagesOf(leadDialogMessages);
      if (isSessionExpired(error)) return returnToLogin();
      toast({
        title: t("convertFailedTitle"),
        description: recordedWithReason(error, t("convertFailedText")),
        error,
        tone: "destructive",
      });
    },
  });
}
