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
import { recordedText } from "../../lib/errors.ts";
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

/** Filters and order; with `detail` whether each lead may be contacted, and its unread texts, which administrators are notified. */
export type LeadListQuery = AllLeadsSearch & { readonly detail?: "work" };

/** The leads of filters and order. */
export function leadList(query: LeadListQuery) {
  return listSource(listName, listAllLeads, query);
}

/** Reads the pages on screen again; rows may move. */
export function reloadLeads(client: QueryClient): Promise<void> {
  return reloadPages(client, listName);
}

/** Asks again for whatever of the page failed: where the list did, its figures and the newest leads mostly did, too. */
export function retryFailed(client: QueryClient): Promise<void> {
  return client.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
}

/** Shows a lead as it is now wherever a row of it stands, also where the filters would no longer find it. */
function showLead(client: QueryClient, lead: SystemLead): void {
  client.setQueriesData<Page<SystemLead[]>>({ queryKey: [listName] }, (page) =>
    page?.items.some(({ id }) => id === lead.id)
      ? { ...page, items: page.items.map((each) => (each.id === lead.id ? lead : each)) }
      : page,
  );
  rereadFirstReads(client, listName);
}

/**
 * Moves whenever the rows of a list have to be read again. In the plain list a lead that changed is shown where it stands, without
 * reading its page; filters and other orders may have another place for it.
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
      // The newest come first: nothing but a new lead stands above the first one.
      const newest = client.getQueryData(listPage(leadList(query), null).queryKey)?.items[0];
      if (newest && update.lead.createdAt <= newest.createdAt) return;
    }
    setSignal((now) => now + 1);
  });
  return signal;
}

/** Figures of the cards; live. */
export function allLeadsStatsQuery() {
  return { ...routeQuery(getAllLeadsStats), staleTime: 0 };
}

/** The newest leads, whatever the filters say; live. */
export function recentLeadsQuery() {
  return {
    ...routeQuery(listAllLeads, { query: { limit: limits.recentActivityItems, sort: "newest" } }),
    staleTime: 0,
  };
}

/** The first leads of the filter, as many as can be selected; an answer for other filters than are shown by then is nobody's. */
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
        description: recordedText(error, t("loadErrorText")),
        error,
        tone: "destructive",
      });
    },
  });
}

interface ExportOf {
  query: AllLeadsSearch;
  /** The selected leads only; null for all of the filter. */
  ids: readonly number[] | null;
  format: "csv" | "json";
}

/** Saves the filtered or the selected leads as a file, and says how many it holds. */
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
