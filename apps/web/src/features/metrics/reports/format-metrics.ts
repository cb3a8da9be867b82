import type { LeadStatus } from "@portal/contract/entities/lead";
import type {
  CallsReport,
  LeadsReport,
  OverviewReport,
  ReportMetric,
  ReportPeriod,
} from "@portal/contract/entities/report";
import { currentLocale, formatNumber } from "../../../lib/format.ts";
import { messagesOf } from "../../../lib/i18n.ts";
import { metricMessages } from "./messages.ts";

/** '+12%', '-2%', '0%'. */
export function formatChange(percent: number): string {
  return formatNumber(percent / 100, { style: "percent", signDisplay: "exceptZero" });
}

/** Whole minutes, rounded as in the call history. */
export const minutesOf = (seconds: number): number => Math.round(seconds / 60);

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** A duration in its largest unit: '2.5 hr', '40 sec'. */
export function formatSpan(seconds: number): string {
  const [unit, size] = units.find(([, least]) => seconds >= least) ?? (["second", 1] as const);
  return formatNumber(seconds / size, {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: unit === "second" ? 0 : 1,
  });
}

/** The days of a period in the organization's zone: 'Nov 13 – 20, 2026'. */
export function formatDays({ from, to, timeZone }: ReportPeriod & { from: string }): string {
  return new Intl.DateTimeFormat(currentLocale(), {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone,
  }).formatRange(new Date(from), new Date(to));
}

type Step = OverviewReport["activity"]["step"];

const stepFormats: Record<Step, Intl.DateTimeFormatOptions> = {
  day: { day: "numeric", month: "short" },
  week: { day: "numeric", month: "short" },
  month: { month: "short", year: "numeric" },
};

// A calendar day has no zone, so it is formatted in UTC at noon.
const noon = (day: string) => new Date(`${day}T12:00:00Z`);

/** Axis label of a step: 'Nov 14', for months 'Nov 2026'. */
export function formatStep(day: string, step: Step): string {
  return new Intl.DateTimeFormat(currentLocale(), { ...stepFormats[step], timeZone: "UTC" }).format(
    noon(day),
  );
}

/** A step in full: 'Fri, Nov 14', for weeks their first day 'Nov 14, 2026', 'November 2026'. */
export function formatFullStep(day: string, step: Step): string {
  const format: Intl.DateTimeFormatOptions =
    step === "month"
      ? { month: "long", year: "numeric" }
      : { ...stepFormats.day, ...(step === "day" ? { weekday: "short" } : { year: "numeric" }) };
  return new Intl.DateTimeFormat(currentLocale(), { ...format, timeZone: "UTC" }).format(noon(day));
}

/** The last day of a step that begins on `day`. */
export function lastDayOf(day: string, step: Step): string {
  const last = noon(day);
  if (step === "week") last.setUTCDate(last.getUTCDate() + 6);
  if (step === "month") last.setUTCMonth(last.getUTCMonth() + 1, 0);
  return last.toISOString().slice(0, 10);
}

/** 1 is Monday. */
export function formatWeekday(weekday: number, width: "short" | "long"): string {
  // January 1, 2024 was a Monday.
  return new Intl.DateTimeFormat(currentLocale(), { weekday: width, timeZone: "UTC" }).format(
    new Date(Date.UTC(2024, 0, weekday)),
  );
}

/** '9 AM'. */
export function formatHour(hour: number): string {
  return new Intl.DateTimeFormat(currentLocale(), { hour: "numeric", timeZone: "UTC" }).format(
    new Date(Date.UTC(2024, 0, 1, hour)),
  );
}

/** Name of the band that ends at this number of minutes: 'Within 5 minutes'; null is open-ended. */
export function firstCallName(minutes: number | null): string {
  const t = messagesOf(metricMessages);
  if (minutes === 5 || minutes === 60 || minutes === 1_440) return t(`within_${minutes}`);
  return t("later");
}

interface Trend {
  /** Change in whole percents: 12 is 12% more. */
  percent: number;
  direction: "up" | "down" | "level";
}

/** The change of a figure against the previous period; null if they cannot be compared. */
export function trendOf({ value, previous }: ReportMetric): Trend | null {
  if (value === null || previous === null || previous === 0) return null;
  // Adding 0 turns -0 into 0.
  const percent = Math.round(((value - previous) * 100) / previous) + 0;
  return { percent, direction: percent > 0 ? "up" : percent < 0 ? "down" : "level" };
}

const recordedOutcomes = ["answered", "voicemail", "busy", "no_answer"] as const;
const recordedStatuses: readonly LeadStatus[] = ["new", "contacted", "interested", "not_interested"];
/** Statuses of a lead on the way to conversion, and of those that left it. */
const funnel: readonly LeadStatus[] = [
  "new",
  "contacted",
  "qualified",
  "interested",
  "converted",
  "not_interested",
];

/** The recorded outcomes, followed by others that occur, so that together they are all calls. */
export function shownOutcomes(outcomes: CallsReport["outcomes"]): CallsReport["outcomes"] {
  const recorded = recordedOutcomes.map((outcome) => ({
    outcome,
    calls: outcomes.find((counted) => counted.outcome === outcome)?.calls ?? 0,
  }));
  const others = outcomes.filter(
    ({ outcome, calls }) => calls > 0 && !recordedOutcomes.some((known) => known === outcome),
  );
  return [...recorded, ...others];
}

const countOf = (statuses: LeadsReport["statuses"], status: LeadStatus) => ({
  status,
  leads: statuses.find((counted) => counted.status === status)?.leads ?? 0,
});

/** The recorded statuses, followed by others that occur, so that the percentages are of all leads. */
export function shownStatuses(statuses: LeadsReport["statuses"]): LeadsReport["statuses"] {
  const others = (["qualified", "converted"] as const).map((status) => countOf(statuses, status));
  return [
    ...recordedStatuses.map((status) => countOf(statuses, status)),
    ...others.filter(({ leads }) => leads > 0),
  ];
}

/** All statuses of the funnel. */
export function funnelStatuses(statuses: LeadsReport["statuses"]): LeadsReport["statuses"] {
  return funnel.map((status) => countOf(statuses, status));
}

/** Calls by hour of the day, from the first to the last hour with any. */
export function callsByHour(hours: CallsReport["hours"]) {
  const spoken = hours.filter(({ calls }) => calls > 0).map(({ hour }) => hour);
  if (spoken.length === 0) return [];
  const first = Math.min(...spoken);
  return Array.from({ length: Math.max(...spoken) - first + 1 }, (_, index) => {
    const hour = first + index;
    const ofHour = hours.filter((counted) => counted.hour === hour);
    return {
      hour,
      calls: ofHour.reduce((sum, { calls }) => sum + calls, 0),
      answered: ofHour.reduce((sum, { answered }) => sum + answered, 0),
    };
  });
}
