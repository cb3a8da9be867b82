import { type CallOutcome, callOutcomes, type SavedOutcome } from "@portal/contract/entities/call";
import {
  type LucideIcon,
  PhoneCall,
  PhoneMissed,
  PhoneOff,
  Unplug,
  UserRoundX,
  Voicemail,
} from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { offButton } from "../../../ui/button.tsx";
import { callDialogMessages } from "./dialog-messages.ts";
import { outcomeMessages } from "./messages.ts";

const icons: Record<CallOutcome, LucideIcon> = {
  answered: PhoneCall,
  voicemail: Voicemail,
  no_answer: PhoneMissed,
  busy: PhoneOff,
  wrong_number: UserRoundX,
  disconnected: Unplug,
};

interface OutcomePickerProps {
  /** Id of the element that labels the group. */
  labelledBy: string;
  value: SavedOutcome | null;
  /** The provider's result, marked until an outcome is chosen; not marked if it has no button. */
  suggested: SavedOutcome | null;
  onChoose: (outcome: CallOutcome) => void;
  disabled?: boolean;
  /** Small buttons without icons, for rows. */
  compact?: boolean;
  className?: string;
}

/** Focuses the outcome chosen by a key, so that Enter saves it instead of pressing another button. */
export function focusOutcome(picker: HTMLElement | null, outcome: CallOutcome): void {
  picker?.querySelectorAll("button")[callOutcomes.indexOf(outcome)]?.focus();
}

/** The six outcomes as large buttons with their keys. */
export function OutcomePicker({
  labelledBy,
  value,
  suggested,
  onChoose,
  disabled = false,
  compact = false,
  className,
}: OutcomePickerProps) {
  const t = useMessages(callDialogMessages);
  const label = useMessages(outcomeMessages);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid everywhere, and its name is another element.
    <div
      role="group"
      aria-labelledby={labelledBy}
      className={cn(
        "grid grid-cols-2 gap-2 sm:grid-cols-3",
        !compact && "[[data-dock]_&]:grid-cols-2",
        className,
      )}
    >
      {callOutcomes.map((outcome, index) => {
        const Icon = icons[outcome];
        const chosen = outcome === value;
        const hinted = outcome === suggested;
        return (
          <button
            key={outcome}
            type="button"
            aria-pressed={chosen}
            aria-keyshortcuts={String(index + 1)}
            onClick={() => onChoose(outcome)}
            className={cn(
              "flex items-center gap-2 rounded-lg border bg-surface text-left font-medium leading-4.5 transition-colors hover:bg-muted aria-disabled:opacity-50",
              compact
                ? "min-h-11 px-2 py-1 text-[0.8125rem] max-[23rem]:px-1.5 max-[23rem]:text-xs sm:px-2.5"
                : "min-h-12 px-2.5 py-2 text-sm",
              hinted && !chosen && "border-primary border-dashed",
              chosen && "border-primary bg-primary-soft text-primary-text hover:bg-primary-soft",
            )}
            {...(disabled ? offButton : {})}
          >
            {compact ? null : <Icon aria-hidden className="size-4 shrink-0" />}
            <span className="grid min-w-0 flex-1">
              {label(outcome)}{" "}
              {hinted ? (
                <span className="font-normal text-muted-foreground text-xs">{t("suggested")}</span>
              ) : null}
            </span>
            <kbd
              aria-hidden
              className="font-sans text-muted-foreground text-xs max-sm:hidden pointer-coarse:hidden"
            >
              {index + 1}
            </kbd>
          </button>
        );
      })}
    </div>
  );
}
