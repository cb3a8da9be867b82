import * as contract from "@portal/contract/routes/crm";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { listRejects } from "./contact-repository.ts";
import { decideDeletions, getHeldDeletions } from "./decide-deletions.ts";
import { presentListedRun } from "./present.ts";
import { listRuns } from "./run-repository.ts";
import {
  createCrmStatus,
  getLeadChanges,
  getOutbox,
  getRun,
  type RunContext,
  retryChanges,
  runSync,
} from "./service.ts";
import { retryMessage } from "./write-messages.ts";

/** Routes for syncing with the CRM and for its state. */
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
  bindRoute(app, contract.getHeldDeletions, async () => ({ held: await getHeldDeletions(context) }));
  bindRoute(app, contract.decideDeletions, async ({ params, body, actor }) => ({
    message: await decideDeletions(context, { userId: actor.userId, runId: params.id, ...body }),
  }));
  bindRoute(app, contract.listCrmRejects, async () =>
    (await listRejects(db)).map(({ at, ...reject }) => ({ ...reject, at: at.toISOString() })),
  );
}
