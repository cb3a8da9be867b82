import type { BulkChange, BulkItemState } from "@portal/contract/entities/bulk-change";
import { getAllLeadsStats } from "@portal/contract/routes/all-leads";
import { listFollowUps } from "@portal/contract/routes/assignment";
import {
  createBulkChange,
  getBulkChange,
  listBulkChanges,
  previewBulkChange,
  undoBulkChange,
} from "@portal/contract/routes/bulk-changes";
import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { type CallInput, callRoute } from "../../../lib/api.ts";
import { recordedWithReason } from "../../../lib/errors.ts";
import { messagesOf } from "../../../lib/i18n.ts";
import { refreshLeads } from "../../../lib/lead-updates.ts";
import { reloadPages } from "../../../lib/long-list/list-pages.ts";
import { invalidatePaths, routeQuery } from "../../../lib/query-client.ts";
import { useClientRef } from "../../../lib/use-client-ref.ts";
import { toast } from "../../../ui/toast.ts";
import { showChange } from "./bulk-store.ts";
import { bulkMessages } from "./messages.ts";

/** What is asked to be done; what has a default may be left out. */
export type AskedEdit = NonNullable<CallInput<typeof createBulkChange>["body"]>["edit"];

/** How many leads of an act are in one of these states. */
export function countOf({ groups }: BulkChange, ...states: BulkItemState[]): number {
  return groups.reduce((sum, { state, count }) => (states.includes(state) ? sum + count : sum), 0);
}

export const bulkChangeQuery = (id: number) => routeQuery(getBulkChange, { params: { id } });
export const bulkChangesQuery = () => routeQuery(listBulkChanges);

/** Who would be changed and who left out. Of a text that depends on whom it goes to and not on its words. */
export function previewQuery(edit: AskedEdit, leadIds: readonly number[]) {
  const asked: AskedEdit = edit.kind === "text" ? { ...edit, message: "?" } : edit;
  return queryOptions({
    queryKey: ["bulk-preview", asked, leadIds],
    queryFn: () => callRoute(previewBulkChange, { body: { edit: asked, leadIds: [...leadIds] } }),
    gcTime: 0,
  });
}

/** Reads again whatever shows leads. It was one's own doing, so rows may move. */
function refresh(client: QueryClient): Promise<unknown> {
  return Promise.all([
    refreshLeads(client),
    reloadPages(client, "lead-rows"),
    reloadPages(client, "all-leads"),
    invalidatePaths(client, [listFollowUps.path, getAllLeadsStats.path, listBulkChanges.path]),
  ]);
}

/** Does something to many leads, and shows it in the list's bar. */
export function useBulkEdit(leadIds: readonly number[]) {
  const client = useQueryClient();
  const refs = useClientRef();
  return useMutation({
    mutationFn: (edit: AskedEdit) =>
      callRoute(createBulkChange, {
        body: { clientRef: refs.of([edit, leadIds]), edit, leadIds: [...leadIds] },
      }),
    onSuccess: (change) => {
      showChange(change);
      void refresh(client);
    },
  });
}

/** Takes an act back; what was spared is said by whoever shows the act. */
export function useUndo(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callRoute(undoBulkChange, { params: { id } }),
    onSuccess: (change) => {
      client.setQueryData(bulkChangeQuery(id).queryKey, change);
      void refresh(client);
    },
    onError: (error) => {
      const t = messagesOf(bulkMessages);
      toast({
        title: t("undoFailed"),
        description: recordedWithReason(error, t("undoFailedText")),
        error,
        tone: "destructive",
      });
    },
  });
}
