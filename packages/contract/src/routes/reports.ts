import { z } from "zod";
import {
  callsReportSchema,
  leadsReportSchema,
  overviewReportSchema,
  performanceReportSchema,
  reportRanges,
} from "../entities/report.ts";
import { defineRoute } from "../route.ts";

const query = z.object({ range: z.enum(reportRanges).default("week") });

/**
 * Cards, distributions and daily activity. Consultants get metrics of the calls in their call history and of their leads; administrators of
 * everything.
 */
export const getOverviewReport = defineRoute({
  method: "GET",
  path: "/api/reports/overview",
  summary: "Metrics of calls and leads, with the previous period",
  query,
  response: overviewReportSchema,
});

/** Calls by hour, weekday and outcome. Same scope as the overview report. */
export const getCallsReport = defineRoute({
  method: "GET",
  path: "/api/reports/calls",
  summary: "Metrics of calls",
  query,
  response: callsReportSchema,
});

/** Sources, status funnel and time to the first call. Scope: the user's assigned leads; for administrators, all. */
export const getLeadsReport = defineRoute({
  method: "GET",
  path: "/api/reports/leads",
  summary: "Metrics of leads",
  query,
  response: leadsReportSchema,
});

/** Metrics by consultant. Consultants only get their own row. */
export const getPerformanceReport = defineRoute({
  method: "GET",
  path: "/api/reports/performance",
  summary: "Metrics by consultant",
  query,
  response: performanceReportSchema,
});
