import {
  listFollowUps as listFollowUpsRoute,
  listTimedFollowUps as listTimedFollowUpsRoute,
} from "@portal/contract/routes/assignment";
import * as contract from "@portal/contract/routes/leads";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../platform/http/app-error.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { answerList } from "../../platform/http/list.ts";
import { listFurtherNumbers } from "../contact-policy/service.ts";
import type { CrmSyncContext } from "../crm-outbox/service.ts";
import { createSampleLeads } from "./create-sample-leads.ts";
import { countFollowUps, listFollowUps, listTimedFollowUps } from "./follow-up-repository.ts";
import { findLeadRegion, leadStats, listExtraFields } from "./lead-repository.ts";
import { leadFilterOf, leadSortOf } from "./list-filters.ts";
import { ownLeads } from "./list-leads.ts";
import { scopeOf } from "./policy.ts";
import { presentLead } from "./present.ts";
import {
  addNote,
  convertLead,
  getLead,
  type LeadsContext,
  recordConsent,
  renameLead,
  updateLead,
  withdrawConsent,
} from "./service.ts";

/** Routes of the signed-in consultant's leads. */
export function registerLeadRoutes(
  app: FastifyInstance,
  context: LeadsContext & CrmSyncContext & { demo: boolean },
): void {
  const { db } = context.database;

  bindRoute(app, contract.listLeads, ({ query, actor, reply }) => {
    const asked = {
      scope: scopeOf(actor),
      timeZone: context.orgTimeZone,
      filter: leadFilterOf(query),
      sort: leadSortOf(query.sort),
    };
    const source = ownLeads(db, { ...asked, actorId: actor.userId }, context.contactPolicy);
    return answerList(reply, query, source);
  });

  bindRoute(app, contract.getLead, ({ params, actor }) => getLead(context, db, { leadId: params.id, actor }));

  bindRoute(app, contract.listExtraFields, async ({ params }) => {
    const fields = await listExtraFields(db, params.id);
    if (!fields) throw new AppError("not_found", "This lead does not exist.");
    return fields;
  });

  bindRoute(app, contract.getLeadRegion, async ({ params }) => {
    const place = await findLeadRegion(db, params.id);
    if (!place) throw new AppError("not_found", "This lead does not exist.");
    const { timeZone, ...inCrm } = place;
    return { ...inCrm, numberTimeZones: timeZone?.split("&") ?? [] };
  });

  bindRoute(app, contract.listFurtherNumbers, async ({ params, actor }) => {
    if (!(await findLeadRegion(db, params.id))) throw new AppError("not_found", "This lead does not exist.");
    const asked = { leadId: params.id, userId: actor.userId, rules: context.contactPolicy };
    return listFurtherNumbers(db, asked);
  });

  bindRoute(app, contract.getDashboardStats, ({ actor }) =>
    leadStats(db, scopeOf(actor), context.orgTimeZone),
  );

  bindRoute(app, listFollowUpsRoute, async ({ query, actor }) => {
    const asked = { scope: scopeOf(actor), timeZone: context.orgTimeZone };
    const [counts, rows, due] = await Promise.all([
      countFollowUps(db, asked),
      listFollowUps(db, { ...asked, group: query.group, actorId: actor.userId }),
      listFollowUps(db, { ...asked, group: "due", actorId: actor.userId }),
    ]);
    const [leads = [], dueLeads = []] = [rows, due].map((each) =>
      each.map((row) => presentLead(row, context.contactPolicy)),
    );
    return { counts, leads, due: dueLeads };
  });

  bindRoute(app, listTimedFollowUpsRoute, async ({ actor }) => {
    const timed = await listTimedFollowUps(db, actor.userId);
    return timed.flatMap(({ leadId, name, at }) => (at ? { leadId, name, at: at.toISOString() } : []));
  });

  bindRoute(app, contract.updateLead, ({ params, body, actor }) => {
    const { clientRef, seen, ...changes } = body;
    return updateLead(context, { actor, leadId: params.id, changes, clientRef, seen });
  });

  bindRoute(app, contract.addNote, ({ params, body, actor }) =>
    addNote(context, { actor, leadId: params.id, ...body }),
  );

  bindRoute(app, contract.renameLead, async ({ params, body, actor }) => {
    const ghlSynced = await renameLead(context, { actor, leadId: params.id, name: body.name });
    return { lead: await getLead(context, db, { leadId: params.id, actor }), ghlSynced };
  });

  bindRoute(app, contract.recordConsent, async ({ params, body, actor }) => {
    await recordConsent(context, { actor, leadId: params.id, source: body.source });
    return getLead(context, db, { leadId: params.id, actor });
  });

  bindRoute(app, contract.withdrawConsent, async ({ params, actor }) => {
    await withdrawConsent(context, { actor, leadId: params.id });
    return getLead(context, db, { leadId: params.id, actor });
  });

  bindRoute(app, contract.convertLead, async ({ params, body, actor }) => {
    const { conversionValue, notes = null } = body;
    const clientId = await convertLead(context, { actor, leadId: params.id, conversionValue, notes });
    return {
      message: "Lead converted to client.",
      clientId,
      lead: await getLead(context, db, { leadId: params.id, actor }),
    };
  });

  bindRoute(app, contract.createSampleData, async ({ actor }) => {
    if (!context.demo) throw new AppError("not_found");
    const created = await createSampleLeads(context, actor);
    return { message: `${created} test leads were added.`, created };
  });
}
