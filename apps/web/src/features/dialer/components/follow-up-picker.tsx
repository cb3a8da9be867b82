import { CalendarDays } from "lucide-react";
import { Suspense, useId, useState } from "react";
import { cn } from "../../../lib/cn.ts";
import { preloadCode } from "../../../lib/connection.ts";
import { followUpInstant, startOfDay } from "../../../lib/follow-up.ts";
import { formatDate, formatTime } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { Popover, PopoverContent, PopoverTrigger } from "../../../ui/popover.tsx";
import { wrapUpMessages } from "../messages.ts";

const loadCalendar = () => import("./day-calendar.tsx");
const DayCalendar = lateComponent(loadCalendar);

interface FollowUpPickerProps {
  /** Undefined leaves the lead's follow-up as it is, null takes it away. */
  value: string | null | undefined;
  /** The lead's follow-up so far. */
  current: string | null;
  onChange: (value: string | null | undefined) => void;
}

const chipClasses =
  "inline-flex min-h-9 items-center gap-1.5 rounded-full border bg-surface px-3.5 font-medium text-[0.8125rem] transition-colors hover:bg-muted disabled:opacity-50 pointer-coarse:min-h-11";
const chosenClasses = "border-primary bg-primary-soft text-primary-text hover:bg-primary-soft";

/** When to come back to the lead: by one press, or a day from the calendar. Pressed again, the follow-up stays as it was. */
export function FollowUpPicker({ value, current, onChange }: FollowUpPickerProps) {
  const t = useMessages(wrapUpMessages);
  const label = useId();
  // As of when the wrap-up came: a preset that moved on by itself would lose its mark.
  const [{ today, tomorrow, nextWeek }] = useState(() => followUpPresets(new Date()));
  const presets = [
    { name: today ? t("inFourHours", { time: formatTime(today) }) : t("plusFour"), at: today },
    { name: t("tomorrow"), at: tomorrow },
    { name: t("nextWeek"), at: nextWeek },
  ];
  const isOther = typeof value === "string" && !presets.some(({ at }) => at === value);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row everywhere, and its name stands inside.
    <div role="group" aria-labelledby={label} className="grid gap-1.5">
      <h3 id={label} className="font-medium text-[0.8125rem] leading-5">
        {t("followUp")}
        {current ? <span className="font-normal text-muted-foreground"> · {formatDate(current)}</span> : null}
      </h3>
      <div className="flex flex-wrap gap-2">
        {presets.map(({ name, at }) => (
          <button
            key={name}
            type="button"
            aria-pressed={at !== null && at === value}
            disabled={at === null}
            onClick={() => onChange(at === value ? undefined : at)}
            className={cn(chipClasses, at !== null && at === value && chosenClasses)}
          >
            {name}
          </button>
        ))}
        <DayChip value={isOther ? value : null} onChange={onChange} />
        {current ? (
          <button
            type="button"
            aria-pressed={value === null}
            onClick={() => onChange(value === null ? undefined : null)}
            className={cn(chipClasses, value === null && chosenClasses)}
          >
            {t("none")}
          </button>
        ) : null}
      </div>
    </div>
  );
}

function DayChip({ value, onChange }: { value: string | null; onChange: (value: string) => void }) {
  const t = useMessages(wrapUpMessages);
  const [open, setOpen] = useState(false);
  return (
    <Popover open={open} onOpenChange={setOpen} modal>
      <PopoverTrigger
        className={cn(chipClasses, value && chosenClasses)}
        onPointerEnter={() => preloadCode(loadCalendar)}
        onFocus={() => preloadCode(loadCalendar)}
      >
        <CalendarDays aria-hidden className="size-3.5" />
        {value ? formatDate(value) : t("pickDate")}
      </PopoverTrigger>
      <PopoverContent aria-label={t("calendar")}>
        {/* As high as the month, so that it opens in its place. */}
        <Suspense fallback={<div className="size-72" />}>
          <DayCalendar
            selected={value ? startOfDay(new Date(value)) : undefined}
            onSelect={(day) => {
              onChange(followUpInstant(day));
              setOpen(false);
            }}
          />
        </Suspense>
      </PopoverContent>
    </Popover>
  );
}

const fourHoursMs = 4 * 3_600_000;

/** The follow-ups that one press gives, as instants; `today` is null where four hours from now is another day. */
export function followUpPresets(now: Date) {
  const inFourHours = new Date(now.getTime() + fourHoursMs);
  const day = (days: number) =>
    followUpInstant(new Date(now.getFullYear(), now.getMonth(), now.getDate() + days));
  return {
    today: inFourHours.toDateString() === now.toDateString() ? inFourHours.toISOString() : null,
    tomorrow: day(1),
    nextWeek: day(7),
  };
}
