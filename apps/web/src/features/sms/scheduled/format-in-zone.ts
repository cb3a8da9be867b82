import { currentLocale } from "../../../lib/format.ts";

/** 'Tue, Nov 24, 10:00 AM' / 'mar, 24 nov, 10:00 a. m.', on the clock of a zone. */
export const formatInZone = (at: string, timeZone: string): string =>
  new Intl.DateTimeFormat(currentLocale(), {
    timeZone,
    weekday: "short",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
  }).format(new Date(at));

/** Day and time of an instant on the clock of a zone, as the fields of a form hold them. */
export function formatFields(at: Date, timeZone: string): { day: string; time: string } {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  }).formatToParts(at);
  const of = (name: string) => parts.find(({ type }) => type === name)?.value ?? "";
  return { day: `${of("year")}-${of("month")}-${of("day")}`, time: `${of("hour")}:${of("minute")}` };
}
