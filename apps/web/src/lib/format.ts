import { currentLanguage, type Language } from "./i18n.ts";

const LOCALES: Record<Language, string> = { en: "en-US", es: "es-US" };
const formatters = new Map<string, Intl.DateTimeFormat>();
const relative = new Map<string, Intl.RelativeTimeFormat>();

/** The locale of the current language, for formats that only one feature needs. */
export function currentLocale(): string {
  return LOCALES[currentLanguage()];
}

type Instant = string | number | Date;

function formatInstant(value: Instant, name: string, options: Intl.DateTimeFormatOptions): string {
  const locale = LOCALES[currentLanguage()];
  const key = `${locale} ${name}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, formatter);
  return formatter.format(new Date(value));
}

/** 'Nov 20, 2026' / '20 nov 2026', in the browser's zone. */
export function formatDate(value: Instant): string {
  return formatInstant(value, "date", { day: "numeric", month: "short", year: "numeric" });
}

/** 'Friday, November 20, 2026' / 'viernes, 20 de noviembre de 2026', in the browser's zone. */
export function formatLongDate(value: Instant): string {
  return formatInstant(value, "long-date", {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
  });
}

/** A calendar day without a zone, '2026-11-20': 'Nov 20, 2026' / '20 nov 2026'. */
export function formatDay(day: string): string {
  return formatInstant(`${day}T00:00:00Z`, "day", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  });
}

/** 1 is Monday: 'Mon' / 'lun'. */
export function formatWeekday(weekday: number): string {
  return formatInstant(Date.UTC(2024, 0, weekday), "weekday", { weekday: "short", timeZone: "UTC" });
}

/** An hour of the day, 0 to 24: '2:00 PM' / '2:00 p. m.'. */
export function formatHour(hour: number): string {
  return formatInstant(Date.UTC(2024, 0, 1, hour), "hour", {
    hour: "numeric",
    minute: "2-digit",
    timeZone: "UTC",
  });
}

/** '10:32 AM' / '10:32 a. m.', in the browser's zone. */
export function formatTime(value: Instant): string {
  return formatInstant(value, "time", { hour: "numeric", minute: "2-digit" });
}

/** '10:32 AM' in a zone; with its short name '10:32 AM EST'. */
export function formatTimeIn(value: Instant, timeZone: string, named = false): string {
  return formatInstant(value, `time ${timeZone} ${named}`, {
    hour: "numeric",
    minute: "2-digit",
    timeZone,
    ...(named && { timeZoneName: "short" }),
  });
}

/** 'Nov 21, 8:00 AM', in the browser's zone; for instants within a year. */
export function formatDayAndTime(value: Instant): string {
  return formatInstant(value, "day-time", {
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
  });
}

/** '8:00 AM' for today, else 'Sat, Nov 21, 8:00 AM', in the browser's zone. */
export function formatSoon(value: Instant, now: number = Date.now()): string {
  if (new Date(value).toDateString() === new Date(now).toDateString()) return formatTime(value);
  return formatInstant(value, "soon", {
    weekday: "short",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
  });
}

const STEPS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** '3 hours ago' / 'hace 3 horas'; below a minute 'now' / 'ahora'. */
export function formatRelative(value: Instant, now: number = Date.now()): string {
  const seconds = Math.round((new Date(value).getTime() - now) / 1000);
  const locale = LOCALES[currentLanguage()];
  const formatter = relative.get(locale) ?? new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  relative.set(locale, formatter);
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return formatter.format(Math.trunc(seconds / size), unit);
  }
  return formatter.format(0, "second");
}

const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };

/** '2nd' / '2.º' */
export function formatOrdinal(value: number): string {
  if (currentLanguage() === "es") return `${formatNumber(value)}.º`;
  const rule = new Intl.PluralRules(LOCALES.en, { type: "ordinal" }).select(value);
  return `${formatNumber(value)}${suffixes[rule] ?? "th"}`;
}

/** Formats a number with the language's thousands separators. */
export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  // Small integers look the same in both languages, and the first use of the formatter takes a slow phone 80 ms.
  if (options === undefined && value >= 0 && value < 1_000 && Number.isInteger(value)) return String(value);
  return new Intl.NumberFormat(LOCALES[currentLanguage()], options).format(value);
}

/** The number of rows as the server reports it: '1,586', or '1,000+' for a capped count. */
export function formatTotal(total: string | number): string {
  const text = String(total);
  return `${formatNumber(Number.parseInt(text, 10))}${text.endsWith("+") ? "+" : ""}`;
}

/** Dollars, with cents only if there are any. */
export function formatMoney(value: number): string {
  return formatNumber(value, {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: Number.isInteger(value) ? 0 : 2,
  });
}

/** Seconds as m:ss. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** North American numbers as (787) 555-0142, Spanish ones as +34 600 123 456; anything else as it was typed. */
export function formatPhone(phone: string): string {
  const digits = phone.replace(/[\s().-]/g, "");
  const american = /^(?:\+?1)?([2-9]\d{2})(\d{3})(\d{4})$/.exec(digits);
  if (american) return `(${american[1]}) ${american[2]}-${american[3]}`;
  const spanish = /^\+34(\d{3})(\d{3})(\d{3})$/.exec(digits);
  return spanish ? `+34 ${spanish.slice(1).join(" ")}` : phone;
}

/** Up to two initials of a name; 'U' without a name. */
export function initialsOf(name: string | null | undefined): string {
  const words = (name ?? "").trim().split(/\s+/).filter(Boolean);
  const first = words[0]?.[0] ?? "";
  const last = words.length > 1 ? (words.at(-1)?.[0] ?? "") : "";
  return (first + last).toUpperCase() || "U";
}
