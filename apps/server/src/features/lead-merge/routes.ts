import * as contract from "@portal/contract/routes/lead-merge";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { mergeLeads } from "./merge-leads.ts";
import { findLivingLead } from "./repository.ts";
import { listOfLead, listRecent, type MergeContext, previewMerge } from "./service.ts";
import { splitMerged } from "./split-merged.ts";

/** The routes to merge two leads, and to undo it. */
export function registerMergeRoutes(app: FastifyInstance, context: MergeContext): void {
  bindRoute(app, contract.previewLeadMerge, ({ params, body, actor }) =>
    previewMerge(context, { ...body, leadId: params.id, actor }),
  );
  bindRoute(app, contract.mergeLeads, ({ params, body, actor }) =>
    mergeLeads(context, { ...body, leadId: params.id, actor }),
  );
  bindRoute(app, contract.listMergesOfLead, ({ params, actor }) =>
    listOfLead(context, { actor, leadId: params.id }),
  );
  bindRoute(app, contract.listLeadMerges, ({ actor }) => listRecent(context, actor));
  bindRoute(app, contract.undoLeadMerge, ({ params, actor }) =>
    splitMerged(context, { actor, mergeId: params.id }),
  );
}

/** Routes whose `:id` is that of a lead. */
const ofLead = /^\/api\/(leads|ai-recording|ghl\/outbox\/leads)\/:id(\/|$)/;

type Input = Record<string, unknown> | null | undefined;

async function follow(
  { database }: Pick<MergeContext, "database">,
  input: Input,
  name: string,
): Promise<void> {
  const id = input?.[name];
  if (input && typeof id === "number") input[name] = await findLivingLead(database.db, id);
}

/**
 * Requests for a lead that was merged into another are answered for the remaining one: they come from an old address, another tab, or an
 * offline queue. Call this before the routes are registered.
 */
export function followMergedLeads(app: FastifyInstance, context: Pick<MergeContext, "database">): void {
  app.addHook("preHandler", async (request) => {
    if (ofLead.test(request.routeOptions.url ?? "")) await follow(context, request.params as Input, "id");
    await follow(context, request.body as Input, "leadId");
    await follow(context, request.query as Input, "leadId");
  });
}
