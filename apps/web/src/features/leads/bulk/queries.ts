import type { BulkChange, BulkItemState } from "@portal/contract/entities/bulk-change";
import type { LeadStatus, Priority } from "@portal/contract/entities/lead";
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
import { formatNumber } from "../../../lib/format.ts";
import { messagesOf, useMessages } from "../../../lib/i18n.ts";
import { leadLabelMessages } from "../../../lib/lead-label-messages.ts";
import { refreshLeads } from "../../../lib/lead-updates.ts";
import { reloadPages } from "../../../lib/long-list/list-pages.ts";
import { invalidatePaths, routeQuery } from "../../../lib/query-client.ts";
import { useClientRef } from "../../../lib/use-client-ref.ts";
import { toast } from "../../../ui/toast.ts";
import { showChange } from "./bulk-store.ts";
import { bulkMessages } from "./messages.ts";

/** A requested bulk change; values with a default may be omitted. */
export type AskedEdit = NonNullable<CallInput<typeof createBulkChange>["body"]>["edit"];

/** Number of leads of a change in one of these states. */
function countOf({ groups }: BulkChange, ...states: BulkItemState[]): number {
  return groups.reduce((sum, { state, count }) => (states.includes(state) ? sum + count : sum), 0);
}

export const bulkChangeQuery = (id: number) => routeQuery(getBulkChange, { params: { id } });
export const bulkChangesQuery = () => routeQuery(listBulkChanges);

/** Preview of who would be changed and who left out. For an SMS that does not depend on its text. */
export function previewQuery(edit: AskedEdit, leadIds: readonly number[]) {
  const asked: AskedEdit = edit.kind === "text" ? { ...edit, message: "?" } : edit;
  return queryOptions({
    queryKey: ["bulk-preview", asked, leadIds],
    queryFn: () => callRoute(previewBulkChange, { body: { edit: asked, leadIds: [...leadIds] } }),
    gcTime: 0,
  });
}

/** Refetches everything that shows leads. The user caused the change, so rows may move. */
function refresh(client: QueryClient): Promise<unknown> {
  return Promise.all([
    refreshLeads(client),
    reloadPages(client, "lead-rows"),
    reloadPages(client, "all-leads"),
    invalidatePaths(client, [listFollowUps.path, getAllLeadsStats.path, listBulkChanges.path]),
  ]);
}

/** Applies a bulk change, and shows it in the list's bar. */
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

/** Undoes a bulk change; the component that shows the change reports which leads were spared. */
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

/** Number of spared leads that are named; all are listed under 'Changes made together'. */
const namesShown = 3;

/** A bulk change as text: what it did, and the results. */
export function useChangeText(change: BulkChange): { title: string; facts: string[] } {
  const t = useMessages(bulkMessages);
  const label = useMessages(leadLabelMessages);
  const { kind, value } = change;
  const isText = kind === "text";
  const undone = countOf(change, "undone");
  const spared = countOf(change, "spared");
  const sent = countOf(change, "sent", "sending");
  const waiting = countOf(change, "waiting");
  const left = countOf(change, "left_out");
  const say = (key: "sent" | "waiting" | "leftOut" | "undone" | "undoneText", count: number) =>
    count > 0 ? t(key, { count, n: formatNumber(count) }) : null;
  const sparedNames = change.groups
    .filter(({ state }) => state === "spared")
    .flatMap(({ leads }) => leads.map((lead) => lead.name));
  const shownNames = sparedNames.slice(0, namesShown).join(", ");
  const names =
    spared > namesShown ? `${shownNames} ${t("more", { count: spared - namesShown })}` : shownNames;
  const done = countOf(change, "changed", "undone", "spared", "sent", "sending", "waiting");
  const name = kind === "status" || kind === "priority" ? label(value as LeadStatus | Priority) : value;
  const facts = [
    say(isText ? "undoneText" : "undone", undone),
    spared > 0 ? t("spared", { count: spared, n: formatNumber(spared), names }) : null,
    say("sent", sent),
    say("waiting", waiting),
    say("leftOut", left),
  ];
  return {
    title: t(`did_${kind}`, { count: done, n: formatNumber(done), value: name }),
    facts: facts.filter((fact) => fact !== null),
  };
}
