import * as contract from "@portal/contract/routes/crm";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../http/bind-route.ts";
import { getRun, type RunContext, runSync } from "./runs.ts";
import { createCrmStatus } from "./status.ts";

/** Sync with the CRM and its state (specification §7, GHL). */
export function registerCrmSyncRoutes(app: FastifyInstance, context: RunContext): void {
  const status = createCrmStatus(context.crm);

  bindRoute(app, contract.syncLeads, ({ actor }) =>
    runSync(context, { kind: "assigned", userId: actor.userId }),
  );
  bindRoute(app, contract.syncAll, ({ actor }) => runSync(context, { kind: "all", userId: actor.userId }));
  bindRoute(app, contract.getSyncRun, ({ params }) => getRun(context, params.id));
  bindRoute(app, contract.getCrmStatus, () => status());
  bindRoute(app, contract.extractAllRecordings, async ({ actor }) => {
    const { message, synced } = await runSync(context, { kind: "recordings", userId: actor.userId });
    return { message, extractedCount: synced };
  });
}
