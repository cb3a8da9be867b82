import * as contract from "@portal/contract/routes/leads";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../http/app-error.ts";
import { bindRoute } from "../../http/bind-route.ts";
import { chosen } from "../../http/chosen.ts";
import { answerLargeList, sendJson } from "../../http/list.ts";
import { recordConsent, withdrawConsent } from "./consent.ts";
import { convertLead } from "./convert-lead.ts";
import { leadStats } from "./data.ts";
import { countLeadsUpTo } from "./data-find-leads.ts";
import type { LeadQuery } from "./data-lead-filter.ts";
import { type ListContext, listOwnLeads } from "./list-leads.ts";
import { scopeOf } from "./policy.ts";
import { type RenameContext, renameLead } from "./rename-lead.ts";
import { createSampleLeads } from "./sample-leads.ts";
import { getLead, readLead } from "./service.ts";
import { type UpdateContext, updateLead } from "./update-lead.ts";

/** The leads of the signed-in consultant (specification §7). */
export function registerLeadRoutes(
  app: FastifyInstance,
  context: RenameContext & UpdateContext & ListContext & { demo: boolean },
): void {
  const { db, lookUp } = context.database;

  bindRoute(app, contract.listLeads, ({ query, actor, reply }) => {
    const asked: LeadQuery = {
      scope: scopeOf(actor),
      timeZone: context.orgTimeZone,
      filter: {
        search: query.search,
        status: chosen(query.status),
        priority: chosen(query.priority),
      },
    };
    const page = { ...asked, sort: "newest" as const, actorId: actor.userId };
    return answerLargeList(reply, query, {
      fetch: (after, limit) => listOwnLeads(context, { ...page, after, limit }),
      count: async (cap, { found }) => found ?? countLeadsUpTo(db, asked, cap),
    });
  });

  bindRoute(app, contract.getLead, async ({ params, actor, reply }) =>
    sendJson(reply, await readLead({ lookUp, gate: context.gate }, { leadId: params.id, actor })),
  );

  bindRoute(app, contract.getDashboardStats, ({ actor }) =>
    leadStats(db, scopeOf(actor), context.orgTimeZone),
  );

  bindRoute(app, contract.updateLead, async ({ params, body, actor, reply }) =>
    sendJson(reply, await updateLead(context, { actor, leadId: params.id, changes: body })),
  );

  bindRoute(app, contract.renameLead, async ({ params, body, actor }) => {
    const ghlSynced = await renameLead(context, { actor, leadId: params.id, name: body.name });
    return { lead: await getLead(context, { leadId: params.id, actor }), ghlSynced };
  });

  bindRoute(app, contract.recordConsent, async ({ params, body, actor }) => {
    await recordConsent(context, { actor, leadId: params.id, source: body.source });
    return getLead(context, { leadId: params.id, actor });
  });

  bindRoute(app, contract.withdrawConsent, async ({ params, actor }) => {
    await withdrawConsent(context, { actor, leadId: params.id });
    return getLead(context, { leadId: params.id, actor });
  });

  bindRoute(app, contract.convertLead, async ({ params, body, actor }) => {
    const { conversionValue, notes = null } = body;
    const clientId = await convertLead(context, { actor, leadId: params.id, conversionValue, notes });
    return {
      message: "Lead converted to client.",
      clientId,
      lead: await getLead(context, { leadId: params.id, actor }),
    };
  });

  bindRoute(app, contract.createSampleData, async ({ actor }) => {
    if (!context.demo) throw new AppError("not_found");
    const created = await createSampleLeads(context, actor);
    return { message: `${created} test leads were added.`, created };
  });
}
