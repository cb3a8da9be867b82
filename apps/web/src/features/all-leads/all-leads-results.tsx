import { limits } from "@portal/contract/limits";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Braces, ChevronDown, Download, Sheet, UserRoundCheck, Users, X } from "lucide-react";
import { type ReactNode, useMemo, useRef } from "react";
import { cn } from "../../lib/cn.ts";
import { formatNumber, formatTotal } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { lateComponent } from "../../lib/late-module.ts";
import type { RowSelection } from "../../lib/long-list/use-row-selection.ts";
import { currentUserQuery } from "../../lib/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { SelectBox } from "../../ui/checkbox.tsx";
import { openDialog } from "../../ui/dialog-outlet.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "../../ui/dropdown-menu.tsx";
import { EmptyState, ListFailed, RowsSkeleton } from "../../ui/list-states.tsx";
import { lineSizes } from "../../ui/list-table.tsx";
import { LiveList, useFoundList } from "../../ui/live-list.tsx";
import BulkChangeBar from "../leads/bulk/bulk-change-bar.tsx";
import { BulkMenu } from "../leads/bulk/bulk-menu.tsx";
import { ChangesButton } from "../leads/bulk/changes-button.tsx";
import { actionsColumn, columnMessages, useLeadColumns } from "../leads/rows/lead-columns.tsx";
import { type AllLeadsSearch, allLeadsQuery, hasActiveFilter, type LeadSort } from "./all-leads-search.ts";
import { allLeadsMessages } from "./messages.ts";
import {
  type LeadListQuery,
  leadList,
  retryFailed,
  useExportLeads,
  useListSignal,
  useSelectAll,
} from "./queries.ts";
import { recordedCard, recordedColumns, recordedSizes } from "./recorded-rows.tsx";

const AssignManyDialog = lateComponent(() => import("../leads/bulk/assign-many-dialog.tsx"));

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

interface ListBarProps {
  /** The number of leads found, as text. */
  found: ReactNode;
  /** The number of leads found; null if it was capped. */
  total: number | null;
  query: AllLeadsSearch;
  selection: RowSelection;
  className: string | undefined;
}

/** A sticky bar above the rows: the number of leads, or the selection with its actions. */
function ListBar({ found, total, query, selection, className }: ListBarProps) {
  const t = useMessages(allLeadsMessages);
  const selectAll = useSelectAll(query, selection.replace);
  const assign = useRef<HTMLButtonElement>(null);
  const ids = [...selection.ids];
  const count = ids.length;
  const clear = () => selection.replace([]);
  const onAssign = () =>
    openDialog((close) => (
      <AssignManyDialog ids={ids} onDone={clear} onClose={close} returnFocusTo={assign} />
    ));
  return (
    <section
      aria-label={count > 0 ? t("selection") : t("table")}
      className={cn(
        "sticky top-(--chrome) z-20 flex min-h-15 items-center gap-2 bg-background py-2",
        className,
      )}
    >
      <SelectBox
        title={t("selectAllHint", { max: formatNumber(limits.leadSelectionMax) })}
        aria-label={t("selectAll")}
        isOff={selectAll.isPending || selection.isLocked}
        isPartly={count > 0 && count !== total && !selection.isFull}
        checked={count > 0}
        onChange={() => (count > 0 ? selection.replace([]) : selectAll.mutate(query))}
      />
      <p
        role="status"
        className="line-clamp-2 min-w-0 flex-1 text-muted-foreground text-sm tabular-nums leading-4.5"
      >
        {count === 0 ? found : null}
        {count > 0 && !selection.isFull ? t("selected", { count }) : null}
        {selection.isFull ? t("selectedMax", { max: formatNumber(count) }) : null}
      </p>
      {count > 0 ? (
        <>
          <Button
            variant="ghost"
            size="icon"
            className="max-sm:hidden"
            aria-label={t("clearSelection")}
            title={t("clearSelection")}
            onClick={clear}
          >
            <X aria-hidden />
          </Button>
          <BulkMenu ids={ids} onDone={clear} />
          <Button ref={assign} className="max-sm:hidden" onClick={onAssign}>
            <UserRoundCheck aria-hidden />
            {t("assign")}
          </Button>
        </>
      ) : null}
      {count === 0 ? <ChangesButton /> : null}
      <ExportMenu query={query} ids={count > 0 ? ids : null} />
    </section>
  );
}

/** Exports the selected leads, or all of the filter, as CSV or JSON. */
function ExportMenu({ query, ids }: { query: AllLeadsSearch; ids: readonly number[] | null }) {
  const t = useMessages(allLeadsMessages);
  const save = useExportLeads();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="secondary" className="max-sm:[&_svg]:hidden" pending={save.isPending}>
          <Download aria-hidden />
          {t("export")}
          <ChevronDown aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuItem onSelect={() => save.mutate({ query, ids, format: "csv" })}>
          <Sheet aria-hidden />
          {t("exportCsv")}
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => save.mutate({ query, ids, format: "json" })}>
          <Braces aria-hidden />
          {t("exportJson")}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
