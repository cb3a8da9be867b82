import type { Lead } from "@portal/contract/entities/lead";
import * as contract from "@portal/contract/routes/assignment";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../http/bind-route.ts";
import type { Session } from "../../http/session.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { assignLead } from "./assign-lead.ts";
import { writeLeads } from "./data.ts";
import { listSalesReps } from "./data-assignment.ts";
import { countFollowUps, listFollowUps } from "./data-follow-ups.ts";
import { scopeOf } from "./policy.ts";
import { getLead, type LeadsContext } from "./service.ts";

interface HandOver {
  actor: Session;
  leadId: number;
  salesRepId: number;
  body: { notes?: string | null | undefined; takeAlong: boolean };
}

/** Who works on which lead, and what is due (specification §7). */
export function registerAssignmentRoutes(
  app: FastifyInstance,
  context: LeadsContext & { jobs: Pick<Jobs, "enqueue"> },
): void {
  const { db, lookUp } = context.database;

  async function handOver({ actor, leadId, salesRepId, body }: HandOver) {
    const notes = body.notes?.trim() || null;
    await assignLead(context, { actor, leadId, salesRepId, notes, takeAlong: body.takeAlong });
    return getLead(context, { leadId, actor });
  }

  bindRoute(app, contract.listSalesReps, () => listSalesReps(db));

  bindRoute(app, contract.assignLead, async ({ params, body, actor }) => ({
    lead: await handOver({ actor, leadId: params.id, salesRepId: body.salesRepId, body }),
    message: "The lead was assigned.",
  }));

  bindRoute(app, contract.transferLead, async ({ params, body, actor }) => ({
    lead: await handOver({ actor, leadId: params.id, salesRepId: body.newSalesRepId, body }),
    message: "The lead was transferred.",
  }));

  bindRoute(app, contract.listFollowUps, async ({ query, actor }) => {
    const scope = scopeOf(actor);
    const asked = { scope, timeZone: context.orgTimeZone };
    const [counts, rows] = await Promise.all([
      countFollowUps(db, asked),
      listFollowUps(db, { ...asked, group: query.group, actorId: actor.userId }),
    ]);
    const leads = await writeLeads({ lookUp, gate: context.gate }, rows, actor.userId);
    return { counts, leads: leads.map((lead): Lead => JSON.parse(lead)) };
  });
}
