import type { CallLog } from "@portal/contract/entities/call";
import {
  exportCallLogs,
  getCallLogSummary,
  getPhoneNumbers,
  listCallLogs,
  settleMissedCall,
} from "@portal/contract/routes/calls";
import { getLead, listFurtherNumbers } from "@portal/contract/routes/leads";
import { getRecording, listRecordings } from "@portal/contract/routes/recordings";
import { type InfiniteData, infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { callRoute, fetchFile, routeUrl } from "../../lib/api.ts";
import { errorText, recordedText } from "../../lib/errors.ts";
import { useLiveEvents } from "../../lib/events.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { listSource } from "../../lib/long-list/list-pages.ts";
import { invalidatePaths, type Page, routePages, routeQuery } from "../../lib/query-client.ts";
import { toast } from "../../ui/toast.ts";
import { saveFile } from "../../ui/use-export.ts";
import { type HistorySearch, historyQuery } from "./history-search.ts";
import { historyMessages } from "./messages.ts";

/** Page size from the second page on. */
const laterPageSize = 200;
/** Up to this many pages are all refetched when a call changes; longer lists only get their newest page. */
const wholeRefetchPages = 3;

type LogPage = Page<Awaited<ReturnType<typeof callRoute<typeof listCallLogs>>>>;

/**
 * The logs of the filters, in pages. The key is not the route's path, so that an event does not refetch every page: `useFreshLogs` adds new
 * logs.
 */
export function logPages(filters: HistorySearch) {
  const query = historyQuery(filters);
  const first = routePages(listCallLogs, { query });
  const later = routePages(listCallLogs, { query: { ...query, limit: laterPageSize } });
  return infiniteQueryOptions({
    queryKey: ["call-history", query] as const,
    queryFn: async (context): Promise<LogPage> => {
      const { queryFn } = context.pageParam === null ? first : later;
      return (queryFn as unknown as (of: typeof context) => Promise<LogPage>)(context);
    },
    initialPageParam: first.initialPageParam as string | null,
    getNextPageParam: (page: LogPage) => page.nextCursor,
    // A remounted list starts with the newest page.
    gcTime: 0,
    staleTime: 0,
  });
}

/** The list of the same logs for single-line rows. */
export function logList(query: object) {
  return listSource("call-rows", listCallLogs, query);
}

/** Adds new and changed calls to the list while it is mounted. */
export function useFreshLogs(filters: HistorySearch): void {
  const client = useQueryClient();
  const options = logPages(filters);
  async function refresh(): Promise<void> {
    const known = client.getQueryData(options.queryKey);
    if (!known || known.pages.length <= wholeRefetchPages) {
      await client.invalidateQueries({ queryKey: options.queryKey });
      return;
    }
    const now = routePages(listCallLogs, { query: historyQuery(filters) });
    await client.cancelQueries({ queryKey: now.queryKey, exact: true });
    const { pages } = await client.fetchInfiniteQuery({ ...now, staleTime: 0 });
    const [newest] = pages;
    if (newest) client.setQueryData(options.queryKey, (shown) => shown && mergeNewest(shown, newest));
  }
  // After a failure the list stays as it is; the next event tries again.
  const quietly = () => void refresh().catch(() => undefined);
  useLiveEvents("call-log", quietly);
  useLiveEvents("recording", quietly);
  useLiveEvents("inbound-call", quietly);
}

/** Figures of the filters over all rows. */
export function summaryQuery(filters: HistorySearch) {
  return { ...routeQuery(getCallLogSummary, { query: historyQuery(filters) }), staleTime: 0 };
}

/** Missed calls that wait for a call back. */
export function missedPages() {
  return { ...routePages(listCallLogs, { query: { missed: "true" } }), staleTime: 0 };
}

/** Settles a missed call, or undoes that. */
export function useSettleMissed() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, done }: { id: number; done: boolean }) =>
      callRoute(settleMissedCall, { params: { id }, body: { done } }),
    onSuccess: () => invalidatePaths(client, [listCallLogs.path]),
    onError: (error) => {
      const t = messagesOf(historyMessages);
      toast({
        title: t("missedTitle"),
        description: recordedText(error, t("missedFailed")),
        error,
        tone: "destructive",
      });
    },
  });
}

export function phoneNumbersQuery() {
  return routeQuery(getPhoneNumbers);
}

export function recordingPages() {
  return { ...routePages(listRecordings), staleTime: 0 };
}

/** Exports the filtered logs as a file, and shows how many it has. */
export function useExportLogs() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ filters, format }: { filters: HistorySearch; format: "csv" | "json" }) => {
      const { totalCalls } = await client.fetchQuery(summaryQuery(filters));
      const file = await fetchFile(routeUrl(exportCallLogs, { query: { ...historyQuery(filters), format } }));
      saveFile(file, `call-history.${format}`);
      return totalCalls;
    },
    onSuccess: (count) => {
      const t = messagesOf(historyMessages);
      toast({ title: t("exportDoneTitle"), description: t("exportDoneText", { count }), tone: "success" });
    },
    onError: (error) => {
      const t = messagesOf(historyMessages);
      toast({
        title: t("exportFailedTitle"),
        description: recordedText(error, t("exportFailedText")),
        error,
        tone: "destructive",
      });
    },
  });
}

/** Fetches the current lead of a log, to call it back: with the number that called, if that is a further one of the lead. */
export function useLeadOfLog() {
  return useMutation({
    mutationFn: async ({ leadId, number }: { leadId: number; number: string | null }) => {
      const params = { id: leadId };
      const lead = await callRoute(getLead, { params });
      if (!lead.isMerged) return lead;
      const numbers = await callRoute(listFurtherNumbers, { params });
      const further = numbers.find(({ phone }) => phone === number);
      return further ? { ...lead, phone: further.phone } : lead;
    },
    onError: (error) => {
      const t = messagesOf(historyMessages);
      toast({
        title: t("callBack"),
        description: errorText(error),
        error,
        tone: "destructive",
      });
    },
  });
}

type Pages = InfiniteData<Page<CallLog[]>, unknown>;

/**
 * Merges the newest page into a list with many pages: known logs are replaced in place, new ones added on top. An event thus costs one
 * fetch instead of one per page.
 */
export function mergeNewest(known: Pages, newest: Page<CallLog[]>): Pages {
  const fresh = new Map(newest.items.map((log) => [log.id, log]));
  const pages = known.pages.map((page) => ({
    ...page,
    items: page.items.map((log) => {
      const replacement = fresh.get(log.id);
      fresh.delete(log.id);
      return replacement ?? log;
    }),
  }));
  const [first, ...rest] = pages;
  if (!first) return known;
  const added = newest.items.filter(({ id }) => fresh.has(id));
  return { ...known, pages: [{ ...first, total: newest.total, items: [...added, ...first.items] }, ...rest] };
}

/** The address of a recording's sound. */
export function recordingUrl(recordingSid: string): string {
  return routeUrl(getRecording, { params: { recordingSid } });
}
