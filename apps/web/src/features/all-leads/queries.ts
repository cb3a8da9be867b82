import { pageHeaders } from "@portal/contract/entities/fields";
import { limits } from "@portal/contract/limits";
import {
  exportLeads,
  getAllLeadsStats,
  listAllLeads,
  type SystemLead,
} from "@portal/contract/routes/all-leads";
import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request, routeUrl, toUrl } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { useLiveEvents } from "../../lib/events.ts";
import { formatNumber } from "../../lib/format.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { useLeadUpdates } from "../../lib/lead-updates.ts";
import { listPage, listSource, reloadPages, rereadFirstReads } from "../../lib/long-list/list-pages.ts";
import { type Page, routeQuery } from "../../lib/query-client.ts";
import { toast } from "../../ui/toast.ts";
import { useExport } from "../../ui/use-export.ts";
import type { AllLeadsSearch } from "./all-leads-search.ts";
import { allLeadsMessages } from "./messages.ts";

const listName = "all-leads";

/** Filters and order; with `detail` the rows include contact refusals and unread SMS. */
export type LeadListQuery = AllLeadsSearch & { readonly detail?: "work" };

/** The list of leads for filters and order. */
export function leadList(query: LeadListQuery) {
  return listSource(listName, listAllLeads, query);
}

/** Fetches the pages on screen again; rows may move. */
export function reloadLeads(client: QueryClient): Promise<void> {
  return reloadPages(client, listName);
}

/** Retries all failed queries of the page, which usually fail together. */
export function retryFailed(client: QueryClient): Promise<void> {
  return client.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
}

/** Updates a lead in every cached page that contains it, even if the filters no longer match. */
function showLead(client: QueryClient, lead: SystemLead): void {
  client.setQueriesData<Page<SystemLead[]>>({ queryKey: [listName] }, (page) =>
    page?.items.some(({ id }) => id === lead.id)
      ? { ...page, items: page.items.map((each) => (each.id === lead.id ? lead : each)) }
      : page,
  );
  rereadFirstReads(client, listName);
}

/**
 * A number that changes when the rows of a list have to be fetched again. In the list without filters a changed lead is updated in place
 * instead; with filters or other orders it may have to move.
 */
export function useListSignal(query: LeadListQuery): number {
  const client = useQueryClient();
  const { data: stats } = useQuery(allLeadsStatsQuery());
  const [signal, setSignal] = useState(1);
  const [total, setTotal] = useState(stats?.total);
  if (stats && stats.total !== total) {
    setTotal(stats.total);
    if (total !== undefined) setSignal(signal + 1);
  }
  useLeadUpdates((update) => {
    if (update !== "all" && update.isOnlyRead && update.lead) {
      showLead(client, update.lead);
      return;
    }
    const isPlain = Object.entries(query).every(([key, value]) => value === undefined || key === "detail");
    if (isPlain && update !== "all" && update.lead) {
      showLead(client, update.lead);
      // In the newest-first list only a new lead can come before the first one.
      const newest = client.getQueryData(listPage(leadList(query), null).queryKey)?.items[0];
      if (newest && update.lead.createdAt <= newest.createdAt) return;
    }
    setSignal((now) => now + 1);
  });
  useLiveEvents("all-leads", () => setSignal((now) => now + 1));
  return signal;
}

/** Figures of the cards; live. */
export function allLeadsStatsQuery() {
  return { ...routeQuery(getAllLeadsStats), staleTime: 0 };
}

/** The newest leads, without filters; live. */
export function recentLeadsQuery() {
  return {
    ...routeQuery(listAllLeads, { query: { limit: limits.recentActivityItems, sort: "newest" } }),
    staleTime: 0,
  };
}

/** Fetches the ids of the first leads of the filter, up to the selection's maximum; dropped if the filters have changed meanwhile. */
export function useSelectAll(query: AllLeadsSearch, onFound: (ids: readonly number[]) => void) {
  return useMutation({
    mutationFn: async (asked: AllLeadsSearch) => {
      const ids: number[] = [];
      let cursor: string | null = null;
      do {
        const url = toUrl(listAllLeads.path, { ...asked, limit: limits.pageSizeMax, cursor });
        const { data, headers } = await request("GET", url);
        ids.push(...(data as SystemLead[]).map(({ id }) => id));
        cursor = headers.get(pageHeaders.cursor);
      } while (cursor !== null && ids.length < limits.leadSelectionMax);
      return ids;
    },
    onSuccess: (ids, asked) => {
      if (JSON.stringify(asked) === JSON.stringify(query)) onFound(ids);
    },
    onError: (error) => {
      const t = messagesOf(allLeadsMessages);
      toast({
        title: t("selectFailedTitle"),
        description: errorText(error),
        error,
        tone: "destructive",
      });
    },
  });
}

interface ExportOf {
  query: AllLeadsSearch;
  /** Ids of the selected leads; null for all of the filter. */
  ids: readonly number[] | null;
  format: "csv" | "json";
}

/** Exports leads as a file, and shows how many it has. */
export function useExportLeads() {
  return useExport(
    ({ query, ids, format }: ExportOf) => ({
      url: routeUrl(exportLeads, { query: { ...(ids ? { ids: ids.join(",") } : query), format } }),
      name: `leads.${format}`,
    }),
    () => {
      const t = messagesOf(allLeadsMessages);
      return {
        doneTitle: t("exportDoneTitle"),
        done: (count) => t("exportDone", { count, n: formatNumber(count) }),
        failedTitle: t("exportFailedTitle"),
        failedText: t("exportFailedText"),
      };
    },
  );
}
