import { type CallLog, type CallOutcome, callOutcomes } from "@portal/contract/entities/call";
import { useId } from "react";
import { formatDuration, formatRelative } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { OutcomePicker } from "../../call-dialog/components/outcome-picker.tsx";
import { outcomeOfKey } from "../../call-dialog/outcome-keys.ts";
import { needsOutcomeTexts } from "../needs-outcome-texts.ts";

interface OutcomeRowProps {
  log: CallLog;
  onAnswer: (outcome: CallOutcome) => void;
}

/** One call without an outcome; while the focus is on it, a key answers it. */
export function OutcomeRow({ log, onAnswer }: OutcomeRowProps) {
  const t = useTexts(needsOutcomeTexts);
  const label = useId();
  const when = formatRelative(log.callDate);
  return (
    <li
      data-log={log.id}
      aria-labelledby={label}
      onKeyDown={(event) => {
        const outcome = outcomeOfKey(event);
        if (outcome) onAnswer(outcome);
      }}
      className="grid items-center gap-x-4 gap-y-2 py-3 last:pb-0 lg:grid-cols-[minmax(9rem,1fr)_minmax(0,5fr)]"
    >
      <p id={label} className="min-w-0 text-sm">
        <span className="sr-only">{t("item", { name: log.leadName, when })}</span>
        <span aria-hidden className="flex items-baseline justify-between gap-x-2 lg:grid">
          <span className="truncate font-medium">{log.leadName}</span>
          <span className="shrink-0 text-muted-foreground text-xs">
            {when}
            {log.duration > 0 ? ` · ${t("talked", { time: formatDuration(log.duration) })}` : null}
          </span>
        </span>
      </p>
      <OutcomePicker
        labelledBy={label}
        value={null}
        suggested={suggestionOf(log)}
        onChoose={onAnswer}
        compact
        className="grid-cols-3 lg:grid-cols-6"
      />
    </li>
  );
}

/** The provider's result where it is an outcome that a rep can choose. */
function suggestionOf({ outcome }: Pick<CallLog, "outcome">): CallOutcome | null {
  return callOutcomes.find((choosable) => choosable === outcome) ?? null;
}
