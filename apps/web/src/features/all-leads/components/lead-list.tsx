import type { SystemLead } from "@portal/contract/routes/all-leads";
import { useQuery } from "@tanstack/react-query";
import { ArrowUp } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import type { AllLeadsSearch, LeadSort } from "../all-leads-search.ts";
import { allLeadsStatsQuery, useSelectAll } from "../queries.ts";
import { allLeadsTexts } from "../texts.ts";
import { useFreshRows } from "../use-fresh-rows.ts";
import { useLeadRows } from "../use-lead-rows.ts";
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
  const top = useRef<HTMLDivElement>(null);
  const rows = useLeadRows(query);
  const key = JSON.stringify(query);
  const selection = useRowSelection(key, (index) => rows.rowAt(index)?.id ?? null);
  const selectAll = useSelectAll(query, selection.replace);
  // The figures are read again with every event about leads, and after the connection was lost: then the rows are, too.
  const { dataUpdatedAt } = useQuery(allLeadsStatsQuery());
  const { news, show } = useFreshRows(query, rows.cursors, dataUpdatedAt);
  const exact = total !== null && /^\d+$/.test(total) ? Number(total) : null;

  const toTop = () => {
    const { current } = top;
    if (current && current.getBoundingClientRect().top < 0) current.scrollIntoView();
  };
  // Another list is read from its beginning.
  const shown = useRef(key);
  useLayoutEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    toTop();
  });

  return (
    <div ref={top} className={busy ? "scroll-mt-20 opacity-60 transition-opacity" : "scroll-mt-20"}>
      <ListBar
        found={
          exact === null && total
            ? t("shownMany", { total: `${formatNumber(Number.parseInt(total, 10))}+` })
            : t("shown", { count: exact ?? rows.count })
        }
        query={query}
        selection={selection}
        onSelectAll={selectAll.isPending ? null : () => selectAll.mutate()}
      />
      {news ? (
        <div className="pointer-events-none sticky top-[calc(var(--chrome)+4rem)] z-30 -mb-9 flex justify-center">
          <Button
            size="sm"
            className="pointer-events-auto rounded-full shadow-float"
            onClick={() => {
              show();
              toTop();
            }}
          >
            <ArrowUp aria-hidden />
            <span role="status">
              {news.count === 0
                ? t("listChanged")
                : t(news.isMany ? "newLeadsMany" : "newLeads", { count: news.count })}
            </span>
          </Button>
        </div>
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
        <div className="sticky bottom-4 z-20 flex justify-center py-3">
          <p
            role="alert"
            className="flex items-center gap-3 rounded-xl border bg-surface py-2 pr-2 pl-4 text-danger-text text-sm shadow-float"
          >
            {t("moreFailed")}
            <Button size="sm" variant="secondary" onClick={rows.retry}>
              {t("retry")}
            </Button>
          </p>
        </div>
      ) : null}
    </div>
  );
}
