import type { LeadMerge, MergeChoices } from "@portal/contract/entities/lead-merge";
import { getAllLeadsStats } from "@portal/contract/routes/all-leads";
import { listFollowUps } from "@portal/contract/routes/assignment";
import {
  listLeadMerges,
  listMergesOfLead,
  mergeLeads,
  previewLeadMerge,
  undoLeadMerge,
} from "@portal/contract/routes/lead-merge";
import { findKnownLeads, listDuplicates } from "@portal/contract/routes/leads";
import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, callRoute } from "../../lib/api.ts";
import { recordedWithReason } from "../../lib/errors.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { openLead } from "../../lib/lead-panel.ts";
import { invalidateBelowLeads, refreshLeads } from "../../lib/lead-updates.ts";
import { reloadPages } from "../../lib/long-list/list-pages.ts";
import { invalidatePaths, routeQuery } from "../../lib/query-client.ts";
import { useClientRef } from "../../lib/use-client-ref.ts";
import { toast } from "../../ui/toast.ts";
import { mergeMessages } from "./messages.ts";

/** Leads with the same number or email. */
export const likelyQuery = ({ phone, email }: { phone: string | null; email: string | null }) => ({
  ...routeQuery(findKnownLeads, { query: { ...(phone && { phone }), ...(email && { email }) } }),
  staleTime: 0,
});

/** Merges of a lead; live. */
export const mergesOfLeadQuery = (id: number) => routeQuery(listMergesOfLead, { params: { id } });

/** Merges of the last seven days. */
export const recentMergesQuery = () => ({ ...routeQuery(listLeadMerges), staleTime: 0 });

/** Preview of a merge with these choices. */
export const mergePreviewQuery = (leadId: number, otherId: number, choices: MergeChoices) =>
  queryOptions({
    queryKey: ["merge-preview", leadId, otherId, choices],
    queryFn: () => callRoute(previewLeadMerge, { params: { id: leadId }, body: { otherId, choices } }),
    staleTime: 0,
    gcTime: 0,
  });

/** Why a merge or its undoing was refused. */
export function refusalText(error: unknown, fallback: string): string {
  const refusal = error instanceof ApiError ? error.body?.mergeRefusal : undefined;
  return refusal ? messagesOf(mergeMessages)(`refusal_${refusal}`) : recordedWithReason(error, fallback);
}

/** Refetches everything that shows leads. The user caused the change, so rows may move. */
function refresh(client: QueryClient): Promise<unknown> {
  return Promise.all([
    refreshLeads(client),
    invalidateBelowLeads(client, null),
    reloadPages(client, "lead-rows"),
    reloadPages(client, "all-leads"),
    invalidatePaths(client, [
      listFollowUps.path,
      getAllLeadsStats.path,
      listLeadMerges.path,
      listDuplicates.path,
    ]),
  ]);
}

/** Merges a lead into another, and opens the surviving one. */
export function useMergeLeads(leadId: number, otherId: number) {
  const client = useQueryClient();
  const refs = useClientRef();
  return useMutation({
    mutationFn: (choices: MergeChoices) =>
      callRoute(mergeLeads, {
        params: { id: leadId },
        body: { otherId, choices, clientRef: refs.of([leadId, otherId, choices]) },
      }),
    onSuccess: (merge) => {
      const t = messagesOf(mergeMessages);
      const description = t("doneText", { other: merge.otherName, kept: merge.leadName });
      toast({ title: t("doneTitle"), description, tone: "success" });
      openLead(merge.leadId);
      void refresh(client);
    },
  });
}

/** Undoes a merge. */
export function useUndoMerge({ id }: Pick<LeadMerge, "id">) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callRoute(undoLeadMerge, { params: { id } }),
    onSuccess: ({ otherName }) => {
      const t = messagesOf(mergeMessages);
      toast({
        title: t("undoneTitle"),
        description: t("undoneText", { other: otherName }),
        tone: "success",
      });
      void refresh(client);
    },
    onError: (error) => {
      const t = messagesOf(mergeMessages);
      const description = refusalText(error, t("undoFailed"));
      toast({ title: t("undoFailed"), description, error, tone: "destructive" });
    },
  });
}
