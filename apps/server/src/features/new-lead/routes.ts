import * as contract from "@portal/contract/routes/leads";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { createLead, findKnownLeads, type NewLeadContext } from "./create-lead.ts";

/** The routes to find known leads and to create a lead manually. */
export function registerNewLeadRoutes(app: FastifyInstance, context: NewLeadContext): void {
  bindRoute(app, contract.findKnownLeads, ({ query }) => findKnownLeads(context, query));

  bindRoute(app, contract.createLead, ({ body, actor }) => createLead(context, { actor, lead: body }));
}
