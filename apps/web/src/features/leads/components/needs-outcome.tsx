import {
  type CallLog,
  type CallOutcome,
  callOutcomes,
  type SavedOutcome,
} from "@portal/contract/entities/call";
import { useQuery } from "@tanstack/react-query";
import { PhoneForwarded } from "lucide-react";
import { useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useRelativeTime } from "../../../lib/clock.tsx";
import { formatDuration } from "../../../lib/format.ts";
import { defineMessages, useMessages } from "../../../lib/i18n.ts";
import { singleKeys } from "../../../lib/keys.ts";
import { queueItems } from "../../../lib/offline/queue.ts";
import type { QueueItem } from "../../../lib/offline/queue-item.ts";
import { useStore } from "../../../lib/store.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { LeadLink } from "../../../ui/lead-link.tsx";
import { callMessages, outcomeMessages } from "../../telephony/call/messages.ts";
import { OutcomePicker } from "../../telephony/call/outcome-picker.tsx";
import { useSaveOutcome } from "../../telephony/call/queries.ts";
import { useCallShortcuts } from "../../telephony/call/use-call-shortcuts.ts";
import { needsOutcomeQuery } from "../queries.ts";

/** Loaded with the list of calls without an outcome. */
const needsOutcomeMessages = defineMessages("needs-outcome", {
  title: ["Needs outcome", "Falta resultado"],
  hint: [
    "How did these calls end? Keys 1 to 6 answer the one with the focus.",
    "¿Cómo terminaron estas llamadas? Las teclas 1 a 6 responden la que tiene el foco.",
  ],
  count_one: ["{count} call", "{count} llamada"],
  count_other: ["{count} calls", "{count} llamadas"],
  item: ["Call with {name}, {when}", "Llamada con {name}, {when}"],
  talked: ["{time} talk time", "{time} de conversación"],
  suggested: ["Suggested", "Sugerido"],
  leave: ["Keep as is", "Dejar así"],
  showAll: ["Show all", "Ver todas"],
  showFewer: ["Show fewer", "Ver menos"],
});

const shownAtFirst = 2;

/** Ended calls without a confirmed outcome; each is answered by one press or key. Nothing without any. */
export default function NeedsOutcome() {
  const t = useMessages(needsOutcomeMessages);
  const areKeysOn = useStore(singleKeys);
  const title = useId();
  const list = useRef<HTMLUListElement>(null);
  const [all, setAll] = useState(false);
  const [answered, setAnswered] = useState<ReadonlySet<number>>(new Set());
  const { data } = useQuery(needsOutcomeQuery());
  const saveOutcome = useSaveOutcome();
  const section = useRef<HTMLElement>(null);
  const unsent = useStore(queueItems);
  const waiting = (data ?? []).filter(
    (log) => !log.confirmed && !answered.has(log.id) && !hasAnswer(unsent, log.twilioCallSid),
  );
  const shown = all ? waiting : waiting.slice(0, shownAtFirst);
  /** The call of the focused row, to which the keys apply. A digit pressed elsewhere does nothing. */
  const focused = (target: Element | null) => {
    const row = target?.closest<HTMLElement>("[data-log]");
    return row && list.current?.contains(row)
      ? shown.find(({ id }) => row.dataset.log === String(id))
      : undefined;
  };
  useCallShortcuts(
    section,
    (key, target) => {
      const log = focused(target);
      if (log && key.kind === "outcome") void answer(log, key.outcome);
    },
    (target, key) => key.kind === "outcome" && focused(target) !== undefined,
  );
  if (waiting.length === 0) return null;

  async function answer(log: CallLog, outcome: SavedOutcome): Promise<void> {
    const { leadId, leadName } = log;
    // Only calls with leads wait for an outcome.
    if (leadId === null) return;
    const hadFocus = focusNeighbour(log.id);
    setAnswered((before) => new Set(before).add(log.id));
    try {
      await saveOutcome.mutateAsync({
        leadId,
        leadName,
        duration: log.duration,
        outcome,
        notes: log.notes,
        twilioCallSid: log.twilioCallSid,
      });
    } catch {
      flushSync(() => setAnswered((before) => new Set([...before].filter((id) => id !== log.id))));
      if (hadFocus && document.activeElement === document.body) buttonOf(log.id)?.focus();
    }
  }

  function buttonOf(id: number): HTMLElement | null | undefined {
    return list.current?.querySelector<HTMLElement>(`[data-log="${id}"] button`);
  }

  /** The answered row disappears, so the focus moves to its neighbour. Returns whether it had the focus. */
  function focusNeighbour(id: number): boolean {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-log]") ?? [])];
    const index = rows.findIndex((row) => row.dataset.log === String(id));
    if (!rows[index]?.contains(document.activeElement)) return false;
    (rows[index + 1] ?? rows[index - 1])?.querySelector("button")?.focus();
    return true;
  }

  return (
    <section
      ref={section}
      aria-labelledby={title}
      className="grid gap-3 rounded-xl border border-warning-text/25 bg-surface p-4 shadow-card"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id={title} className="flex items-center gap-2 font-semibold text-base">
          <PhoneForwarded aria-hidden className="size-4 text-warning-text" />
          {t("title")}
          <Badge tone="warning" className="tabular-nums">
            <span aria-hidden>{waiting.length}</span>
            <span className="sr-only">{t("count", { count: waiting.length })}</span>
          </Badge>
        </h2>
        {areKeysOn ? (
          <p className="text-muted-foreground text-sm max-sm:hidden pointer-coarse:hidden">{t("hint")}</p>
        ) : null}
      </header>
      <ul ref={list} className="grid divide-y border-t">
        {shown.map((log) => (
          <OutcomeRow key={log.id} log={log} onAnswer={(outcome) => void answer(log, outcome)} />
        ))}
      </ul>
      {waiting.length > shownAtFirst ? (
        <Button variant="ghost" size="sm" className="justify-self-start" onClick={() => setAll(!all)}>
          {all ? t("showFewer") : `${t("showAll")} (${waiting.length})`}
        </Button>
      ) : null}
    </section>
  );
}

