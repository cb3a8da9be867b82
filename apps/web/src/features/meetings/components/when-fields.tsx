import type { Meeting } from "@portal/contract/entities/meeting";
import { limits } from "@portal/contract/limits";
import { useQuery } from "@tanstack/react-query";
import { format } from "date-fns/format";
import { parse } from "date-fns/parse";
import { startOfDay } from "date-fns/startOfDay";
import { CalendarX2 } from "lucide-react";
import { formatTimeIn } from "../../../lib/format.ts";
import { formatZoneCity } from "../../../lib/format-zone.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { DayPicker } from "../../../ui/day-picker.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import type { DraftTimes, MeetingDraft } from "../meeting-draft.ts";
import { meetingMessages } from "../meeting-messages.ts";
import { browserZone, clockTime, sameClock, timeRange } from "../meeting-values.ts";
import { clashQuery } from "../queries.ts";

interface WhenFieldsProps {
  draft: MeetingDraft;
  onChange: (part: Partial<MeetingDraft>) => void;
  times: DraftTimes;
  meeting: Meeting | null;
  missing: ReadonlySet<string>;
}

/** Day, time and duration, with hints on changes of daylight saving time. */
export function WhenFields({ draft, onChange, times, meeting, missing }: WhenFieldsProps) {
  const t = useMessages(meetingMessages);
  const zone = browserZone();
  const required = (field: string) => (missing.has(field) ? t("required") : undefined);
  const isGap = draft.day !== "" && draft.time !== "" && times.instants.length === 0;
  const [first, second] = times.instants;
  // A meeting from elsewhere may have a duration that is not among the options.
  const lengths = [...new Set([...limits.meetingMinutes, draft.minutes])].sort((one, other) => one - other);
  return (
    <div className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-3">
        <DateField value={draft.day} onChange={(day) => onChange({ day })} error={required("day")} />
        <Field label={t("time")} error={isGap ? t("gap") : required("time")} className="content-start">
          {(control) => (
            <Input
              {...control}
              type="time"
              step={300}
              value={draft.time}
              onChange={(event) => onChange({ time: event.target.value })}
            />
          )}
        </Field>
        <Field label={t("duration")} className="content-start">
          {(control) => (
            <Select
              {...control}
              value={String(draft.minutes)}
              onValueChange={(minutes) => onChange({ minutes: Number(minutes) })}
              options={lengths.map((minutes) => ({
                value: String(minutes),
                label: t("minutes", { minutes }),
              }))}
            />
          )}
        </Field>
      </div>
      {first && second ? (
        <Field label={t("doubled")}>
          {(control) => (
            <Select
              {...control}
              value={draft.second ? "second" : "first"}
              onValueChange={(which) => onChange({ second: which === "second" })}
              options={[
                { value: "first", label: t("doubledFirst", { zone: formatTimeIn(first, zone, true) }) },
                { value: "second", label: t("doubledSecond", { zone: formatTimeIn(second, zone, true) }) },
              ]}
            />
          )}
        </Field>
      ) : null}
      <TimeNotes times={times} meeting={meeting} />
    </div>
  );
}

interface DateFieldProps {
  /** `yyyy-MM-dd`, or '' without one. */
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

const dayFormat = "yyyy-MM-dd";

/** The day of a meeting: today or later. */
function DateField({ value, onChange, error }: DateFieldProps) {
  const t = useMessages(meetingMessages);
  return (
    <Field label={t("date")} error={error} className="content-start">
      {(control) => (
        <DayPicker
          {...control}
          selected={value ? parse(value, dayFormat, new Date()) : undefined}
          from={startOfDay(new Date())}
          onSelect={(day) => onChange(format(day, dayFormat))}
          placeholder={t("pickDate")}
          calendarLabel={t("calendar")}
        />
      )}
    </Field>
  );
}

/** Hints on the chosen time: its end, its zone, and conflicting meetings. */
function TimeNotes({ times, meeting }: { times: DraftTimes; meeting: Meeting | null }) {
  const t = useMessages(meetingMessages);
  const zone = browserZone();
  const { start, end } = times;
  const chosen = start && end ? { start, end } : null;
  const { data } = useQuery(clashQuery(chosen, meeting?.id));
  const clash = chosen && data?.clash;
  const other = meeting && !sameClock(meeting.startTime, meeting.timeZone, zone) ? meeting : null;
  return (
    <div className="grid text-[0.8125rem] text-muted-foreground">
      <p>
        {end ? `${t("ends", { time: clockTime(end.toISOString()) })} · ` : null}
        {other
          ? t("zoneOther", {
              zone: formatZoneCity(zone),
              other: formatZoneCity(other.timeZone),
              time: formatTimeIn(other.startTime, other.timeZone),
            })
          : t("zone", { zone: formatZoneCity(zone) })}
        {start && start.getTime() < Date.now() ? ` ${t("past")}` : null}
      </p>
      <div role="status">
        {clash ? (
          <p className="mt-2 flex gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning-text [overflow-wrap:anywhere]">
            <CalendarX2 aria-hidden className="mt-0.5 size-4 shrink-0" />
            {t("clash", { title: clash.title, range: timeRange(clash) })}
          </p>
        ) : null}
      </div>
    </div>
  );
}
