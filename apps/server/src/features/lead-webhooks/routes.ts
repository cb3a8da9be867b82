import * as contract from "@portal/contract/routes/lead-webhooks";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { listDeliveryRows } from "./repository.ts";
import {
  createKey,
  type LeadWebhooksContext,
  listSources,
  presentDelivery,
  removeKey,
  replayDelivery,
  updateSource,
} from "./service.ts";

/** Number of deliveries in a source's dialog. */
const deliveriesShown = 50;

/** Routes for webhook sources, their keys and deliveries. */
export function registerLeadWebhookRoutes(
  app: FastifyInstance,
  context: LeadWebhooksContext,
  worker: { wake(): void },
): void {
  const { db } = context.database;
  bindRoute(app, contract.listWebhookSources, () => listSources(context));
  bindRoute(app, contract.createSourceKey, ({ params, actor }) => createKey(context, { ...params, actor }));
  bindRoute(app, contract.removeSourceKey, ({ params, actor }) => removeKey(context, { ...params, actor }));
  bindRoute(app, contract.updateWebhookSource, ({ params, body, actor }) =>
    updateSource(context, { ...params, settings: body, actor }),
  );
  bindRoute(app, contract.listWebhookDeliveries, async ({ query }) => {
    const rows = await listDeliveryRows(db, { source: query.source, limit: deliveriesShown });
    return rows.map(presentDelivery);
  });
  bindRoute(app, contract.replayWebhookDelivery, async ({ params, actor }) => {
    await replayDelivery(context, { id: params.id, actor });
    worker.wake();
    return { message: "The delivery is worked again." };
  });
}