/** Whether an outcome for the call is queued. */
const hasAnswer = (items: readonly QueueItem[], callSid: string | null) =>
  items.some(
    ({ write, refusal }) =>
      !refusal && write.kind === "outcome" && callSid !== null && write.report.twilioCallSid === callSid,
  );

interface OutcomeRowProps {
  log: CallLog;
  onAnswer: (outcome: SavedOutcome) => void;
}

/** One call without an outcome. */
function OutcomeRow({ log, onAnswer }: OutcomeRowProps) {
  const t = useMessages(needsOutcomeMessages);
  const calls = useMessages(callMessages);
  const outcome = useMessages(outcomeMessages);
  const notConnected = log.outcome === "not_connected";
  const label = useId();
  const when = useRelativeTime(log.callDate);
  return (
    <li
      data-log={log.id}
      aria-labelledby={label}
      // The keys are only shown on the focused call, to which they apply.
      className="[&_kbd]:invisible focus-within:[&_kbd]:visible grid items-center gap-x-4 gap-y-2 py-3 last:pb-0 lg:grid-cols-[minmax(9rem,1fr)_minmax(0,5fr)]"
    >
      <p id={label} className="sr-only">
        {t("item", { name: log.leadName, when })}
        {notConnected ? `, ${outcome("not_connected")}` : null}
      </p>
      <p className="min-w-0 text-sm">
        <span className="flex items-baseline justify-between gap-x-2 lg:grid">
          {log.leadId === null ? (
            <span className="truncate font-medium">{log.leadName}</span>
          ) : (
            <LeadLink leadId={log.leadId} className="truncate font-medium">
              {log.leadName}
            </LeadLink>
          )}
          <span aria-hidden className="shrink-0 text-muted-foreground text-xs">
            {when}
            {log.checking ? ` · ${calls("checking")}` : null}
            {notConnected ? ` · ${outcome("not_connected")}` : null}
            {log.duration > 0 ? ` · ${t("talked", { time: formatDuration(log.duration) })}` : null}
          </span>
        </span>
      </p>
      <div className="grid gap-2">
        <OutcomePicker
          labelledBy={label}
          value={null}
          suggested={suggestionOf(log)}
          onChoose={onAnswer}
          compact
          className="grid-cols-3 lg:grid-cols-6"
        />
        {notConnected ? (
          <Button
            variant="secondary"
            size="sm"
            className="justify-self-start pointer-coarse:min-h-11"
            aria-describedby={label}
            onClick={() => onAnswer("not_connected")}
          >
            {t("leave")}
          </Button>
        ) : null}
      </div>
    </li>
  );
}

/** The provider's result, if it is an outcome that can be chosen. */
function suggestionOf({ outcome }: Pick<CallLog, "outcome">): CallOutcome | null {
  return callOutcomes.find((choosable) => choosable === outcome) ?? null;
}
