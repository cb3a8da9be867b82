import type { ReportRange } from "@portal/contract/entities/report";
import * as contract from "@portal/contract/routes/reports";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../db/client.ts";
import { bindRoute } from "../../http/bind-route.ts";
import type { Session } from "../../http/session.ts";
import { logScope } from "../calls/policy.ts";
import { findPeriod } from "./data-period.ts";
import { reportOverview } from "./overview.ts";

/** Reports (specification §2): consultants get their own figures, administrators everyone's. */
export function registerReportRoutes(
  app: FastifyInstance,
  context: { database: Database; orgTimeZone: string },
): void {
  const { db } = context.database;
  const asked = async (actor: Session, range: ReportRange) => ({
    scope: logScope(actor),
    period: await findPeriod(db, { range, timeZone: context.orgTimeZone }),
  });

  bindRoute(app, contract.getOverviewReport, async ({ query, actor }) =>
    reportOverview(db, await asked(actor, query.range)),
  );
}
