import { pageHeaders } from "@portal/contract/entities/fields";
import type { ListPage } from "@portal/contract/entities/lead-list";
import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  orderSavedViews,
  type SavedView,
  updateSavedView,
} from "@portal/contract/routes/saved-views";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { callRoute, request, toUrl } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { invalidatePaths, routeQuery } from "../../lib/query-client.ts";
import { toast } from "../../ui/toast.ts";
import { viewMessages } from "./messages.ts";

const countedMs = 30_000;

export function viewsQuery(page: ListPage) {
  return routeQuery(listSavedViews, { query: { page } });
}

/** The number of rows of a view: the list's total, from a page with one row. */
export function viewCountQuery(listPath: string, query: string) {
  const { columns: _, sort: __, ...filters } = Object.fromEntries(new URLSearchParams(query));
  return queryOptions({
    queryKey: [`${listPath}-counted`, filters] as const,
    queryFn: async ({ signal }) => {
      const { headers } = await request("GET", toUrl(listPath, { ...filters, limit: 1 }), { signal });
      return headers.get(pageHeaders.total) ?? "0";
    },
    staleTime: countedMs,
  });
}

type ViewChange =
  | { kind: "create"; name: string; query: string; isForEverybody: boolean }
  | { kind: "rename"; id: number; name: string }
  | { kind: "delete"; id: number }
  | { kind: "order"; isForEverybody: boolean; ids: number[] };

/** Creates, renames, deletes or reorders views of a list. */
export function useChangeViews(page: ListPage) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (change: ViewChange): Promise<SavedView | SavedView[] | { message: string }> => {
      if (change.kind === "create") {
        const { kind: _, ...view } = change;
        return callRoute(createSavedView, { body: { page, ...view } });
      }
      if (change.kind === "rename")
        return callRoute(updateSavedView, { params: { id: change.id }, body: { name: change.name } });
      if (change.kind === "delete") return callRoute(deleteSavedView, { params: { id: change.id } });
      const { isForEverybody, ids } = change;
      return callRoute(orderSavedViews, { body: { page, isForEverybody, ids } });
    },
    onError: (error) => {
      const t = messagesOf(viewMessages);
      toast({
        title: t("failedTitle"),
        description: errorText(error),
        error,
        tone: "destructive",
      });
    },
    onSettled: () => invalidatePaths(client, [listSavedViews.path]),
  });
}
