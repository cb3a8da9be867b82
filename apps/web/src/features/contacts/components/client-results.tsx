import type { ConvertedClient } from "@portal/contract/routes/clients";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CloudOff, ContactRound } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { errorText } from "../../../lib/errors.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { listPage } from "../../../lib/long-list/list-pages.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { RowsSkeleton } from "../../../ui/rows-skeleton.tsx";
import { type ContactsSearch, contactsQuery, hasActiveFilter } from "../contacts-search.ts";
import { clientList, clientStatsQuery } from "../queries.ts";
import { contactsTexts } from "../texts.ts";
import { ClientList } from "./client-list.tsx";

interface ClientResultsProps {
  filters: ContactsSearch;
  onOpen: (client: ConvertedClient) => void;
}

/** What the filters find: loading, failed, nothing, or the clients. */
export function ClientResults({ filters, onOpen }: ClientResultsProps) {
  const t = useTexts(contactsTexts);
  const query = contactsQuery(filters);
  // The rows of the filters before stay until those of the new ones are there.
  const found = useQuery({ ...listPage(clientList(query), null), placeholderData: keepPreviousData });
  const [shown, setShown] = useState(query);
  const isOld = found.isPlaceholderData;
  if (!isOld && found.data && JSON.stringify(query) !== JSON.stringify(shown)) setShown(query);

  // A list that shows rows keeps them (`useFreshRows`); an empty one fills as leads are converted.
  const { dataUpdatedAt } = useQuery(clientStatsQuery());
  const onNews = useEffectEvent(() => {
    if (found.data?.items.length === 0) void found.refetch();
  });
  useEffect(() => {
    if (dataUpdatedAt > 0) onNews();
  }, [dataUpdatedAt]);

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
  return <ClientList query={isOld ? shown : query} total={found.data.total} busy={isOld} onOpen={onOpen} />;
}
