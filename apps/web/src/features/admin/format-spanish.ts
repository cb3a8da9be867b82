import { formatPercent } from "../../lib/format-percent.ts";

// The panel is Spanish in both languages, including dates and numbers.
const locale = "es-US";
const instant = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });
const moment = new Intl.DateTimeFormat(locale, {
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
});
const number = new Intl.NumberFormat(locale);
const relative = new Intl.RelativeTimeFormat("es", { style: "short" });

export const formatInstant = (at: string): string => instant.format(new Date(at));
/** '24 nov, 3:30 p.m.' */
export const formatMoment = (at: string): string => moment.format(new Date(at));
export const formatCount = (value: number): string => number.format(value);
/** '33.3%'; '—' without a value. */
export const formatRate = (value: number | null): string =>
  value === null ? "—" : formatPercent(value, { locale });

const steps = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** 'hace 3 min'; null below a minute. */
export function formatAgo(at: string, now: number): string | null {
  const seconds = Math.max(0, (now - Date.parse(at)) / 1_000);
  for (const [unit, size] of steps)
    if (seconds >= size) return relative.format(-Math.floor(seconds / size), unit);
  return null;
}

const two = (value: number) => String(value).padStart(2, "0");

/** Time in a state: '4:05', from an hour on '1 h 04 min', from two days on '3 d'. */
export function formatSince(at: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(at)) / 1_000));
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3_600)];
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  if (hours < 48) return `${hours} h ${two(minutes % 60)} min`;
  return `${Math.floor(hours / 24)} d`;
}
