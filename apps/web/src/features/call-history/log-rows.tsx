import type { CallLog } from "@portal/contract/entities/call";
import { useQuery } from "@tanstack/react-query";
import { History, X } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { formatTotal } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { useListColumns } from "../../lib/list-address.ts";
import { useNarrow } from "../../lib/use-width.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState, ListFailed, RowsSkeleton } from "../../ui/list-states.tsx";
import { lineSizes } from "../../ui/list-table.tsx";
import { LiveList, useFoundList } from "../../ui/live-list.tsx";
import { type CallLogSort, type HistorySearch, hasActiveFilter, historyQuery } from "./history-search.ts";
import { firstLogColumns, logColumns, openColumn } from "./log-columns.tsx";
import { LogEntry } from "./log-entry.tsx";
import { historyMessages } from "./messages.ts";
import { logList, summaryQuery } from "./queries.ts";

/** The filtered logs as single-line rows; a click opens a call's card below. */
export function LogRows({
  filters,
  onSort,
}: {
  filters: HistorySearch;
  onSort: (sort: CallLogSort) => void;
}) {
  const t = useMessages(historyMessages);
  // The figures are refetched at every event about calls and after an outage; the rows then are too.
  const { dataUpdatedAt: signal } = useQuery(summaryQuery(filters));
  const { found, isOld, shownQuery } = useFoundList({
    query: { ...historyQuery(filters), ...(filters.sort && { sort: filters.sort }) },
    sourceOf: logList,
    signal,
  });
  if (!found.data && found.error) return <ListFailed found={found} title={t("loadFailedTitle")} />;
  if (!found.data) return <RowsSkeleton label={t("loading")} />;
  if (found.data.items.length === 0)
    return (
      <EmptyState
        icon={History}
        title={t("emptyTitle")}
        description={hasActiveFilter(filters) ? t("emptyFiltered") : t("emptyUnfiltered")}
      />
    );
  return (
    <Rows
      query={shownQuery}
      onSort={onSort}
      signal={signal}
      total={found.data.total}
      busy={isOld}
      inAddress={filters.columns}
    />
  );
}

interface RowsProps {
  query: HistorySearch;
  onSort: (sort: CallLogSort) => void;
  signal: number;
  /** The total as the server reports it; may end in '+'. */
  total: string | null;
  busy: boolean;
  /** Columns from the address. */
  inAddress: string | undefined;
}

function Rows({ query, onSort, signal, total, busy, inAddress }: RowsProps) {
  const t = useMessages(historyMessages);
  const [opened, setOpened] = useState<CallLog | null>(null);
  const { box, isNarrow } = useNarrow();
  const shown = useListColumns("call-history", { inAddress, first: firstLogColumns });
  const columns = useMemo(() => logColumns({ t, shown, isNarrow }), [t, shown, isNarrow]);
  const open = useMemo(() => openColumn(t, setOpened), [t]);
  const sizes = useMemo(lineSizes, []);
  return (
    <div ref={box}>
      <LiveList
        source={logList(query)}
        signal={signal}
        isNewestFirst={query.sort === undefined}
        sort={query.sort ?? "newest"}
        onSort={onSort}
        total={total}
        newItemsLabel={(count, isMany) => t(isMany ? "newCallsMany" : "newCalls", { count })}
        moreFailed={t("moreFailed")}
        busy={busy}
        label={t("list")}
        columns={columns}
        actions={open}
        sizes={sizes}
        before={({ rows }) => (
          // On a phone only for screen readers, as the strip shows the number.
          <p role="status" className="pb-1 text-muted-foreground text-xs max-sm:sr-only">
            {t("shown", {
              count: total === null ? rows.count : Number.parseInt(total, 10),
              n: formatTotal(total ?? rows.count),
            })}
          </p>
        )}
        after={({ rows }) =>
          opened ? (
            <OpenedCall
              log={rows.known().find(({ id }) => id === opened.id) ?? opened}
              onClose={() => setOpened(null)}
            />
          ) : null
        }
      />
    </div>
  );
}

/** The card of one call of the rows, sticky while scrolling. */
function OpenedCall({ log, onClose }: { log: CallLog; onClose: () => void }) {
  const t = useMessages(historyMessages);
  const close = useRef<HTMLButtonElement>(null);
  const opener = useRef<Element | null>(null);
  const { id } = log;
  useEffect(() => {
    if (id) opener.current = document.activeElement;
    close.current?.focus({ preventScroll: true });
  }, [id]);
  const leave = () => {
    if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
    onClose();
  };
  return (
    <section
      aria-label={t("openedCall")}
      onKeyDown={({ key }) => key === "Escape" && leave()}
      className="sticky bottom-[calc(1rem+var(--phone-bar))] z-20 mt-3 max-h-[60dvh] overflow-y-auto rounded-xl shadow-float [&>article]:pr-14"
    >
      <LogEntry key={id} log={log} />
      <Button
        ref={close}
        variant="ghost"
        size="icon-sm"
        className="absolute top-2.5 right-2.5"
        aria-label={t("closeCall")}
        title={t("closeCall")}
        onClick={leave}
      >
        <X aria-hidden />
      </Button>
    </section>
  );
}
