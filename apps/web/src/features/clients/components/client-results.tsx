import { useQuery } from "@tanstack/react-query";
import { CloudOff, ContactRound } from "lucide-react";
import { errorText } from "../../../lib/errors.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { useFoundList } from "../../../lib/long-list/use-found-list.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { RowsSkeleton } from "../../../ui/list-states.tsx";
import { type ContactsSearch, contactsQuery, hasActiveFilter } from "../contacts-search.ts";
import { contactsMessages } from "../messages.ts";
import { clientList, clientStatsQuery } from "../queries.ts";
import { ClientList } from "./client-list.tsx";

interface ClientResultsProps {
  filters: ContactsSearch;
}

/** What the filters find: loading, failed, nothing, or the clients. */
export function ClientResults({ filters }: ClientResultsProps) {
  const t = useMessages(contactsMessages);
  const query = contactsQuery(filters);
  const { dataUpdatedAt } = useQuery(clientStatsQuery());
  const { found, isOld, shownQuery } = useFoundList({ query, sourceOf: clientList, signal: dataUpdatedAt });

  if (!found.data && found.error) {
    return (
      <EmptyState
        icon={CloudOff}
        title={t("loadErrorTitle")}
        description={errorText(found.error, t("loadErrorText"))}
        actions={
          <Button pending={found.isFetching} onClick={() => void found.refetch()}>
            {t("retry")}
          </Button>
        }
      />
    );
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
  return <ClientList query={shownQuery} total={found.data.total} busy={isOld} />;
}
