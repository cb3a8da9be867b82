import type { ConvertedClient } from "@portal/contract/routes/clients";
import { useQuery } from "@tanstack/react-query";
import { memo, type ReactNode, useCallback, useLayoutEffect, useRef } from "react";
import { cn } from "../../../lib/cn.ts";
import { formatTotal } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { openLead } from "../../../lib/lead-panel.ts";
import { useListTop } from "../../../lib/long-list/use-found-list.ts";
import { useFreshRows } from "../../../lib/long-list/use-fresh-rows.ts";
import { usePagedRows } from "../../../lib/long-list/use-paged-rows.ts";
import { NewItemsPill, RowsFailed } from "../../../ui/list-states.tsx";
import { LongTable, type RowPlace } from "../../../ui/long-table.tsx";
import type { RowLayout, RowSizes } from "../../../ui/row-layout.ts";
import type { ContactsSearch } from "../contacts-search.ts";
import { type ContactsTranslate, contactsMessages } from "../messages.ts";
import { clientList, clientStatsQuery } from "../queries.ts";
import { useCallClient } from "../use-call-client.ts";
import { ClientCells } from "./client-cells.tsx";

const rowSizes: RowSizes = { tableMin: 54, height: { table: 4, cards: 11.5 } };

const columnClasses =
  "grid grid-cols-[minmax(0,1.2fr)_minmax(0,1.5fr)_minmax(0,1fr)_6.5rem_minmax(0,0.9fr)_4.5rem_8rem_5.75rem] items-center gap-x-3 px-4";

const rowClasses = {
  table: `${columnClasses} text-[0.8125rem] leading-5`,
  cards:
    "grid grid-cols-[minmax(0,1fr)_auto] content-center items-start gap-x-3 gap-y-1 px-4 text-sm leading-5",
} as const;

/** The column heads; over cards they are only heard. */
function ClientHead({ layout }: { layout: RowLayout }) {
  const t = useMessages(contactsMessages);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the rows below are placed by hand, so that these are no table's either.
    <div role="rowgroup" className={layout === "table" ? "sticky top-(--chrome) z-10" : "sr-only"}>
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as above. */}
      <div
        role="row"
        aria-rowindex={1}
        className={cn(
          columnClasses,
          "h-10 rounded-t-xl border-b bg-surface font-medium text-muted-foreground text-xs",
        )}
      >
        <Head>{t("name")}</Head>
        <Head>{t("contact")}</Head>
        <Head>{t("converted")}</Head>
        <Head className="text-right">{t("value")}</Head>
        <Head>{t("salesRep")}</Head>
        <Head className="text-right">{t("totalCalls")}</Head>
        <Head className="pl-3">{t("lastContact")}</Head>
        <Head className="text-right">{t("actions")}</Head>
      </div>
    </div>
  );
}

function Head({ className, children }: { className?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as the row.
    <div role="columnheader" className={cn("min-w-0 truncate", className)}>
      {children}
    </div>
  );
}

interface ClientRowProps extends RowPlace {
  /** Null while it is being read, or flies past. */
  client: ConvertedClient | null;
  /** Its lead is being read to be called. */
  isCalling: boolean;
  onCall: (client: ConvertedClient) => void;
  /** Handed in: a hook for each of the rows that come into sight at once would cost as much as the rows. */
  t: ContactsTranslate;
}

/** One client with everything that is recorded of a row. A press anywhere opens the lead. */
const ClientRow = memo(function ClientRow(props: ClientRowProps) {
  const { index, layout, top, height, client, ...rest } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: rows are placed by hand; the focus is on what stands in them.
    <div
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      style={{ transform: `translateY(${top}px)`, height }}
      className={`absolute inset-x-0 top-0 scroll-mt-40 border-b contain-strict ${rowClasses[layout]} ${client ? "hover:bg-muted/60" : ""}`}
    >
      {client ? (
        <ClientCells client={client} layout={layout} {...rest} />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: as the row.
        <div role="cell" className="col-span-2">
          <div aria-hidden className="h-4 w-2/3 rounded-md bg-muted" />
        </div>
      )}
    </div>
  );
});

interface ClientListProps {
  query: ContactsSearch;
  /** As the server counts the list: it may end in '+'. */
  total: string | null;
  /** These are the rows of the filters before. */
  busy: boolean;
}

/** The clients of one filter and order: how many, what is new, and the rows. */
export function ClientList({ query, total, busy }: ClientListProps) {
  const t = useMessages(contactsMessages);
  const { top, toTop } = useListTop(JSON.stringify(query));
  const source = clientList(query);
  const rows = usePagedRows(source);
  const { call, callingId } = useCallClient((client) =>
    openLead(client.leadId, document.activeElement as HTMLElement | null),
  );
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
        {t("shown", { count: found, n: formatTotal(total ?? found) })}
      </p>
      {news ? (
        <NewItemsPill
          onShow={() => {
            show();
            toTop();
          }}
        >
          {news.count === 0
            ? t("listChanged")
            : t(news.isMany ? "newClientsMany" : "newClients", { count: news.count })}
        </NewItemsPill>
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
