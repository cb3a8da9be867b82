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
import { infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { callRoute } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { invalidatePaths, routePages, routeQuery } from "../../lib/query-client.ts";
import { toast } from "../../ui/toast.ts";
import type { InboxSearch } from "./inbox-search.ts";
import { inboxPageMessages } from "./messages.ts";

type Of = InboxSearch["of"];

/** Page size, and number of entries that are refetched at every event. */
export const pageSize = 50;

/** The list as shown. The key is not the route's path, so that no event moves it; `newestQuery` detects changes. */
export function entryPages(of: Of) {
  return infiniteQueryOptions({
    ...routePages(listInbox, { query: { limit: pageSize, of } }),
    queryKey: ["inbox-list", { of }, "pages"] as never,
    gcTime: 0,
    staleTime: 0,
  });
}

/** The newest entries. */
export function newestQuery(of: Of) {
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
