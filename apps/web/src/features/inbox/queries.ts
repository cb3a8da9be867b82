import type { InboxEntry } from "@portal/contract/entities/inbox";
import type { Lead } from "@portal/contract/entities/lead";
import {
  attachNumber,
  countInbox,
  listInbox,
  reopenInboxEntry,
  settleInboxEntry,
} from "@portal/contract/routes/inbox";
import { getLead, listLeads } from "@portal/contract/routes/leads";
import {
  infiniteQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect } from "react";
import { callRoute } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { invalidatePaths, routePages, routeQuery } from "../../lib/query-client.ts";
import { toast } from "../../ui/toast.ts";
import type { InboxSearch } from "./inbox-search.ts";
import { inboxPageMessages } from "./messages.ts";

type Of = InboxSearch["of"];

/** Page size, and number of entries that are refetched at every event. */
const pageSize = 50;

/** The list as shown. The key is not the route's path, so that no event moves it; `newestQuery` detects changes. */
function entryPages(of: Of) {
  return infiniteQueryOptions({
    ...routePages(listInbox, { query: { limit: pageSize, of } }),
    queryKey: ["inbox-list", { of }, "pages"] as never,
    gcTime: 0,
    staleTime: 0,
  });
}

/** The newest entries. */
function newestQuery(of: Of) {
  return { ...routeQuery(listInbox, { query: { limit: pageSize, of } }), staleTime: 0 };
}

/** Number of waiting entries in the same scope. */
export function scopeCountQuery(of: Of) {
  return routeQuery(countInbox, of ? { query: { of } } : { query: undefined });
}

/** The lead of an entry; refetched at its events. */
export function entryLeadQuery(leadId: number) {
  return { ...routeQuery(getLead, { params: { id: leadId } }), staleTime: 0 };
}

function failed(error: unknown): void {
  const t = messagesOf(inboxPageMessages);
  toast({
    title: t("failedTitle"),
    description: errorText(error, t("failedText")),
    error,
    tone: "destructive",
  });
}

/** Marks an entry as done up to what was seen of it, or undoes that. */
export function useSettleEntry() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ entry, done }: { entry: InboxEntry; done: boolean }) => {
      const { id, lastTextId, lastCallId } = entry;
      const params = { id };
      if (done) return callRoute(settleInboxEntry, { params, body: { lastTextId, lastCallId } });
      const idsOf = (items: readonly { id: number }[]) => items.map((item) => item.id);
      const body = { texts: idsOf(entry.texts), calls: idsOf(entry.calls) };
      return callRoute(reopenInboxEntry, { params, body });
    },
    onError: failed,
    onSettled: () => invalidatePaths(client, [listInbox.path, "/api/sms", "/api/call-logs"]),
  });
}

/** Attaches everything from a number to a lead. */
export function useAttachNumber() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ number, lead }: { number: string; lead: Pick<Lead, "id" | "name"> }) =>
      callRoute(attachNumber, { body: { number, leadId: lead.id } }),
    onSuccess: (_answer, { lead: { name } }) => {
      const t = messagesOf(inboxPageMessages);
      toast({ title: t("attachedTitle"), description: t("attachedText", { name }), tone: "success" });
    },
    onError: failed,
    onSettled: () => invalidatePaths(client, [listInbox.path, "/api/sms", "/api/call-logs", listLeads.path]),
  });
}

/** An entry as shown in the list. */
export interface ShownEntry extends InboxEntry {
  /** No longer waiting; it keeps its place until the list is reloaded. */
  isDone: boolean;
}

/** Merges the loaded entries with the newest ones, and counts new entries. */
export function mergeEntries(
  read: readonly InboxEntry[],
  newest: readonly InboxEntry[] | undefined,
): { entries: ShownEntry[]; newCount: number } {
  const now = new Map(newest?.map((entry) => [entry.id, entry]));
  const known = new Set(read.map(({ id }) => id));
  // Entries older than all refetched ones may still be waiting.
  const oldest = newest && newest.length >= pageSize ? newest.at(-1)?.at : "";
  const entries = read.map((entry) => {
    const current = now.get(entry.id);
    if (current) return { ...current, isDone: false };
    return { ...entry, isDone: newest !== undefined && (oldest === undefined || entry.at > oldest) };
  });
  return { entries, newCount: newest?.filter(({ id }) => !known.has(id)).length ?? 0 };
}

/**
 * The list while the user works on it: new entries are only counted and offered by a button, answered ones keep their place. An empty list
 * shows new entries at once.
 */
export function useEntries(of: InboxSearch["of"]) {
  const pages = useInfiniteQuery(entryPages(of));
  const newest = useQuery(newestQuery(of));
  const read = pages.data?.pages.flatMap(({ items }) => items);
  const seen = new Map(read?.map((entry) => [entry.id, entry]));
  const { entries, newCount } = mergeEntries([...seen.values()], newest.data);
  const { refetch, isFetching } = pages;
  const isEmpty = pages.data !== undefined && entries.length === 0;
  useEffect(() => {
    if (isEmpty && newCount > 0 && !isFetching) void refetch();
  }, [isEmpty, newCount, isFetching, refetch]);
  return { pages, entries: pages.data ? entries : undefined, newCount };
}
