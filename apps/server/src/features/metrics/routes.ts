import { type ReportRange, reportRanges } from "@portal/contract/entities/report";
import { type CallAnalytics, getCallAnalytics } from "@portal/contract/routes/analytics";
import * as contract from "@portal/contract/routes/reports";
import type { FastifyInstance } from "fastify";
import type { Database, Db } from "../../platform/db/client.ts";
import { execute, sql } from "../../platform/db/query.ts";
import { shareReading } from "../../platform/db/share-reading.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { filterValue } from "../../platform/http/list.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { scopeOf } from "../leads/policy.ts";
import { logScope } from "../telephony/policy.ts";
import { type AnalyticsRow, countLeadCalls } from "./analytics-repository.ts";
import { findPeriod, type Period, type ReportScope } from "./report-repository.ts";
import { reportCalls, reportLeads, reportOverview, reportPerformance } from "./service.ts";

/** Reports: consultants get their own figures, administrators everyone's. */
export function registerReportRoutes(
  app: FastifyInstance,
  { database, orgTimeZone: timeZone }: { database: Database; orgTimeZone: string },
): void {
  type ReadReport<Report> = (db: Db, input: { scope: ReportScope; period: Period }) => Promise<Report>;

  /** Runs all queries of a report in one snapshot, so that its figures agree with each other. */
  const read = <Report>(report: ReadReport<Report>, scope: ReportScope, range: ReportRange) =>
    database.transaction(async (tx) => {
      // The median of a million leads is sorted and joined in memory.
      await execute(
        tx,
        sql`set transaction isolation level repeatable read, read only; set local work_mem = '64MB'`,
      );
      return report(tx, { scope, period: await findPeriod(tx, { range, timeZone }) });
    });

  /** Everyone's report is read once for all administrators who request it meanwhile, because each event makes all of their pages do so. */
  const answer = <Report>(report: ReadReport<Report>) => {
    const everyone = Object.fromEntries(
      reportRanges.map((range) => [
        range,
        shareReading(
          () => read(report, "everyone", range),
          () => false,
        ),
      ]),
    ) as Record<ReportRange, () => Promise<Report>>;
    return ({ query: { range }, actor }: { query: { range: ReportRange }; actor: AuthSession }) => {
      const scope = logScope(actor);
      return scope === "everyone" ? everyone[range]() : read(report, scope, range);
    };
  };

  bindRoute(app, contract.getOverviewReport, answer(reportOverview));
  bindRoute(app, contract.getCallsReport, answer(reportCalls));
  bindRoute(app, contract.getLeadsReport, answer(reportLeads));
  bindRoute(app, contract.getPerformanceReport, answer(reportPerformance));
}

function presentAnalytics(row: AnalyticsRow): CallAnalytics {
  return {
    totalLeads: row.totalLeads,
    neverCalled: row.totalLeads - row.called,
    called1Time: row.once,
    called2Times: row.twice,
    called3Times: row.often,
    totalCalls: row.totalCalls,
    detailedStats: {
      neverCalledLeads: row.neverCalled,
      callCountsByLead: row.mostCalled.map((lead) => ({
        ...lead,
        lastCallDate: new Date(lead.lastCallDate).toISOString(),
      })),
    },
  };
}

/** Call analytics: consultants get their own leads, administrators everyone's. */
export function registerAnalyticsRoutes(
  app: FastifyInstance,
  context: { database: Database; orgTimeZone: string },
): void {
  bindRoute(app, getCallAnalytics, async ({ query, actor }) =>
    presentAnalytics(
      await countLeadCalls(context.database.db, {
        scope: scopeOf(actor),
        status: filterValue(query.status),
        range: filterValue(query.range),
        timeZone: context.orgTimeZone,
      }),
    ),
  );
}
