import { type CallAnalytics, getCallAnalytics } from "@portal/contract/routes/analytics";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../../platform/db/client.ts";
import { bindRoute } from "../../../platform/http/bind-route.ts";
import { filterValue } from "../../../platform/http/list.ts";
import { scopeOf } from "../../leads/policy.ts";
import { type AnalyticsRow, countLeadCalls } from "./repository.ts";

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
