import type { CallLog } from "@portal/contract/entities/call";
import { useInfiniteQuery } from "@tanstack/react-query";
import { PhoneMissed } from "lucide-react";
import { useId, useState } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { missedPages, useSettleMissed } from "../queries.ts";
import { historyTexts } from "../texts.ts";
import { MissedCallRow } from "./missed-call-row.tsx";

const shownAtFirst = 3;

/** Inbound calls that wait to be called back, or to be done without. Nothing is shown when there is none. */
export function MissedCalls() {
  const t = useTexts(historyTexts);
  const title = useId();
  const [all, setAll] = useState(false);
  /** What was done last stays in its place, so that it can be undone; from the click on, whatever the list says meanwhile. */
  const [kept, setKept] = useState<{ log: CallLog; isDone: boolean } | null>(null);
  const found = useInfiniteQuery(missedPages());
  const settle = useSettleMissed();
  const waiting = (found.data?.pages ?? []).flatMap(({ items }) => items).filter(({ missed }) => missed);
  const rows = withKept(waiting, kept?.log);
  if (rows.length === 0) return null;
  const total = found.data?.pages[0]?.total ?? String(waiting.length);
  const shown = all ? rows : rows.slice(0, shownAtFirst);

  function onSettle(log: CallLog, isDone: boolean): void {
    setKept({ log, isDone: !isDone });
    settle.mutate(
      { id: log.id, done: isDone },
      {
        onSuccess: (now) => setKept(isDone ? { log: now, isDone } : null),
        onError: () => setKept(isDone ? null : { log, isDone: true }),
      },
    );
  }

  return (
    <section
      aria-labelledby={title}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-xl border border-danger-text/25 bg-surface p-4 shadow-card"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id={title} className="flex items-center gap-2 font-semibold text-base">
          <PhoneMissed aria-hidden className="size-4 text-danger-text" />
          {t("missedTitle")}
          <Badge tone="danger" className="tabular-nums">
            <span aria-hidden>{total}</span>
            <span className="sr-only">{t("missedCount", { count: Number.parseInt(total, 10) })}</span>
          </Badge>
        </h2>
        <p className="text-muted-foreground text-sm max-sm:hidden">{t("missedHint")}</p>
      </header>
      <ul className="grid grid-cols-[minmax(0,1fr)] divide-y border-t">
        {shown.map((log) => (
          <MissedCallRow
            key={log.id}
            log={log}
            isDone={kept?.isDone === true && log.id === kept.log.id}
            pending={settle.isPending && settle.variables.id === log.id}
            onSettle={(isDone) => onSettle(log, isDone)}
          />
        ))}
      </ul>
      {rows.length > shownAtFirst ? (
        <div className="flex flex-wrap gap-2">
          <Button variant="ghost" size="sm" onClick={() => setAll(!all)}>
            {all ? t("showFewer") : `${t("showAll")} (${total})`}
          </Button>
          {all && found.hasNextPage ? (
            <Button
              variant="ghost"
              size="sm"
              pending={found.isFetchingNextPage}
              onClick={() => void found.fetchNextPage({ cancelRefetch: false })}
            >
              {t("more")}
            </Button>
          ) : null}
        </div>
      ) : null}
    </section>
  );
}

/** The waiting calls with the one that is kept where it stood, newest first. */
function withKept(waiting: readonly CallLog[], kept: CallLog | undefined): readonly CallLog[] {
  if (!kept) return waiting;
  const others = waiting.filter(({ id }) => id !== kept.id);
  return [...others, kept].sort((a, b) => b.callDate.localeCompare(a.callDate) || b.id - a.id);
}
