import type { CallLog } from "@portal/contract/entities/call";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Check, PhoneMissed, Undo2 } from "lucide-react";
import { useId, useState } from "react";
import { RelativeTime } from "../../lib/clock.tsx";
import { formatTotal } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { STORAGE_KEYS } from "../../lib/storage-keys.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, Spinner } from "../../ui/button.tsx";
import { LeadLink } from "../../ui/lead-link.tsx";
import { LatePart } from "../../ui/list-states.tsx";
import { NoTranscription, RecordingPlayer } from "../telephony/player/recording-player.tsx";
import { CallBackButton, callerName, StrangerActions } from "./caller-actions.tsx";
import { historyMessages } from "./messages.ts";
import { missedPages, recordingUrl, useSettleMissed } from "./queries.ts";

const shownAtFirst = 3;

/** Missed calls that wait for a call back; nothing without any. */
export function MissedCalls() {
  const t = useMessages(historyMessages);
  const title = useId();
  const [all, setAll] = useState(false);
  /** The call that was settled last stays in its place, so that it can be undone, regardless of refetches. */
  const [kept, setKept] = useState<{ log: CallLog; isDone: boolean } | null>(null);
  const found = useInfiniteQuery(missedPages());
  const settle = useSettleMissed();
  const waiting = (found.data?.pages ?? []).flatMap(({ items }) => items).filter(({ missed }) => missed);
  const rows = withKept(waiting, kept?.log);
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
    <LatePart
      store={STORAGE_KEYS.missedCallsHeight}
      count={found.isPending ? undefined : rows.length}
      isAwaited
    >
      <section
        aria-labelledby={title}
        className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-xl border border-danger-text/25 bg-surface p-4 shadow-card"
      >
        <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 id={title} className="flex items-center gap-2 font-semibold text-base">
            <PhoneMissed aria-hidden className="size-4 text-danger-text" />
            {t("missedTitle")}
            <Badge tone="danger" className="tabular-nums">
              <span aria-hidden>{formatTotal(total)}</span>
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
              {all ? t("showFewer") : `${t("showAll")} (${formatTotal(total)})`}
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
    </LatePart>
  );
}

/** The waiting calls and the kept one, newest first. */
function withKept(waiting: readonly CallLog[], kept: CallLog | undefined): readonly CallLog[] {
  if (!kept) return waiting;
  const others = waiting.filter(({ id }) => id !== kept.id);
  return [...others, kept].sort((a, b) => b.callDate.localeCompare(a.callDate) || b.id - a.id);
}

interface MissedCallRowProps {
  log: CallLog;
  /** The call was just settled and can be restored. */
  isDone: boolean;
  pending: boolean;
  onSettle: (done: boolean) => void;
}

/** One missed call: caller, time and voicemail, with its actions. */
function MissedCallRow({ log, isDone, pending, onSettle }: MissedCallRowProps) {
  const t = useMessages(historyMessages);
  const name = callerName(log, t);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 py-2.5 text-sm last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-40">
          <p className="truncate font-medium">
            {log.leadId === null ? name : <LeadLink leadId={log.leadId}>{name}</LeadLink>}
          </p>
          <p className="text-muted-foreground text-xs">
            {log.leadId === null ? `${t("unknownCaller")} · ` : null}
            <RelativeTime at={log.callDate} />
            {isDone ? ` · ${t("missedOff")}` : null}
          </p>
          {log.transcription ? (
            <p className="mt-0.5 line-clamp-2 break-words text-xs">{log.transcription}</p>
          ) : null}
          <NoTranscription reason={log.noTranscription} className="mt-0.5 text-xs" />
        </div>
        <div className="flex flex-wrap gap-2">
          {isDone ? null : <Actions log={log} name={name} />}
          {/* One button that is never disabled, so that it keeps the focus. */}
          <Button
            size="sm"
            variant="secondary"
            aria-busy={pending || undefined}
            onClick={() => (pending ? undefined : onSettle(!isDone))}
          >
            <SettleIcon isDone={isDone} pending={pending} />
            {isDone ? t("missedUndo") : t("missedDone")} <span className="sr-only">{name}</span>
          </Button>
        </div>
      </div>
      {log.recordingSid && !isDone ? (
        <RecordingPlayer
          kind="voicemail"
          url={recordingUrl(log.recordingSid)}
          name={name}
          seconds={log.recordingSeconds}
        />
      ) : null}
    </li>
  );
}

function SettleIcon({ isDone, pending }: { isDone: boolean; pending: boolean }) {
  if (pending) return <Spinner decorative />;
  return isDone ? <Undo2 aria-hidden /> : <Check aria-hidden />;
}

function Actions({ log, name }: { log: CallLog; name: string }) {
  if (log.leadId !== null)
    return <CallBackButton leadId={log.leadId} name={name} number={log.callerNumber} />;
  return log.callerNumber ? <StrangerActions number={log.callerNumber} /> : null;
}
