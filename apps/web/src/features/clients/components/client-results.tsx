import { useQuery } from "@tanstack/react-query";
import { ContactRound } from "lucide-react";
import { useMessages } from "../../../lib/i18n.ts";
import { useFoundList } from "../../../lib/long-list/use-found-list.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ListFailed, RowsSkeleton } from "../../../ui/list-states.tsx";
import { type ClientSort, type ContactsSearch, contactsQuery, hasActiveFilter } from "../contacts-search.ts";
import { contactsMessages } from "../messages.ts";
import { clientList, clientStatsQuery } from "../queries.ts";
import { ClientList } from "./client-list.tsx";

interface ClientResultsProps {
  filters: ContactsSearch;
  /** As rows of one line. */
  isList: boolean;
  onSort: (sort: ClientSort) => void;
}

/** What the filters find: loading, failed, nothing, or the clients. */
export function ClientResults({ filters, isList, onSort }: ClientResultsProps) {
  const t = useMessages(contactsMessages);
  const query = contactsQuery(filters);
  const { dataUpdatedAt } = useQuery(clientStatsQuery());
  const { found, isOld, shownQuery } = useFoundList({ query, sourceOf: clientList, signal: dataUpdatedAt });

  if (!found.data && found.error) {
    return <ListFailed found={found} title={t("loadErrorTitle")} text={t("loadErrorText")} />;
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
