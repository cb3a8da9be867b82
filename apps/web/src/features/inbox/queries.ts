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

/** Entries that one page holds, and that are looked at anew with every event. */
export const pageSize = 50;

/**
 * The list as one reads it. The key is its own and not the path, so that no event moves it; `newestQuery` finds out what has changed.
 */
export function entryPages(of: Of) {
  return infiniteQueryOptions({
    ...routePages(listInbox, { query: { limit: pageSize, of } }),
    queryKey: ["inbox-list", { of }, "pages"] as never,
    gcTime: 0,
    staleTime: 0,
  });
}

/** The newest entries as they stand now. */
export function newestQuery(of: Of) {
  return { ...routeQuery(listInbox, { query: { limit: pageSize, of } }), staleTime: 0 };
}

/** How many wait, by the same scope. */
export function scopeCountQuery(of: Of) {
  return routeQuery(countInbox, of ? { query: { of } } : { query: undefined });
}

/** The lead of an entry; read anew with their events. */
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

/** Takes an entry off the inbox up to what was seen of it, or puts that back. */
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

/** Gives all that came from a number to a lead. */
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
