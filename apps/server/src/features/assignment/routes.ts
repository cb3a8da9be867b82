import { assignLeads as assignLeadsRoute } from "@portal/contract/routes/all-leads";
import * as contract from "@portal/contract/routes/assignment";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../platform/http/bind-route.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { getLead, type WriteContext } from "../leads/service.ts";
import { listSalesReps } from "./repository.ts";
import { assignLead, assignLeads } from "./service.ts";

interface HandOver {
  actor: AuthSession;
  leadId: number;
  salesRepId: number;
  body: { notes?: string | null | undefined; takeAlong: boolean };
}

/** The routes of assignments. */
export function registerAssignmentRoutes(app: FastifyInstance, context: WriteContext): void {
  async function handOver({ actor, leadId, salesRepId, body }: HandOver) {
    const notes = body.notes?.trim() || null;
    await assignLead(context, { actor, leadId, salesRepId, notes, takeAlong: body.takeAlong });
    return getLead(context, context.database.db, { leadId, actor });
  }

  bindRoute(app, contract.listSalesReps, () => listSalesReps(context.database.db));

  bindRoute(app, contract.assignLead, async ({ params, body, actor }) => ({
    lead: await handOver({ actor, leadId: params.id, salesRepId: body.salesRepId, body }),
    message: "The lead was assigned.",
  }));

  bindRoute(app, contract.transferLead, async ({ params, body, actor }) => ({
    lead: await handOver({ actor, leadId: params.id, salesRepId: body.newSalesRepId, body }),
    message: "The lead was transferred.",
  }));

  bindRoute(app, assignLeadsRoute, async ({ body, actor }) => {
    const notes = body.notes?.trim() || null;
    const { assigned, refused } = await assignLeads(context, { ...body, notes, actor });
    const message = assigned === 1 ? "1 lead was assigned." : `${assigned} leads were assigned.`;
    return { message, assigned, refused };
  });
}
