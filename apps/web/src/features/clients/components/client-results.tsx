import type { Lead } from "@portal/contract/entities/lead";
import type { CurrentUser } from "@portal/contract/entities/user";
import type { ConvertedClient } from "@portal/contract/routes/clients";
import { getLead } from "@portal/contract/routes/leads";
import { useMutation, useQuery } from "@tanstack/react-query";
import { ContactRound } from "lucide-react";
import { useCallback, useLayoutEffect, useMemo, useRef } from "react";
import { callRoute } from "../../../lib/api.ts";
import { recordedText } from "../../../lib/errors.ts";
import { formatTotal } from "../../../lib/format.ts";
import { messagesOf, useMessages } from "../../../lib/i18n.ts";
import { openLead } from "../../../lib/lead-panel.ts";
import { useListColumns } from "../../../lib/list-address.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { isWriter } from "../../../lib/session.ts";
import { useNarrow } from "../../../lib/use-width.ts";
import { EmptyState, ListFailed, RowsSkeleton } from "../../../ui/list-states.tsx";
import { lineSizes } from "../../../ui/list-table.tsx";
import { LiveList, useFoundList } from "../../../ui/live-list.tsx";
import { toast } from "../../../ui/toast.ts";
import { useRepCall } from "../../telephony/call/call-provider.tsx";
import { callMessages } from "../../telephony/call/messages.ts";
import { type ClientSort, type ContactsSearch, contactsQuery, hasActiveFilter } from "../contacts-search.ts";
import { contactsMessages } from "../messages.ts";
import { clientList, clientStatsQuery } from "../queries.ts";
import { actionsColumn, recordedCard, recordedColumns, recordedSizes } from "./client-columns.tsx";
import { clientLines, firstClientColumns } from "./client-rows.tsx";

interface ClientListProps {
  query: ContactsSearch;
  /** The total as the server reports it; may end in '+'. */
  total: string | null;
  /** The rows belong to the previous filters. */
  busy: boolean;
  /** Single-line rows instead of cards. */
  isList: boolean;
  /** Columns from the address. */
  inAddress: string | undefined;
  onSort: (sort: ClientSort) => void;
}

/** The list of one filter and order, with its new rows. */
function ClientList({ query, total, busy, isList, inAddress, onSort }: ClientListProps) {
  const t = useMessages(contactsMessages);
  const { call, callingId } = useCallClient((client) =>
    openLead(client.leadId, document.activeElement as HTMLElement | null),
  );
  // A stable function, so that rows only re-render when their columns change.
  const latest = useRef(call);
  useLayoutEffect(() => {
    latest.current = call;
  });
  const onCall = useCallback((client: ConvertedClient) => void latest.current(client), []);
  const { box, isNarrow } = useNarrow();
  const shown = useListColumns("contacts", { inAddress, first: firstClientColumns });
  const columns = useMemo(
    () => (isList ? clientLines({ t, shown, isNarrow }) : recordedColumns(t)),
    [t, isList, shown, isNarrow],
  );
  const actions = useMemo(() => actionsColumn({ t, callingId, onCall }), [t, callingId, onCall]);
  const sizes = useMemo(() => (isList ? lineSizes() : recordedSizes), [isList]);
  // The figures are refetched at every event about leads and after an outage; the rows then are too.
  const { dataUpdatedAt } = useQuery(clientStatsQuery());
  return (
    <div ref={box}>
      <LiveList
        key={isList ? "rows" : "recorded"}
        source={clientList(query)}
        signal={dataUpdatedAt}
        isNewestFirst={query.sort === undefined}
        total={total}
        newItemsLabel={(count, isMany) => t(isMany ? "newClientsMany" : "newClients", { count })}
        moreFailed={t("moreFailed")}
        busy={busy}
        label={t("table")}
        columns={columns}
        actions={actions}
        sizes={sizes}
        card={isList ? undefined : recordedCard}
        {...(isList && { sort: query.sort ?? "recent", onSort })}
        before={({ rows }) => (
          <p
            role="status"
            className={
              isList
                ? "pb-1 text-muted-foreground text-xs"
                : "pb-2 text-muted-foreground text-sm tabular-nums"
            }
          >
            {t("shown", {
              count: total === null ? rows.count : Number.parseInt(total, 10),
              n: formatTotal(total ?? rows.count),
            })}
          </p>
        )}
      />
    </div>
  );
}

/** Calls a client. The lead is fetched first: if it may not be called now or by this user, `onRefused` shows it with the reason. */
function useCallClient(onRefused: (client: ConvertedClient) => void) {
  const repCall = useRepCall();
  const { data: user } = useQuery(currentUserQuery());
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ leadId }: ConvertedClient) => callRoute(getLead, { params: { id: leadId } }),
    onSuccess: (lead, client) => {
      if (repCall.hiddenCall?.leadId === lead.id) repCall.resume(repCall.hiddenCall);
      else if (repCall.hiddenCall === null && mayCall(lead, user ?? null)) repCall.start(lead);
      else onRefused(client);
    },
    onError: (error) => {
      const t = messagesOf(callMessages);
      toast({
        title: t("failedTitle"),
        description: recordedText(error, t("failedText")),
        error,
        tone: "destructive",
      });
    },
  });
  return {
    call: (client: ConvertedClient) => isPending || mutate(client),
    /** The client whose lead is being fetched. */
    callingId: isPending ? variables.id : null,
  };
}

/**
 * Whether to call the lead. One without a phone passes, as the call shows the recorded message, and `useRepCall` checks for a call in
 * progress.
 */
function mayCall(lead: Lead, user: CurrentUser | null): boolean {
  const { callRefusal, status } = lead;
  if (!isWriter(user, lead) || status === "not_interested") return false;
  return callRefusal === null || callRefusal === "no_phone" || callRefusal === "rep_on_call";
}

interface ClientResultsProps {
  filters: ContactsSearch;
  /** Single-line rows instead of cards. */
  isList: boolean;
  onSort: (sort: ClientSort) => void;
}

/** The filtered clients, or that they are loading, failed or none. */
export function ClientResults({ filters, isList, onSort }: ClientResultsProps) {
  const t = useMessages(contactsMessages);
  const query = contactsQuery(filters);
  const { dataUpdatedAt } = useQuery(clientStatsQuery());
  const { found, isOld, shownQuery } = useFoundList({ query, sourceOf: clientList, signal: dataUpdatedAt });

  if (!found.data && found.error) {
    return <ListFailed found={found} title={t("loadErrorTitle")} />;
  }
  if (!found.data) return <RowsSkeleton label={t("loading")} />;
  if (found.data.items.length === 0) {
    return (
      <EmptyState
        icon={ContactRound}
        title={t("emptyTitle")}
        description={t(hasActiveFilter(filters) ? "emptyFiltered" : "emptyUnfiltered")}
      />
    );
  }
  return (
    <ClientList
      query={shownQuery}
      total={found.data.total}
      busy={isOld}
      isList={isList}
      inAddress={filters.columns}
      onSort={onSort}
    />
  );
}
