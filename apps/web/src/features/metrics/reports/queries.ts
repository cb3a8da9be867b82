import type { ReportRange, ReportType } from "@portal/contract/entities/report";
import {
  getCallsReport,
  getLeadsReport,
  getOverviewReport,
  getPerformanceReport,
} from "@portal/contract/routes/reports";
import { queryOptions } from "@tanstack/react-query";
import { routeQuery } from "../../../lib/query-client.ts";

/** Figures are fetched on every mount and kept up to date by live events. */
const fresh = { staleTime: 0 };

export const overviewQuery = (range: ReportRange) =>
  queryOptions({ ...routeQuery(getOverviewReport, { query: { range } }), ...fresh });
export const callsQuery = (range: ReportRange) =>
  queryOptions({ ...routeQuery(getCallsReport, { query: { range } }), ...fresh });
export const leadsQuery = (range: ReportRange) =>
  queryOptions({ ...routeQuery(getLeadsReport, { query: { range } }), ...fresh });
export const performanceQuery = (range: ReportRange) =>
  queryOptions({ ...routeQuery(getPerformanceReport, { query: { range } }), ...fresh });

const keys = {
  overview: (range: ReportRange) => overviewQuery(range).queryKey,
  calls: (range: ReportRange) => callsQuery(range).queryKey,
  leads: (range: ReportRange) => leadsQuery(range).queryKey,
  performance: (range: ReportRange) => performanceQuery(range).queryKey,
} satisfies Record<ReportType, unknown>;

export const reportKey = (type: ReportType, range: ReportRange) => keys[type](range);
