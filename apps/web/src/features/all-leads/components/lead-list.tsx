import type { SystemLead } from "@portal/contract/routes/all-leads";
import { useQuery } from "@tanstack/react-query";
import { formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { useFreshRows } from "../../../lib/long-list/use-fresh-rows.ts";
import { useListTop } from "../../../lib/long-list/use-list-top.ts";
import { usePagedRows } from "../../../lib/long-list/use-paged-rows.ts";
import { NewsPill } from "../../../ui/news-pill.tsx";
import { RowsFailed } from "../../../ui/rows-failed.tsx";
import type { AllLeadsSearch, LeadSort } from "../all-leads-search.ts";
import { allLeadsStatsQuery, leadList, useSelectAll } from "../queries.ts";
import { allLeadsTexts } from "../texts.ts";
import { useRowSelection } from "../use-row-selection.ts";
import { LeadTable } from "./lead-table.tsx";
import { ListBar } from "./list-bar.tsx";

interface LeadListProps {
  query: AllLeadsSearch;
  /** As the server counts the list: it may end in '+'. */
  total: string | null;
  /** These are the rows of the filters before. */
  busy: boolean;
  onSort: (sort: LeadSort) => void;
  onOpen: (lead: SystemLead) => void;
}

/** The leads of one filter and order: what is selected of them, what is new, and the rows. */
export function LeadList({ query, total, busy, onSort, onOpen }: LeadListProps) {
  const t = useTexts(allLeadsTexts);
  const source = leadList(query);
  const rows = usePagedRows(source);
  const key = JSON.stringify(query);
  const { top, toTop } = useListTop(key);
  const selection = useRowSelection(key, (index) => rows.rowAt(index)?.id ?? null);
  const selectAll = useSelectAll(query, selection.replace);
  // The figures are read again with every event about leads, and after the connection was lost: then the rows are, too.
  const { dataUpdatedAt } = useQuery(allLeadsStatsQuery());
  const { news, show } = useFreshRows(source, {
    cursors: rows.cursors,
    signal: dataUpdatedAt,
    isNewestFirst: query.sort === undefined,
  });
  const exact = total !== null && /^\d+$/.test(total) ? Number(total) : null;

  return (
    <div ref={top} className={busy ? "scroll-mt-20 opacity-60 transition-opacity" : "scroll-mt-20"}>
      <ListBar
        found={
          exact === null && total
            ? t("shownMany", { total: `${formatNumber(Number.parseInt(total, 10))}+` })
            : t("shown", { count: exact ?? rows.count })
        }
        total={exact}
        query={query}
        selection={selection}
        onSelectAll={selectAll.isPending ? null : () => selectAll.mutate()}
      />
      {news ? (
        <NewsPill
          onShow={() => {
            show();
            toTop();
          }}
        >
          {news.count === 0
            ? t("listChanged")
            : t(news.isMany ? "newLeadsMany" : "newLeads", { count: news.count })}
        </NewsPill>
      ) : null}
      <LeadTable
        rows={rows}
        total={exact}
        busy={busy}
        sort={query.sort ?? "newest"}
        onSort={onSort}
        selection={selection}
        onOpen={onOpen}
      />
      {rows.failed ? (
        <RowsFailed message={t("moreFailed")} retryLabel={t("retry")} onRetry={rows.retry} />
      ) : null}
    </div>
  );
}
