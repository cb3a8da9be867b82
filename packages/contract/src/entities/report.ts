import { z } from "zod";
import { loggedOutcomes } from "./call.ts";
import { leadStatuses } from "./lead.ts";

/** Date ranges of the reports: the last 7 and 30 dates by the organisation's clock, today among them; or everything. */
export const reportRanges = ["week", "month", "all"] as const;
export type ReportRange = (typeof reportRanges)[number];

/** The periods that trends compare with: as many dates before, up to the same time of day. Lists show their rows. */
export const previousRanges = ["previous-week", "previous-month"] as const;
export type PreviousRange = (typeof previousRanges)[number];

export const reportTypes = ["overview", "calls", "leads", "performance"] as const;
export type ReportType = (typeof reportTypes)[number];

/** What a report covers. Instants; `from` is null for everything, and then there is no previous period. */
const periodSchema = z.object({
  range: z.enum(reportRanges),
  from: z.string().nullable(),
  to: z.string(),
  /** The period of equal length before: as many dates, up to the same time of day on the last of them. */
  previousFrom: z.string().nullable(),
  previousTo: z.string().nullable(),
  /** The organisation's zone, IANA: its days, weeks and months are meant. */
  timeZone: z.string(),
});
export type ReportPeriod = z.infer<typeof periodSchema>;

/** A figure of the period, and of the period before. `value` is null where there is nothing to divide by, `previous` also where no period is before. */
const figureSchema = z.object({ value: z.number().nullable(), previous: z.number().nullable() });
export type ReportMetric = z.infer<typeof figureSchema>;

const outcomeCountSchema = z.object({
  /** Null for a call whose outcome nobody knows yet. */
  outcome: z.enum(loggedOutcomes).nullable(),
  calls: z.number(),
});

/** Leads created in the period, by the status they have now; every status, also with no lead. */
const statusCountSchema = z.object({ status: z.enum(leadStatuses), leads: z.number() });

/** Steps of the activity chart: days of up to 31, weeks (from Monday) of up to half a year, else months. */
export const activitySteps = ["day", "week", "month"] as const;

/** One step; of weeks and months the first and the last may be cut by the period, so that the steps add up to the figures. */
const activityPointSchema = z.object({
  /** First day of the step, YYYY-MM-DD, in the organisation's zone. */
  day: z.string(),
  calls: z.number(),
  answered: z.number(),
  /** Texts sent and received. */
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
  /** Answered ÷ all, in percent; calls without an outcome yet are among all. */
  answerRate: figureSchema,
  talkSeconds: figureSchema,
  /** Talk time of the answered calls ÷ their number: what a voicemail took is no talk. */
  averageTalkSeconds: figureSchema,
  outbound: z.number(),
  inbound: z.number(),
  outcomes: z.array(outcomeCountSchema),
  /** By weekday (1 is Monday) and hour of the organisation's clock; those without calls are left out. */
  hours: z.array(
    z.object({ weekday: z.number(), hour: z.number(), calls: z.number(), answered: z.number() }),
  ),
});
export type CallsReport = z.infer<typeof callsReportSchema>;

/** How soon a lead was first called: within so many minutes, and no earlier band; null stands for later. */
export const firstCallMinutes = [5, 60, 1_440, null] as const;

/** The same bands as a filter of leads: minutes, and `later`. */
export const firstCallBands = ["5", "60", "1440", "later"] as const;
export type FirstCallBand = (typeof firstCallBands)[number];

/** Report type `leads`: leads created in the period. */
export const leadsReportSchema = z.object({
  period: periodSchema,
  leadsCreated: figureSchema,
  conversions: figureSchema,
  conversionRate: figureSchema,
  statuses: z.array(statusCountSchema),
  /** Most leads first, at most 20; null is a lead without a source. `converted` counts those that are clients now. */
  sources: z.array(z.object({ source: z.string().nullable(), leads: z.number(), converted: z.number() })),
  /** Leads of all further sources. */
  otherSources: z.number(),
  firstCall: z.object({
    /** Seconds from creation to the first logged outbound call, over the leads that were called. */
    medianSeconds: z.number().nullable(),
    called: z.number(),
    neverCalled: z.number(),
    within: z.array(z.object({ minutes: z.number().nullable(), leads: z.number() })),
  }),
});
export type LeadsReport = z.infer<typeof leadsReportSchema>;

/** Report type `performance`: one row for each consultant; a consultant sees their own. */
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
      /** Calls they made or took. */
      calls: z.number(),
      answered: z.number(),
      talkSeconds: z.number(),
      /** Texts they sent. */
      texts: z.number(),
      /** Leads they converted in the period, and what those are worth. */
      conversions: z.number(),
      conversionValue: z.number(),
    }),
  ),
});
export type PerformanceReport = z.infer<typeof performanceReportSchema>;
