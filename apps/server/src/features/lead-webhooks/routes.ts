import * as contract from "@portal/contract/routes/lead-webhooks";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../http/bind-route.ts";
import { listDeliveryRows } from "./data-deliveries.ts";
import { presentDelivery } from "./present.ts";
import { replayDelivery } from "./replay-delivery.ts";
import type { LeadWebhooksContext } from "./service.ts";
import { createKey, listSources, removeKey, updateSource } from "./source-settings.ts";

/** What the dialog of a source shows. */
const deliveriesShown = 50;

/** Sources of leads, their keys and their deliveries (specification §2, Webhooks). */
export function registerLeadWebhookRoutes(
  app: FastifyInstance,
  context: LeadWebhooksContext,
  worker: { nudge(): void },
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
    worker.nudge();
    return { message: "The delivery is worked again." };
  });
}
