import * as contract from "@portal/contract/routes/health";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../db/client.ts";
import { AppError } from "../../http/app-error.ts";
import { bindRoute } from "../../http/bind-route.ts";
import type { Jobs } from "../../jobs/jobs.ts";

/** Whether the server serves, and whether what it stands on does. */
export function registerHealthRoutes(
  app: FastifyInstance,
  context: { database: Database; jobs: Jobs },
): void {
  bindRoute(app, contract.getHealth, async () => ({ status: "ok" as const }));
  bindRoute(app, contract.getReady, async () => {
    await context.database.db.$client.query("select 1");
    if (!context.jobs.ready()) throw new AppError("unavailable", "Background jobs are not running.");
    return { status: "ok" as const, database: "ok" as const, jobs: "ok" as const };
  });
}
