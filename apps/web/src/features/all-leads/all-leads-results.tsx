import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Users } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "../../lib/i18n.ts";
import { useFoundList } from "../../lib/long-list/use-found-list.ts";
import { currentUserQuery } from "../../lib/query-client.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ListFailed, RowsSkeleton } from "../../ui/list-states.tsx";
import { type AllLeadsSearch, allLeadsQuery, hasActiveFilter, type LeadSort } from "./all-leads-search.ts";
import { LeadList } from "./lead-list.tsx";
import { allLeadsMessages } from "./messages.ts";
import { leadList, retryFailed, useListSignal } from "./queries.ts";

interface AllLeadsResultsProps {
  filters: AllLeadsSearch;
  /** As rows of one line. */
  isList: boolean;
  onSort: (sort: LeadSort) => void;
  /** The button that offers a sync where there is nothing. */
  syncButton: ReactNode;
}

/** What the filters find: loading, failed, nothing, or the leads. */
export function AllLeadsResults({ filters, isList, onSort, syncButton }: AllLeadsResultsProps) {
  const t = useMessages(allLeadsMessages);
  const client = useQueryClient();
  const { data: user } = useQuery(currentUserQuery());
  // Rows of one line have Call and SMS where the person may act on every lead.
  const detail = isList && user?.role === "admin" ? { detail: "work" as const } : {};
  const query = { ...allLeadsQuery(filters), ...detail };
  const signal = useListSignal(query);
  const { found, isOld, shownQuery } = useFoundList({ query, sourceOf: leadList, signal });

  if (!found.data && found.error) {
    return (
      <ListFailed
        found={found}
        title={t("loadErrorTitle")}
        text={t("loadErrorText")}
        onRetry={() => void retryFailed(client)}
      />
    );
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
