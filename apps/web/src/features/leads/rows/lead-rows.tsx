import { useMemo, useRef } from "react";
import { formatTotal } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { useListSetting } from "../../../lib/list-settings.ts";
import { useFoundList, useListTop } from "../../../lib/long-list/use-found-list.ts";
import { useFreshRows } from "../../../lib/long-list/use-fresh-rows.ts";
import { usePagedRows } from "../../../lib/long-list/use-paged-rows.ts";
import { useRowSelection } from "../../../lib/long-list/use-row-selection.ts";
import { useWidth } from "../../../lib/use-width.ts";
import { NewItemsPill, RowsFailed, RowsSkeleton } from "../../../ui/list-states.tsx";
import { ListTable, lineSizes } from "../../../ui/list-table.tsx";
import type { SyncPhase } from "../../crm/queries.ts";
import NoLeads, { LeadsFailed } from "../components/no-leads.tsx";
import SelectionBar from "../components/selection-bar.tsx";
import { hasActiveFilter, type LeadFilters, leadListQuery } from "../lead-filters.ts";
import { leadCardMessages, leadsMessages } from "../messages.ts";
import { actionsColumn, columnMessages, firstColumns, leadColumns } from "./lead-columns.tsx";
import { leadRows, useRowsSignal } from "./queries.ts";

/** Narrower than this, in px, the name's column says what others would. */
const narrowPx = 540;

interface LeadRowsProps {
  filters: LeadFilters;
  onChange: (filters: LeadFilters) => void;
  syncPhase: SyncPhase;
  onSync: () => void;
}

/** What the filters find, as rows of one line: loading, failed, nothing, or the leads. */
export default function LeadRows({ filters, onChange, syncPhase, onSync }: LeadRowsProps) {
  const t = useMessages(leadsMessages);
  const signal = useRowsSignal();
  const { found, isOld, shownQuery } = useFoundList({
    query: leadListQuery(filters),
    sourceOf: leadRows,
    signal,
  });
  if (!found.data && found.error) return <LeadsFailed found={found} />;
  if (!found.data) return <RowsSkeleton label={t("loading")} />;
  if (found.data.items.length === 0)
    return <NoLeads filtered={hasActiveFilter(filters)} syncPhase={syncPhase} onSync={onSync} />;
  return (
    <Rows
      query={shownQuery}
      signal={signal}
      total={found.data.total}
      busy={isOld}
      filters={filters}
      onSort={(sort) => onChange({ ...filters, sort: sort === "newest" ? undefined : sort })}
    />
  );
}

interface RowsProps {
  query: object;
  signal: number;
  /** As the server counts the list: it may end in '+'. */
  total: string | null;
  busy: boolean;
  filters: LeadFilters;
  onSort: (sort: NonNullable<LeadFilters["sort"]>) => void;
}

function Rows({ query, signal, total, busy, filters, onSort }: RowsProps) {
  const t = useMessages(leadsMessages);
  const card = useMessages(leadCardMessages);
  const column = useMessages(columnMessages);
  const setting = useListSetting("leads");
  const source = leadRows(query);
  const rows = usePagedRows(source);
  const key = JSON.stringify(query);
  const { top, toTop } = useListTop(key);
  const { news, show } = useFreshRows(source, {
    cursors: rows.cursors,
    signal,
    isNewestFirst: filters.sort === undefined,
  });
  const selection = useRowSelection(key, (index) => rows.rowAt(index)?.id ?? null);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const isNarrow = width > 0 && width < narrowPx;
  const shown = filters.columns ?? setting.columns?.join(",") ?? firstColumns.join(",");
  const counted = total === null ? null : formatTotal(total);
  const columns = useMemo(
    () => leadColumns({ t: column, total: counted, shown: shown.split(","), isNarrow }),
    [column, counted, shown, isNarrow],
  );
  const actions = useMemo(() => actionsColumn(column), [column]);
  const sizes = useMemo(lineSizes, []);
  const known = () =>
    Array.from({ length: rows.count }, (_, index) => rows.rowAt(index)).filter((lead) => lead !== null);
  return (
    <div ref={top} className={busy ? "scroll-mt-20 opacity-60 transition-opacity" : "scroll-mt-20"}>
      <p role="status" className="sr-only">
        {total?.endsWith("+")
          ? t("shownMany", { total: formatTotal(total) })
          : t("shown", { count: Number(total ?? rows.count) })}
      </p>
      {news ? (
        <NewItemsPill
          onShow={() => {
            show();
            toTop();
          }}
        >
          {news.count === 0
            ? column("changed")
            : column(news.isMany ? "newMany" : "new", { count: news.count })}
        </NewItemsPill>
      ) : null}
      <div ref={box}>
        <ListTable
          rows={rows}
          total={total !== null && /^\d+$/.test(total) ? Number(total) : null}
          busy={busy}
          label={t("listLabel")}
          columns={columns}
          actions={actions}
          sizes={sizes}
          sort={filters.sort ?? "newest"}
          onSort={onSort}
          selection={selection}
          selectLabel={({ name }) => card("select", { name })}
        />
      </div>
      {rows.failed ? (
        <RowsFailed message={column("moreFailed")} retryLabel={column("retry")} onRetry={rows.retry} />
      ) : null}
      {selection.ids.size > 0 ? (
        <SelectionBar
          selection={selection.ids}
          leads={known()}
          onChange={(chosen) => selection.replace([...(chosen ?? [])])}
          className="bottom-4 mt-3"
        />
      ) : null}
    </div>
  );
}
