import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { formatTotal } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { useFoundList } from "../../lib/long-list/use-found-list.ts";
import { currentUserQuery } from "../../lib/query-client.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ListFailed, RowsSkeleton } from "../../ui/list-states.tsx";
import { lineSizes } from "../../ui/list-table.tsx";
import { LiveList } from "../../ui/live-list.tsx";
import BulkChangeBar from "../leads/bulk/bulk-change-bar.tsx";
import { actionsColumn, columnMessages } from "../leads/rows/lead-columns.tsx";
import { useLeadColumns } from "../leads/rows/use-lead-columns.ts";
import { type AllLeadsSearch, allLeadsQuery, hasActiveFilter, type LeadSort } from "./all-leads-search.ts";
import { ListBar } from "./list-bar.tsx";
import { allLeadsMessages } from "./messages.ts";
import { type LeadListQuery, leadList, retryFailed, useListSignal } from "./queries.ts";
import { recordedCard, recordedColumns, recordedSizes } from "./recorded-rows.tsx";

interface AllLeadsResultsProps {
  filters: AllLeadsSearch;
  /** Single-line rows instead of cards. */
  isList: boolean;
  onSort: (sort: LeadSort) => void;
  /** Shown in an empty list. */
  syncButton: ReactNode;
}

/** The filtered leads, or that they are loading, failed or none. */
export function AllLeadsResults({ filters, isList, onSort, syncButton }: AllLeadsResultsProps) {
  const t = useMessages(allLeadsMessages);
  const client = useQueryClient();
  const { data: user } = useQuery(currentUserQuery());
  // Single-line rows have Call and SMS buttons for administrators, who may act on every lead.
  const detail = isList && user?.role === "admin" ? { detail: "work" as const } : {};
  const query = { ...allLeadsQuery(filters), ...detail };
  const signal = useListSignal(query);
  const { found, isOld, shownQuery } = useFoundList({ query, sourceOf: leadList, signal });

  if (!found.data && found.error) {
    return <ListFailed found={found} title={t("loadErrorTitle")} onRetry={() => void retryFailed(client)} />;
  }
  if (!found.data) return <RowsSkeleton label={t("loading")} />;
  if (found.data.items.length === 0) {
    const isFiltered = hasActiveFilter(filters);
    return (
      <EmptyState
        icon={Users}
        title={t("emptyTitle")}
        description={isFiltered ? t("emptyFiltered") : t("emptyUnfiltered")}
        actions={isFiltered ? null : syncButton}
      />
    );
  }
  return (
    <LeadList
      query={shownQuery}
      signal={signal}
      total={found.data.total}
      busy={isOld}
      isList={isList}
      inAddress={filters.columns}
      onSort={onSort}
    />
  );
}

interface LeadListProps {
  query: LeadListQuery;
  /** Changes when the rows have to be fetched again. */
  signal: number;
  /** The total as the server reports it; may end in '+'. */
  total: string | null;
  /** The rows belong to the previous filters. */
  busy: boolean;
  /** Single-line rows instead of cards. */
  isList: boolean;
  /** Columns from the address. */
  inAddress: string | undefined;
  onSort: (sort: LeadSort) => void;
}

/** The list of one filter and order, with its selection and new rows. */
function LeadList({ query, signal, total, busy, isList, inAddress, onSort }: LeadListProps) {
  const t = useMessages(allLeadsMessages);
  const { box, columns } = useLeadColumns({ page: "all-leads", total, inAddress });
  const column = useMessages(columnMessages);
  const actions = useMemo(() => actionsColumn(column), [column]);
  const { detail, ...filters } = query;
  const recorded = useMemo(() => recordedColumns(t), [t]);
  const lines = useMemo(lineSizes, []);
  return (
    <div ref={box}>
      <LiveList
        key={isList ? "rows" : "recorded"}
        source={leadList(query)}
        signal={signal}
        isNewestFirst={query.sort === undefined}
        total={total}
        newItemsLabel={(count, isMany) => t(isMany ? "newLeadsMany" : "newLeads", { count })}
        moreFailed={t("moreFailed")}
        busy={busy}
        label={t("table")}
        columns={isList ? columns : recorded}
        {...(isList && detail && { actions })}
        sizes={isList ? lines : recordedSizes}
        card={isList ? undefined : recordedCard}
        headClasses={
          isList ? "top-[calc(var(--chrome)+2.75rem)] max-sm:sr-only" : "top-[calc(var(--chrome)+3.75rem)]"
        }
        sort={query.sort ?? "newest"}
        onSort={onSort}
        isSelecting
        selectLabel={({ name }) => t("select", { name })}
        before={({ rows, exact, selection }) => (
          <ListBar
            found={
              exact === null && total
                ? t("shownMany", { total: formatTotal(total) })
                : t("shown", { count: exact ?? rows.count })
            }
            total={exact}
            query={filters}
            selection={selection}
            className={isList ? "min-h-11 py-0" : undefined}
          />
        )}
      />
      <BulkChangeBar />
    </div>
  );
}
