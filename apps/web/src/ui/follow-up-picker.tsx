import { CalendarDays } from "lucide-react";
import { Suspense, useId, useState } from "react";
import { preloadCode } from "../lib/connection.ts";
import {
  browserZone,
  type FollowUpChoice,
  followUpInstant,
  sameFollowUpDay,
  startOfDay,
} from "../lib/follow-up.ts";
import { followUpClock } from "../lib/follow-up-clock.ts";
import { formatDate, formatTime, formatWeekday } from "../lib/format.ts";
import { defineMessages, useMessages } from "../lib/i18n.ts";
import { lateComponent } from "../lib/late-module.ts";
import { Chip } from "./chip.tsx";
import { FollowUpTime } from "./follow-up-time.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "./popover.tsx";

const followUpPickerMessages = defineMessages("follow-up-picker", {
  followUp: ["Next follow-up", "Próximo seguimiento"],
  inFourHours: ["Today, {time}", "Hoy, {time}"],
  plusFour: ["Today, +4 h", "Hoy, +4 h"],
  tomorrow: ["Tomorrow", "Mañana"],
  nextWeek: ["Next week", "En una semana"],
  pickDate: ["Date…", "Fecha…"],
  none: ["None", "Ninguno"],
  calendar: ["Calendar", "Calendario"],
});

const loadCalendar = () => import("./day-calendar.tsx");
const DayCalendar = lateComponent(loadCalendar);

export const preloadCalendar = () => preloadCode(loadCalendar);

interface FollowUpPickerProps {
  /** Undefined keeps the lead's follow-up, null removes it. */
  value: FollowUpChoice | null | undefined;
  /** The lead's current follow-up. */
  current: FollowUpChoice | null;
  /** The lead's time zone, IANA; null if unknown. */
  leadZone: string | null;
  onChange: (value: FollowUpChoice | null | undefined) => void;
}

const isSame = (one: FollowUpChoice, other: FollowUpChoice | null | undefined) =>
  other != null && sameFollowUpDay(one.date, other.date) && one.time === other.time;

/**
 * Selects the lead's next follow-up: a preset or a day from the calendar, with an optional time. Pressing the selected preset again
 * restores the current follow-up; with `data-follow-up` Enter saves instead.
 */
export function FollowUpPicker({ value, current, leadZone, onChange }: FollowUpPickerProps) {
  const t = useMessages(followUpPickerMessages);
  const label = useId();
  // Computed once when the wrap-up opens: a preset whose time moved on would lose its selection.
  const [presets] = useState(() => followUpChoices(new Date()));
  const { today, tomorrow, nextWeek, timed } = presets;
  const chips = [
    { name: today ? t("inFourHours", { time: clockOf(today) }) : t("plusFour"), choice: today },
    { name: t("tomorrow"), choice: tomorrow },
    ...timed.map((choice) => ({ name: timedName(choice), choice })),
    { name: t("nextWeek"), choice: nextWeek },
  ];
  const isOther = value != null && !chips.some(({ choice }) => choice && isSame(choice, value));
  const clock = current && followUpClock(current);
  return (
    <div className="grid gap-3">
      {/* biome-ignore lint/a11y/useSemanticElements: browsers differ in laying out a fieldset as a row, and its name is inside. */}
      <div role="group" aria-labelledby={label} className="grid gap-1.5">
        <h3 id={label} className="font-medium text-[0.8125rem] leading-5">
          {t("followUp")}
          {current ? (
            <span className="font-normal text-muted-foreground">
              {" "}
              · {formatDate(current.date)}
              {clock ? `, ${clock}` : null}
            </span>
          ) : null}
        </h3>
        <div className="flex flex-wrap gap-2">
          {chips.map(({ name, choice }) => {
            const isChosen = choice !== null && isSame(choice, value);
            return (
              <Chip
                key={name}
                data-follow-up
                aria-pressed={isChosen}
                isOn={isChosen}
                disabled={choice === null}
                onClick={() => choice && onChange(isChosen ? undefined : choice)}
              >
                {name}
              </Chip>
            );
          })}
          <DayChip
            value={isOther ? value.date : null}
            onChange={(date) => onChange({ date, time: value?.time ?? null, zone: value?.zone ?? null })}
          />
          {current ? (
            <Chip
              data-follow-up
              aria-pressed={value === null}
              isOn={value === null}
              onClick={() => onChange(value === null ? undefined : null)}
            >
              {t("none")}
            </Chip>
          ) : null}
        </div>
      </div>
      <FollowUpTime value={value === undefined ? current : value} leadZone={leadZone} onChange={onChange} />
    </div>
  );
}

function DayChip({ value, onChange }: { value: string | null; onChange: (value: string) => void }) {
  const t = useMessages(followUpPickerMessages);
  const [open, setOpen] = useState(false);
  return (
    <Popover open={open} onOpenChange={setOpen} modal>
      <PopoverTrigger asChild>
        <Chip isOn={value !== null} onPointerEnter={preloadCalendar} onFocus={preloadCalendar}>
          <CalendarDays aria-hidden />
          {value ? formatDate(value) : t("pickDate")}
        </Chip>
      </PopoverTrigger>
      <PopoverContent aria-label={t("calendar")}>
        {/* As high as the month, so that the calendar does not move when it loads. */}
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

/** The preset days as instants; `today` is null if four hours from now is another day. */
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

const twoDigits = (part: number) => String(part).padStart(2, "0");

/** The same as choices, today with its time, and two times on the next working day. */
function followUpChoices(now: Date) {
  const { today, tomorrow, nextWeek } = followUpPresets(now);
  const zone = browserZone();
  const plain = (date: string): FollowUpChoice => ({ date, time: null, zone: null });
  const working = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  while (working.getDay() % 6 === 0) working.setDate(working.getDate() + 1);
  const timeOf = (at: Date) => `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
  return {
    today: today === null ? null : { date: today, time: timeOf(new Date(today)), zone },
    tomorrow: plain(tomorrow),
    nextWeek: plain(nextWeek),
    timed: ["10:00", "15:00"].map((time) => ({ date: followUpInstant(working), time, zone })),
  };
}

const clockOf = (choice: FollowUpChoice) => followUpClock(choice) ?? formatTime(choice.date);
const timedName = (choice: FollowUpChoice) =>
  `${formatWeekday(new Date(choice.date).getDay() || 7)} ${clockOf(choice)}`;
