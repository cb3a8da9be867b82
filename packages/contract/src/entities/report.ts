import { z } from "zod";
import { loggedOutcomes } from "./call.ts";
import { leadStatuses } from "./lead.ts";

/** Date ranges of the reports: the last 7 or 30 days including today, in the organization's time zone, or all time. */
export const reportRanges = ["week", "month", "all"] as const;
export type ReportRange = (typeof reportRanges)[number];

/** The preceding periods that trends compare with: the same number of days, up to the same time of day. Lists can filter by them. */
export const previousRanges = ["previous-week", "previous-month"] as const;
export type PreviousRange = (typeof previousRanges)[number];

export const reportTypes = ["overview", "calls", "leads", "performance"] as const;
export type ReportType = (typeof reportTypes)[number];

/** The period of a report, as instants. `from` is null for all time, which has no preceding period. */
const periodSchema = z.object({
  range: z.enum(reportRanges),
  from: z.string().nullable(),
  to: z.string(),
  /** The preceding period of equal length: the same number of days, up to the same time of day on the last one. */
  previousFrom: z.string().nullable(),
  previousTo: z.string().nullable(),
  /** The organization's IANA time zone, which defines days, weeks and months. */
  timeZone: z.string(),
});
export type ReportPeriod = z.infer<typeof periodSchema>;

/**
 * A metric of the period and of the preceding one. `value` is null if there is nothing to divide by; `previous` also if there is no
 * preceding period.
 */
const figureSchema = z.object({ value: z.number().nullable(), previous: z.number().nullable() });
export type ReportMetric = z.infer<typeof figureSchema>;

const outcomeCountSchema = z.object({
  /** Null for calls without an outcome yet. */
  outcome: z.enum(loggedOutcomes).nullable(),
  calls: z.number(),
});

/** Leads created in the period by their current status. Includes statuses without leads. */
const statusCountSchema = z.object({ status: z.enum(leadStatuses), leads: z.number() });

/** Steps of the activity chart: days up to 31 days, weeks (from Monday) up to half a year, otherwise months. */
export const activitySteps = ["day", "week", "month"] as const;

/** One step. The first and last week or month may be cut off by the period, so that the steps add up to the totals. */
const activityPointSchema = z.object({
  /** First day of the step, YYYY-MM-DD, in the organization's time zone. */
  day: z.string(),
  calls: z.number(),
  answered: z.number(),
  /** SMS sent and received. */
  texts: z.number(),
  conversions: z.number(),
});
export type ActivityPoint = z.infer<typeof activityPointSchema>;

/** Report type `overview`. Conversion rate in percent: leads converted in the period ÷ leads created in it. */
export const overviewReportSchema = z.object({
  period: periodSchema,
  totalCalls: figureSchema,
  answeredCalls: figureSchema,
  conversionRate: figureSchema,
  talkSeconds: figureSchema,
  conversions: z.number(),
  leadsCreated: z.number(),
  statuses: z.array(statusCountSchema),
  outcomes: z.array(outcomeCountSchema),
  activity: z.object({ step: z.enum(activitySteps), points: z.array(activityPointSchema) }),
});
export type OverviewReport = z.infer<typeof overviewReportSchema>;

/** Report type `calls`. */
export const callsReportSchema = z.object({
  period: periodSchema,
  totalCalls: figureSchema,
  /** Answered ÷ all calls, in percent. Calls without an outcome yet are included in all calls. */
  answerRate: figureSchema,
  talkSeconds: figureSchema,
  /** Talk time of answered calls ÷ number of answered calls. Time spent on a voicemail is not talk time. */
  averageTalkSeconds: figureSchema,
  outbound: z.number(),
  inbound: z.number(),
  outcomes: z.array(outcomeCountSchema),
  /** By weekday (1 is Monday) and hour in the organization's time zone. Hours without calls are omitted. */
  hours: z.array(
    z.object({ weekday: z.number(), hour: z.number(), calls: z.number(), answered: z.number() }),
  ),
});
export type CallsReport = z.infer<typeof callsReportSchema>;

/** Bands of the time to the first call: within this many minutes, excluding earlier bands; null means later. */
export const firstCallMinutes = [5, 60, 1_440, null] as const;

/** The same bands as a lead filter: minutes, or `later`. */
export const firstCallBands = ["5", "60", "1440", "later"] as const;
export type FirstCallBand = (typeof firstCallBands)[number];

/** Report type `leads`: leads created in the period. */
export const leadsReportSchema = z.object({
  period: periodSchema,
  leadsCreated: figureSchema,
  conversions: figureSchema,
  conversionRate: figureSchema,
  statuses: z.array(statusCountSchema),
  /** Most leads first, at most 20. A null source means the lead has none. `converted` counts leads that are clients now. */
  sources: z.array(z.object({ source: z.string().nullable(), leads: z.number(), converted: z.number() })),
  /** Leads of all other sources. */
  otherSources: z.number(),
  firstCall: z.object({
    /** Median seconds from creation to the first logged outbound call, over leads that were called. */
    medianSeconds: z.number().nullable(),
    called: z.number(),
    neverCalled: z.number(),
    within: z.array(z.object({ minutes: z.number().nullable(), leads: z.number() })),
  }),
});
export type LeadsReport = z.infer<typeof leadsReportSchema>;

/** Report type `performance`: one row per consultant. Consultants only get their own. */
export const performanceReportSchema = z.object({
  period: periodSchema,
  consultants: z.array(
    z.object({
      userId: z.number(),
      name: z.string(),
      /** False once the account is closed. */
      active: z.boolean(),
      /** Leads assigned now. */
      leads: z.number(),
      /** Calls they made or answered. */
      calls: z.number(),
      answered: z.number(),
      talkSeconds: z.number(),
      /** SMS they sent. */
      texts: z.number(),
      /** Leads they converted in the period, and the total value. */
      conversions: z.number(),
      conversionValue: z.number(),
    }),
  ),
});
export type PerformanceReport = z.infer<typeof performanceReportSchema>;
