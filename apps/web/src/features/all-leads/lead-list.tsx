import { useMemo } from "react";
import { formatTotal } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { lineSizes } from "../../ui/list-table.tsx";
import { LiveList } from "../../ui/live-list.tsx";
import BulkChangeBar from "../leads/bulk/bulk-change-bar.tsx";
import { actionsColumn, columnMessages } from "../leads/rows/lead-columns.tsx";
import { useLeadColumns } from "../leads/rows/use-lead-columns.ts";
import type { LeadSort } from "./all-leads-search.ts";
import { ListBar } from "./list-bar.tsx";
import { allLeadsMessages } from "./messages.ts";
import { type LeadListQuery, leadList } from "./queries.ts";
import { recordedCard, recordedColumns, recordedSizes } from "./recorded-rows.tsx";

interface LeadListProps {
  query: LeadListQuery;
  /** Moves whenever the rows have to be read again. */
  signal: number;
  /** As the server counts the list: it may end in '+'. */
  total: string | null;
  /** These are the rows of the filters before. */
  busy: boolean;
  /** As rows of one line. */
  isList: boolean;
  /** The columns that the address names. */
  inAddress: string | undefined;
  onSort: (sort: LeadSort) => void;
}

/** The leads of one filter and order: what is selected of them, what is new, and the rows. */
export function LeadList({ query, signal, total, busy, isList, inAddress, onSort }: LeadListProps) {
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
        newsLabel={(count, isMany) => t(isMany ? "newLeadsMany" : "newLeads", { count })}
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
