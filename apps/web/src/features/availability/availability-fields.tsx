import type {
  Availability,
  AvailabilityChanges,
  DayHours,
  WorkingHours,
} from "@portal/contract/entities/availability";
import { useQuery } from "@tanstack/react-query";
import { browserZone } from "../../lib/follow-up.ts";
import { formatWeekday } from "../../lib/format.ts";
import { formatZoneCity } from "../../lib/format-zone.ts";
import { useMessages } from "../../lib/i18n.ts";
import { salesRepsQuery } from "../../lib/shared-queries.ts";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import { Switch } from "../../ui/switch.tsx";
import { availabilityMessages } from "./messages.ts";

/** Edited hours and stand-in. */
interface AvailabilityDraft {
  hours: WorkingHours | null;
  standInId: number | null;
}

const workday: DayHours = { from: "09:00", to: "18:00" };
const weekdays = [0, 1, 2, 3, 4, 5, 6] as const;
const zones = [
  "America/New_York",
  "America/Chicago",
  "America/Denver",
  "America/Phoenix",
  "America/Los_Angeles",
  "America/Anchorage",
  "Pacific/Honolulu",
  "America/Puerto_Rico",
  "America/Mexico_City",
  "America/Bogota",
  "Europe/Madrid",
];

/** On touch screens the text is larger and the whole field opens the picker, whose icon would cover AM and PM. */
const timeWidth = "w-32 pointer-coarse:[&::-webkit-calendar-picker-indicator]:hidden";

export function draftOf({ hours, standIn }: Pick<Availability, "hours" | "standIn">): AvailabilityDraft {
  return { hours, standInId: standIn?.id ?? null };
}

/** The changed fields; null without changes. */
export function draftChanges(
  before: AvailabilityDraft,
  draft: AvailabilityDraft,
): AvailabilityChanges | null {
  const isSame = JSON.stringify(before.hours) === JSON.stringify(draft.hours);
  const changes = {
    ...(!isSame && { hours: draft.hours }),
    ...(before.standInId !== draft.standInId && { standInId: draft.standInId }),
  };
  return Object.keys(changes).length > 0 ? changes : null;
}

const isGood = ({ from, to }: DayHours) => from !== "" && to !== "" && (to === "00:00" || from < to);

/** What is wrong with the hours; null if they can be saved. */
export function draftFault({ hours }: AvailabilityDraft): "badHours" | "noDay" | null {
  if (hours === null) return null;
  if (hours.days.every((day) => day === null)) return "noDay";
  return hours.days.every((day) => day === null || isGood(day)) ? null : "badHours";
}

interface AvailabilityFieldsProps {
  draft: AvailabilityDraft;
  /** The user, who cannot be their own stand-in. */
  userId: number;
  onChange: (draft: AvailabilityDraft) => void;
}

/** Working hours by weekday with their zone, and the stand-in. */
export function AvailabilityFields({ draft, userId, onChange }: AvailabilityFieldsProps) {
  const t = useMessages(availabilityMessages);
  const { data: reps } = useQuery(salesRepsQuery());
  const { hours, standInId } = draft;
  const fault = draftFault(draft);
  const setHours = (next: WorkingHours | null) => onChange({ ...draft, hours: next });
  const setDay = (weekday: number, day: DayHours | null) =>
    hours && setHours({ ...hours, days: hours.days.map((old, index) => (index === weekday ? day : old)) });
  const zoneNames = [...new Set([...(hours ? [hours.zone] : []), browserZone(), ...zones])];
  return (
    <>
      <div className="flex items-start justify-between gap-6 text-sm">
        <div className="grid gap-0.5">
          <p className="font-medium">{t("hasHours")}</p>
          <p className="text-[0.8125rem] text-muted-foreground">{t("hasHoursHint")}</p>
        </div>
        <Switch
          aria-label={t("hasHours")}
          checked={hours !== null}
          onCheckedChange={(on) =>
            setHours(
              on ? { zone: browserZone(), days: weekdays.map((day) => (day < 5 ? workday : null)) } : null,
            )
          }
        />
      </div>
      {hours ? (
        <div className="grid gap-3">
          <div className="grid gap-1 max-sm:gap-3">
            {weekdays.map((weekday) => {
              const day = hours.days[weekday] ?? null;
              // ISO weekdays: Monday is 1.
              const name = formatWeekday(weekday + 1);
              return (
                <div key={weekday} className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 text-sm">
                  <Switch
                    aria-label={name}
                    checked={day !== null}
                    onCheckedChange={(on) => setDay(weekday, on ? workday : null)}
                  />
                  <span aria-hidden className="w-24">
                    {name}
                  </span>
                  {day ? (
                    <span className="flex items-center gap-2">
                      <Input
                        type="time"
                        className={timeWidth}
                        aria-label={t("from", { day: name })}
                        aria-invalid={isGood(day) ? undefined : true}
                        value={day.from}
                        onChange={({ target }) => setDay(weekday, { ...day, from: target.value })}
                      />
                      <span aria-hidden>–</span>
                      <Input
                        type="time"
                        className={timeWidth}
                        aria-label={t("to", { day: name })}
                        aria-invalid={isGood(day) ? undefined : true}
                        value={day.to}
                        onChange={({ target }) => setDay(weekday, { ...day, to: target.value })}
                      />
                    </span>
                  ) : (
                    <span className="text-muted-foreground">{t("dayOff")}</span>
                  )}
                </div>
              );
            })}
          </div>
          {fault ? (
            <p role="alert" className="text-[0.8125rem] text-danger-text">
              {t(fault)}
            </p>
          ) : null}
          <Field label={t("zone")}>
            {(control) => (
              <Select
                {...control}
                value={hours.zone}
                onValueChange={(zone) => setHours({ ...hours, zone })}
                options={zoneNames.map((value) => ({ value, label: formatZoneCity(value) }))}
              />
            )}
          </Field>
        </div>
      ) : null}
      <Field label={t("standIn")} hint={t("standInHint")}>
        {(control) => (
          <Select
            {...control}
            value={String(standInId ?? 0)}
            onValueChange={(id) => onChange({ ...draft, standInId: Number(id) || null })}
            options={[
              { value: "0", label: t("nobody") },
              ...(reps ?? [])
                .filter(({ id }) => id !== userId)
                .map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
          />
        )}
      </Field>
    </>
  );
}
