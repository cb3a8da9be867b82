import type { ConvertedClient } from "@portal/contract/routes/clients";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useLayoutEffect, useMemo, useRef } from "react";
import { formatTotal } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { openLead } from "../../../lib/lead-panel.ts";
import { useListColumns } from "../../../lib/list-settings.ts";
import { useNarrow } from "../../../lib/use-narrow.ts";
import { lineSizes } from "../../../ui/list-table.tsx";
import { LiveList } from "../../../ui/live-list.tsx";
import type { ClientSort, ContactsSearch } from "../contacts-search.ts";
import { contactsMessages } from "../messages.ts";
import { clientList, clientStatsQuery } from "../queries.ts";
import { useCallClient } from "../use-call-client.ts";
import { actionsColumn, recordedCard, recordedColumns, recordedSizes } from "./client-columns.tsx";
import { clientLines, firstClientColumns } from "./client-rows.tsx";

interface ClientListProps {
  query: ContactsSearch;
  /** As the server counts the list: it may end in '+'. */
  total: string | null;
  /** These are the rows of the filters before. */
  busy: boolean;
  /** As rows of one line. */
  isList: boolean;
  /** The columns that the address names. */
  inAddress: string | undefined;
  onSort: (sort: ClientSort) => void;
}

/** The clients of one filter and order: how many, what is new, and the rows. */
export function ClientList({ query, total, busy, isList, inAddress, onSort }: ClientListProps) {
  const t = useMessages(contactsMessages);
  const { call, callingId } = useCallClient((client) =>
    openLead(client.leadId, document.activeElement as HTMLElement | null),
  );
  // The columns keep one function, so that nothing but a change of theirs draws the rows anew.
  const latest = useRef(call);
  useLayoutEffect(() => {
    latest.current = call;
  });
  const onCall = useCallback((client: ConvertedClient) => void latest.current(client), []);
  const { box, isNarrow } = useNarrow();
  const shown = useListColumns("contacts", { inAddress, first: firstClientColumns });
  const columns = useMemo(
    () => (isList ? clientLines({ t, shown, isNarrow }) : recordedColumns(t)),
    [t, isList, shown, isNarrow],
  );
  const actions = useMemo(() => actionsColumn({ t, callingId, onCall }), [t, callingId, onCall]);
  const sizes = useMemo(() => (isList ? lineSizes() : recordedSizes), [isList]);
  // The figures are read again with every event about leads, and after the connection was lost: then the rows are, too.
  const { dataUpdatedAt } = useQuery(clientStatsQuery());
  return (
    <div ref={box}>
      <LiveList
        key={isList ? "rows" : "recorded"}
        source={clientList(query)}
        signal={dataUpdatedAt}
        isNewestFirst={query.sort === undefined}
        total={total}
        newsLabel={(count, isMany) => t(isMany ? "newClientsMany" : "newClients", { count })}
        moreFailed={t("moreFailed")}
        busy={busy}
        label={t("table")}
        columns={columns}
        actions={actions}
        sizes={sizes}
        card={isList ? undefined : recordedCard}
        {...(isList && { sort: query.sort ?? "recent", onSort })}
        before={({ rows }) => (
          <p
            role="status"
            className={
              isList
                ? "pb-1 text-muted-foreground text-xs"
                : "pb-2 text-muted-foreground text-sm tabular-nums"
            }
          >
            {t("shown", {
              count: total === null ? rows.count : Number.parseInt(total, 10),
              n: formatTotal(total ?? rows.count),
            })}
          </p>
        )}
      />
    </div>
  );
}
