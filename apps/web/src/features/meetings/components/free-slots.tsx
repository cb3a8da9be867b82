import type { RouteResponse } from "@portal/contract/route";
import type { listFreeSlots } from "@portal/contract/routes/meetings";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { formatDay, formatTime, formatTimeIn, formatWeekday } from "../../../lib/format.ts";
import { formatZoneCity } from "../../../lib/format-zone.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Chip } from "../../../ui/chip.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { meetingMessages } from "../meeting-messages.ts";
import { browserZone, clockTime, sameClock, wallTime } from "../meeting-values.ts";
import { freeSlotsQuery } from "../queries.ts";

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
