import type { TodayEntry } from "@portal/contract/entities/today";
import type { RouteResponse } from "@portal/contract/route";
import { listToday } from "@portal/contract/routes/today";
import { useQuery } from "@tanstack/react-query";
import { ListTodo, Play } from "lucide-react";
import { useId, useState } from "react";
import { formatNumber } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { routeQuery } from "../../lib/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState, ListFailed, NewItemsPill, RowsSkeleton } from "../../ui/list-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { openDialer } from "../dialer/dialer-store.ts";
import { useStartDialer } from "../dialer/queries.ts";
import { todayMessages } from "./messages.ts";
import { TodayRow } from "./today-row.tsx";

type Today = RouteResponse<typeof listToday>;

/** Polling interval, as entries that become due by time have no event. */
const everyMs = 30_000;

/** An entry as shown in the list. */
interface ShownEntry {
  entry: TodayEntry;
  isDone: boolean;
}

/**
 * The list while the user works on it: nothing moves. Done entries keep their place, new ones are offered by a button. If nothing is left
 * to do, new entries are shown at once.
 */
function useShown(newest: Today | undefined) {
  const [read, setRead] = useState<Today | undefined>();
  const now = new Map(newest?.entries.map((entry) => [entry.lead.id, entry]));
  const shown: ShownEntry[] = (read?.entries ?? []).map((entry) => {
    const current = now.get(entry.lead.id);
    return { entry: { ...entry, ...current, isLater: entry.isLater }, isDone: current === undefined };
  });
  const open = shown.filter(({ entry, isDone }) => !isDone && !entry.isLater);
  const placed = new Set(open.map(({ entry }) => entry.lead.id));
  const fresh = newest?.entries.filter(({ lead, isLater }) => !isLater && !placed.has(lead.id)).length ?? 0;
  if (newest && newest !== read && (!read || open.length === 0)) setRead(newest);
  return {
    shown,
    fresh,
    hasDone: shown.some(({ isDone }) => isDone),
    showNewest: () => setRead(newest),
  };
}

/** The leads to work on next, in order and with reasons; below them those that are put off. */
export function TodayPage() {
  const t = useMessages(todayMessages);
  const query = useQuery({ ...routeQuery(listToday), staleTime: 0, refetchInterval: everyMs });
  const { data, error } = query;
  const { shown, fresh, hasDone, showNewest } = useShown(data);
  const now = shown.filter(({ entry }) => !entry.isLater);
  const later = shown.filter(({ entry }) => entry.isLater);
  const readLater = data?.entries.filter(({ isLater }) => isLater).length ?? 0;
  const readNow = (data?.entries.length ?? 0) - readLater;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        isSlim
        title={t("title")}
        actions={
          <>
            {hasDone ? (
              <Button variant="ghost" onClick={showNewest}>
                {t("clear")}
              </Button>
            ) : null}
            {now.some(({ entry, isDone }) => !isDone && entry.putOff === null) ? <StartButton /> : null}
          </>
        }
      >
        <p className="mr-auto text-muted-foreground text-sm tabular-nums">
          {data
            ? t("counts", { now: formatNumber(data.counts.now), putOff: formatNumber(data.counts.putOff) })
            : null}
        </p>
      </PageHeader>
      {fresh > 0 ? <NewItemsPill onShow={showNewest}>{t("changed", { count: fresh })}</NewItemsPill> : null}
      {data ? (
        <>
          {now.length > 0 ? (
            <EntryList title={t("now")} entries={now} more={data.counts.now - readNow} />
          ) : (
            <EmptyState icon={ListTodo} title={t("emptyTitle")} description={t("emptyText")} />
          )}
          {later.length > 0 ? (
            <EntryList title={t("later")} entries={later} more={data.counts.putOff - readLater} />
          ) : null}
          {data.more.length > 0 ? (
            <p className="text-muted-foreground text-sm">
              {t("cut", { kinds: data.more.map((kind) => t(`kind_${kind}`)).join(", ") })}
            </p>
          ) : null}
        </>
      ) : error ? (
        <ListFailed found={query} title={t("loadFailed")} />
      ) : (
        <RowsSkeleton label={t("loading")} />
      )}
    </div>
  );
}

/** Starts a dialer session with the list; it is shown over the page. */
function StartButton() {
  const t = useMessages(todayMessages);
  const start = useStartDialer();
  return (
    <Button
      title={t("startHint")}
      pending={start.isPending}
      onClick={() => start.mutate({ source: { kind: "today" } }, { onSuccess: () => openDialer() })}
    >
      {start.isPending ? null : <Play aria-hidden className="fill-current" />}
      {t(start.isPending ? "starting" : "start")}
    </Button>
  );
}

interface EntryListProps {
  title: string;
  entries: readonly ShownEntry[];
  /** Number of entries beyond the fetched ones. */
  more: number;
}

function EntryList({ title, entries, more }: EntryListProps) {
  const t = useMessages(todayMessages);
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <h2 id={id} className="font-semibold text-base">
        {title}
      </h2>
      <ul aria-labelledby={id} className="overflow-hidden rounded-xl border bg-surface shadow-card">
        {entries.map(({ entry, isDone }) => (
          <TodayRow key={entry.lead.id} entry={entry} isDone={isDone} />
        ))}
      </ul>
      {more > 0 ? (
        <p className="text-muted-foreground text-sm">{t("more", { count: formatNumber(more) })}</p>
      ) : null}
    </section>
  );
}
