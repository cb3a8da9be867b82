import type { CallLog, CallOutcome } from "@portal/contract/entities/call";
import { useQuery } from "@tanstack/react-query";
import { PhoneForwarded } from "lucide-react";
import { useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTexts } from "../../../lib/i18n.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { useSaveOutcome } from "../../call-dialog/queries.ts";
import { needsOutcomeTexts } from "../needs-outcome-texts.ts";
import { needsOutcomeQuery } from "../queries.ts";
import { OutcomeRow } from "./outcome-row.tsx";

const shownAtFirst = 2;

/** Ended calls that still lack the rep's word: each is answered by one tap or one key. Nothing is shown when there is none. */
export default function NeedsOutcome() {
  const t = useTexts(needsOutcomeTexts);
  const title = useId();
  const list = useRef<HTMLUListElement>(null);
  const [all, setAll] = useState(false);
  const [answered, setAnswered] = useState<ReadonlySet<number>>(new Set());
  const { data } = useQuery(needsOutcomeQuery());
  const saveOutcome = useSaveOutcome();
  const waiting = (data ?? []).filter((log) => !log.confirmed && !answered.has(log.id));
  if (waiting.length === 0) return null;
  const shown = all ? waiting : waiting.slice(0, shownAtFirst);

  async function answer(log: CallLog, outcome: CallOutcome): Promise<void> {
    const { leadId } = log;
    // Only calls with leads wait for an outcome.
    if (leadId === null) return;
    const hadFocus = focusNeighbour(log.id);
    setAnswered((before) => new Set(before).add(log.id));
    try {
      await saveOutcome.mutateAsync({
        leadId,
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

  /** The answered row leaves: keys go on with the next one. Says whether it had the focus. */
  function focusNeighbour(id: number): boolean {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-log]") ?? [])];
    const index = rows.findIndex((row) => row.dataset.log === String(id));
    if (!rows[index]?.contains(document.activeElement)) return false;
    (rows[index + 1] ?? rows[index - 1])?.querySelector("button")?.focus();
    return true;
  }

  return (
    <section
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
        <p className="text-muted-foreground text-sm max-sm:hidden pointer-coarse:hidden">{t("hint")}</p>
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
