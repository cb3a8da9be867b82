import * as contract from "@portal/contract/routes/saved-views";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../platform/db/client.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { listViews, type ViewRow } from "./repository.ts";
import { changeView, createView, orderViews, removeView } from "./service.ts";

const presentView = ({ id, page, name, query, isForEverybody }: ViewRow): contract.SavedView => ({
  id,
  page,
  name,
  query,
  isForEverybody,
});

/** The routes of saved views: the user's own, and the shared ones of administrators. */
export function registerSavedViewRoutes(app: FastifyInstance, context: { database: Database }): void {
  const { db } = context.database;
  bindRoute(app, contract.listSavedViews, async ({ query, actor }) =>
    (await listViews(db, { page: query.page, userId: actor.userId })).map(presentView),
  );
  bindRoute(app, contract.createSavedView, async ({ body, actor }) =>
    presentView(await createView(context, { ...body, actor })),
  );
  bindRoute(app, contract.updateSavedView, async ({ params, body, actor }) =>
    presentView(await changeView(context, { actor, id: params.id, changes: body })),
  );
  bindRoute(app, contract.deleteSavedView, async ({ params, actor }) => {
    await removeView(context, { actor, id: params.id });
    return { message: "The view was deleted." };
  });
  bindRoute(app, contract.orderSavedViews, async ({ body, actor }) => {
    await orderViews(context, { ...body, actor });
    return (await listViews(db, { page: body.page, userId: actor.userId })).map(presentView);
  });
}
