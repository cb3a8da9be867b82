import { formatTotal } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { useListTop } from "../../lib/long-list/use-found-list.ts";
import { useFreshRows } from "../../lib/long-list/use-fresh-rows.ts";
import { usePagedRows } from "../../lib/long-list/use-paged-rows.ts";
import { useRowSelection } from "../../lib/long-list/use-row-selection.ts";
import { NewItemsPill, RowsFailed } from "../../ui/list-states.tsx";
import type { AllLeadsSearch, LeadSort } from "./all-leads-search.ts";
import { LeadTable } from "./lead-table.tsx";
import { ListBar } from "./list-bar.tsx";
import { allLeadsMessages } from "./messages.ts";
import { leadList, useSelectAll } from "./queries.ts";

interface LeadListProps {
  query: AllLeadsSearch;
  /** Moves whenever the rows have to be read again. */
  signal: number;
  /** As the server counts the list: it may end in '+'. */
  total: string | null;
  /** These are the rows of the filters before. */
  busy: boolean;
  onSort: (sort: LeadSort) => void;
}

/** The leads of one filter and order: what is selected of them, what is new, and the rows. */
export function LeadList({ query, signal, total, busy, onSort }: LeadListProps) {
  const t = useMessages(allLeadsMessages);
  const source = leadList(query);
  const rows = usePagedRows(source);
  const key = JSON.stringify(query);
  const { top, toTop } = useListTop(key);
  const selection = useRowSelection(key, (index) => rows.rowAt(index)?.id ?? null);
  const selectAll = useSelectAll(query, selection.replace);
  const { news, show } = useFreshRows(source, {
    cursors: rows.cursors,
    signal,
    isNewestFirst: query.sort === undefined,
  });
  const exact = total !== null && /^\d+$/.test(total) ? Number(total) : null;

  return (
    <div ref={top} className={busy ? "scroll-mt-20 opacity-60 transition-opacity" : "scroll-mt-20"}>
      <ListBar
        found={
          exact === null && total
            ? t("shownMany", { total: formatTotal(total) })
            : t("shown", { count: exact ?? rows.count })
        }
        total={exact}
        query={query}
        selection={selection}
        onSelectAll={selectAll.isPending ? null : () => selectAll.mutate()}
      />
      {news ? (
        <NewItemsPill
          onShow={() => {
            show();
            toTop();
          }}
        >
          {news.count === 0
            ? t("listChanged")
            : t(news.isMany ? "newLeadsMany" : "newLeads", { count: news.count })}
        </NewItemsPill>
      ) : null}
      <LeadTable
        rows={rows}
        total={exact}
        busy={busy}
        sort={query.sort ?? "newest"}
        onSort={onSort}
        selection={selection}
      />
      {rows.failed ? (
        <RowsFailed message={t("moreFailed")} retryLabel={t("retry")} onRetry={rows.retry} />
      ) : null}
    </div>
  );
}
