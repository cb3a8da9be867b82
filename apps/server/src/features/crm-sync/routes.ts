import * as contract from "@portal/contract/routes/crm";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../http/bind-route.ts";
import { listRejects, listRuns } from "./data-views.ts";
import { getLeadChanges, getOutbox, retryChanges } from "./outbox.ts";
import { presentListedRun } from "./present.ts";
import { getRun, type RunContext, runSync } from "./runs.ts";
import { createCrmStatus } from "./status.ts";
import { retryMessage } from "./words.ts";

/** Sync with the CRM and its state (specification §7, GHL). */
export function registerCrmSyncRoutes(app: FastifyInstance, context: RunContext): void {
  const { db } = context.database;
  const status = createCrmStatus(context.crm);

  bindRoute(app, contract.syncLeads, ({ actor }) =>
    runSync(context, { kind: "assigned", userId: actor.userId }),
  );
  bindRoute(app, contract.syncAll, ({ actor }) => runSync(context, { kind: "all", userId: actor.userId }));
  bindRoute(app, contract.syncChanges, ({ actor }) =>
    runSync(context, { kind: "changes", userId: actor.userId }),
  );
  bindRoute(app, contract.listSyncRuns, async ({ query }) =>
    (await listRuns(db, query.limit)).map(presentListedRun),
  );
  bindRoute(app, contract.getSyncRun, ({ params }) => getRun(context, params.id));
  bindRoute(app, contract.getCrmStatus, () => status());
  bindRoute(app, contract.extractAllRecordings, async ({ actor }) => {
    const { message, synced } = await runSync(context, { kind: "recordings", userId: actor.userId });
    return { message, extractedCount: synced };
  });

  bindRoute(app, contract.getCrmOutbox, ({ actor }) => getOutbox(context, actor));
  bindRoute(app, contract.listLeadChanges, ({ params, actor }) =>
    getLeadChanges(context, { actor, leadId: params.id }),
  );
  bindRoute(app, contract.retryCrmChanges, async ({ body, actor }) => {
    const retried = await retryChanges(context, { actor, ...body });
    return { message: retryMessage(retried), retried };
  });
  bindRoute(app, contract.listCrmRejects, async () =>
    (await listRejects(db)).map(({ at, ...reject }) => ({ ...reject, at: at.toISOString() })),
  );
}
