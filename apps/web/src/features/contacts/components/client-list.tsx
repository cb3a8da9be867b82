import type { ConvertedClient } from "@portal/contract/routes/clients";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useLayoutEffect, useRef } from "react";
import { formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { useFreshRows } from "../../../lib/long-list/use-fresh-rows.ts";
import { useListTop } from "../../../lib/long-list/use-list-top.ts";
import { usePagedRows } from "../../../lib/long-list/use-paged-rows.ts";
import { LongTable } from "../../../ui/long-table.tsx";
import { NewsPill } from "../../../ui/news-pill.tsx";
import { RowsFailed } from "../../../ui/rows-failed.tsx";
import type { ContactsSearch } from "../contacts-search.ts";
import { clientList, clientStatsQuery } from "../queries.ts";
import { contactsTexts } from "../texts.ts";
import { useCallClient } from "../use-call-client.ts";
import { ClientHead } from "./client-head.tsx";
import { ClientRow } from "./client-row.tsx";
import { rowSizes } from "./row-classes.ts";

interface ClientListProps {
  query: ContactsSearch;
  /** As the server counts the list: it may end in '+'. */
  total: string | null;
  /** These are the rows of the filters before. */
  busy: boolean;
  onOpen: (client: ConvertedClient) => void;
}

/** The clients of one filter and order: how many, what is new, and the rows. */
export function ClientList({ query, total, busy, onOpen }: ClientListProps) {
  const t = useTexts(contactsTexts);
  const { top, toTop } = useListTop(JSON.stringify(query));
  const source = clientList(query);
  const rows = usePagedRows(source);
  const { call, callingId } = useCallClient(onOpen);
  // The rows keep one function, so that nothing but a row's own change draws it anew.
  const latest = useRef(call);
  useLayoutEffect(() => {
    latest.current = call;
  });
  const onCall = useCallback((client: ConvertedClient) => void latest.current(client), []);
  // The figures are read again with every event about leads, and after the connection was lost: then the rows are, too.
  const { dataUpdatedAt } = useQuery(clientStatsQuery());
  const { news, show } = useFreshRows(source, {
    cursors: rows.cursors,
    signal: dataUpdatedAt,
    isNewestFirst: query.sort === undefined,
  });
  const exact = total !== null && /^\d+$/.test(total) ? Number(total) : null;
  const found = total === null ? rows.count : Number.parseInt(total, 10);

  return (
    <div ref={top} className={busy ? "scroll-mt-20 opacity-60 transition-opacity" : "scroll-mt-20"}>
      <p role="status" className="pb-2 text-muted-foreground text-sm tabular-nums">
        {t("shown", { count: found, n: `${formatNumber(found)}${total?.endsWith("+") ? "+" : ""}` })}
      </p>
      {news ? (
        <NewsPill
          onShow={() => {
            show();
            toTop();
          }}
        >
          {news.count === 0
            ? t("listChanged")
            : t(news.isMany ? "newClientsMany" : "newClients", { count: news.count })}
        </NewsPill>
      ) : null}
      <LongTable
        rows={rows}
        total={exact}
        busy={busy}
        label={t("table")}
        sizes={rowSizes}
        renderHead={(layout) => <ClientHead layout={layout} />}
        renderRow={(client, place) => (
          <ClientRow
            {...place}
            client={client}
            isCalling={client !== null && client.id === callingId}
            onCall={onCall}
            onOpen={onOpen}
            t={t}
          />
        )}
      />
      {rows.failed ? (
        <RowsFailed message={t("moreFailed")} retryLabel={t("retry")} onRetry={rows.retry} />
      ) : null}
    </div>
  );
}
