import { type CallAnalytics, getCallAnalytics } from "@portal/contract/routes/analytics";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../db/client.ts";
import { bindRoute } from "../../http/bind-route.ts";
import { chosen } from "../../http/chosen.ts";
import { scopeOf } from "../leads/policy.ts";
import { type AnalyticsRow, countLeadCalls } from "./data.ts";

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

/** Call analytics (specification §3): consultants get their own leads, administrators everyone's. */
export function registerAnalyticsRoutes(
  app: FastifyInstance,
  context: { database: Database; orgTimeZone: string },
): void {
  bindRoute(app, getCallAnalytics, async ({ query, actor }) =>
    presentAnalytics(
      await countLeadCalls(context.database.db, {
        scope: scopeOf(actor),
        status: chosen(query.status),
        range: chosen(query.range),
        timeZone: context.orgTimeZone,
      }),
    ),
  );
}
