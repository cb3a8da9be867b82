import type { Meeting } from "@portal/contract/entities/meeting";
import { limits } from "@portal/contract/limits";
import type { RouteResponse } from "@portal/contract/route";
import type { listFreeSlots } from "@portal/contract/routes/meetings";
import { useQuery } from "@tanstack/react-query";
import { format } from "date-fns/format";
import { parse } from "date-fns/parse";
import { startOfDay } from "date-fns/startOfDay";
import { CalendarX2 } from "lucide-react";
import { useId } from "react";
import { formatDay, formatTime, formatTimeIn, formatWeekday } from "../../../lib/format.ts";
import { formatZoneCity } from "../../../lib/format-zone.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Chip } from "../../../ui/chip.tsx";
import { DayPicker } from "../../../ui/day-picker.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Skeleton } from "../../../ui/list-states.tsx";
import { Select } from "../../../ui/select.tsx";
import type { DraftTimes, MeetingDraft } from "../meeting-draft.ts";
import { meetingMessages } from "../meeting-messages.ts";
import { browserZone, clockTime, sameClock, timeRange, wallTime } from "../meeting-values.ts";
import { clashQuery, freeSlotsQuery } from "../queries.ts";

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

type Free = RouteResponse<typeof listFreeSlots>;

interface FreeSlotsProps {
  minutes: number;
  /** The lead's zone; null if unknown. */
  leadZone: string | null;
  /** Number of attempts: after a refused one the slots are fetched again. */
  tries: number;
  /** Start of the chosen slot. */
  value: string | null;
  onChoose: (startTime: string) => void;
}

/** Free slots by day in the user's and the lead's zone. They do not change while the form is open. */
export function FreeSlots({ minutes, leadZone, tries, value, onChoose }: FreeSlotsProps) {
  const t = useMessages(meetingMessages);
  const label = useId();
  const { data, isError } = useQuery(freeSlotsQuery({ minutes, leadZone, tries }));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid everywhere, and its name is an inner element.
    <div role="group" aria-labelledby={label} className="grid content-start gap-2">
      <h3 id={label} className="font-medium text-[0.8125rem] leading-5">
        {t("freeSlots")}
      </h3>
      {data ? (
        <>
          {daysOf(data.slots).map(({ day, starts }) => (
            <div key={day} className="grid gap-1 sm:grid-cols-[6.5rem_1fr] sm:items-center">
              <p className="text-muted-foreground text-xs">{dayLabel(day, t)}</p>
              <div className="flex flex-wrap gap-1.5">
                {starts.map((start) => (
                  <Chip
                    key={start}
                    isOn={start === value}
                    aria-pressed={start === value}
                    aria-label={`${dayLabel(day, t)}, ${timesOf(start, leadZone).join(" · ")}`}
                    onClick={() => onChoose(start)}
                  >
                    <SlotTimes start={start} leadZone={leadZone} />
                  </Chip>
                ))}
              </div>
            </div>
          ))}
          <SlotsNote data={data} />
        </>
      ) : isError ? (
        <p className="text-muted-foreground text-sm">{t("freeFailed")}</p>
      ) : (
        // About the height of three days, so that little moves when the slots load.
        <Skeleton className="h-28 w-full" />
      )}
    </div>
  );
}

/** A time in the user's zone, and in the lead's if that differs. */
function timesOf(start: string, leadZone: string | null): string[] {
  const own = clockTime(start);
  if (leadZone === null || sameClock(start, leadZone, browserZone())) return [own];
  return [own, `${formatTimeIn(start, leadZone)} ${formatZoneCity(leadZone)}`];
}

function SlotTimes({ start, leadZone }: { start: string; leadZone: string | null }) {
  const [own, lead] = timesOf(start, leadZone);
  return (
    <>
      {own}
      {lead ? <span className="font-normal text-muted-foreground">· {lead}</span> : null}
    </>
  );
}

/** Older data of Google is mentioned. */
const staleMs = 15 * 60_000;

/** Limitations of the shown slots. */
function SlotsNote({ data: { slots, google, readAt } }: { data: Free }) {
  const t = useMessages(meetingMessages);
  const isOld = readAt !== null && Date.now() - Date.parse(readAt) > staleMs;
  const notes = [
    slots.length === 0 ? t("freeNone") : null,
    google === "disconnected" ? t("freeDisconnected") : null,
    google === "connected" && readAt === null ? t("freeUnread") : null,
    google === "connected" && isOld ? t("freeOld", { time: formatTime(readAt) }) : null,
  ].filter((note) => note !== null);
  return notes.length > 0 ? <p className="text-muted-foreground text-sm">{notes.join(" ")}</p> : null;
}

const dayMs = 86_400_000;

function dayLabel(day: string, t: ReturnType<typeof useMessages<(typeof meetingMessages)["pairs"]>>): string {
  const zone = browserZone();
  if (day === wallTime(new Date(), zone).day) return t("today");
  if (day === wallTime(new Date(Date.now() + dayMs), zone).day) return t("tomorrow");
  return `${formatWeekday(new Date(day).getUTCDay() || 7)} ${formatDay(day)}`;
}

/** Slot starts by day in the user's zone. */
function daysOf(slots: Free["slots"]): { day: string; starts: string[] }[] {
  const days: { day: string; starts: string[] }[] = [];
  for (const { startTime } of slots) {
    const { day } = wallTime(startTime, browserZone());
    const last = days.at(-1);
    if (last?.day === day) last.starts.push(startTime);
    else days.push({ day, starts: [startTime] });
  }
  return days;
}
