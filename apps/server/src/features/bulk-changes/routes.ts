import * as contract from "@portal/contract/routes/bulk-changes";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../platform/http/bind-route.ts";
import type { BulkContext } from "./change-leads.ts";
import { undoChange } from "./change-leads-back.ts";
import { createChange, getChange, listRecent, previewEdit } from "./service.ts";

/** The routes to apply bulk changes and to undo them. */
export function registerBulkRoutes(app: FastifyInstance, context: BulkContext): void {
  bindRoute(app, contract.previewBulkChange, ({ body, actor }) => previewEdit(context, { ...body, actor }));
  bindRoute(app, contract.createBulkChange, ({ body, actor }) => createChange(context, { ...body, actor }));
  bindRoute(app, contract.listBulkChanges, ({ actor }) => listRecent(context, actor));
  bindRoute(app, contract.getBulkChange, ({ params, actor }) => getChange(context, { actor, id: params.id }));
  bindRoute(app, contract.undoBulkChange, ({ params, actor }) =>
    undoChange(context, { actor, id: params.id }),
  );
}
