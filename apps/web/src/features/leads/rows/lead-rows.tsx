import type { Lead } from "@portal/contract/entities/lead";
import { listLeads } from "@portal/contract/routes/leads";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { formatTotal } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { useLeadUpdates } from "../../../lib/lead-updates.ts";
import { listSource } from "../../../lib/long-list/list-pages.ts";
import type { Page } from "../../../lib/query-client.ts";
import { RowsSkeleton } from "../../../ui/list-states.tsx";
import { lineSizes } from "../../../ui/list-table.tsx";
import { LiveList, useFoundList } from "../../../ui/live-list.tsx";
import type { SyncPhase } from "../../crm/queries.ts";
import BulkChangeBar from "../bulk/bulk-change-bar.tsx";
import NoLeads, { LeadsFailed } from "../components/no-leads.tsx";
import SelectionBar from "../components/selection-bar.tsx";
import { hasActiveFilter, type LeadFilters, leadListQuery } from "../lead-search.ts";
import { leadCardMessages, leadsMessages } from "../messages.ts";
import { actionsColumn, columnMessages, useLeadColumns } from "./lead-columns.tsx";

interface LeadRowsProps {
  filters: LeadFilters;
  onChange: (filters: LeadFilters) => void;
  syncPhase: SyncPhase;
  onSync: () => void;
}

/** The filtered leads as single-line rows, or that they are loading, failed or none. */
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
  /** The total as the server reports it; may end in '+'. */
  total: string | null;
  busy: boolean;
  filters: LeadFilters;
  onSort: (sort: NonNullable<LeadFilters["sort"]>) => void;
}

function Rows({ query, signal, total, busy, filters, onSort }: RowsProps) {
  const t = useMessages(leadsMessages);
  const card = useMessages(leadCardMessages);
  const column = useMessages(columnMessages);
  const { box, columns } = useLeadColumns({ page: "leads", total, inAddress: filters.columns });
  const actions = useMemo(() => actionsColumn(column), [column]);
  const sizes = useMemo(lineSizes, []);
  return (
    <div ref={box}>
      <LiveList
        source={leadRows(query)}
        signal={signal}
        isNewestFirst={filters.sort === undefined}
        total={total}
        newItemsLabel={(count, isMany) => column(isMany ? "newMany" : "new", { count })}
        moreFailed={t("moreFailed")}
        busy={busy}
        label={t("listLabel")}
        columns={columns}
        actions={actions}
        sizes={sizes}
        sort={filters.sort ?? "newest"}
        onSort={onSort}
        isSelecting
        selectLabel={({ name }) => card("select", { name })}
        before={({ rows }) => (
          <p role="status" className="sr-only">
            {total?.endsWith("+")
              ? t("shownMany", { total: formatTotal(total) })
              : t("shown", { count: Number(total ?? rows.count) })}
          </p>
        )}
        after={({ rows, selection }) =>
          selection.ids.size > 0 ? (
            <SelectionBar
              selection={selection.ids}
              leads={rows.known()}
              onChange={(chosen) => selection.replace([...(chosen ?? [])])}
              className="bottom-[calc(1rem+var(--phone-bar))] mt-3"
            />
          ) : null
        }
      />
      <BulkChangeBar />
    </div>
  );
}

const listName = "lead-rows";

/** The list of leads for filters and order. */
const leadRows = (query: object) => listSource(listName, listLeads, query);

/**
 * A number that changes when the rows have to be fetched again. A changed lead is updated in place at once, even if the filters no longer
 * match, so that nothing moves.
 */
function useRowsSignal(): number {
  const client = useQueryClient();
  const [signal, setSignal] = useState(1);
  useLeadUpdates((update) => {
    if (update !== "all" && update.lead) {
      const { lead } = update;
      client.setQueriesData<Page<Lead[]>>({ queryKey: [listName] }, (page) =>
        page?.items.some(({ id }) => id === lead.id)
          ? { ...page, items: page.items.map((each) => (each.id === lead.id ? lead : each)) }
          : page,
      );
    }
    setSignal((now) => now + 1);
  });
  return signal;
}
