import { pageHeaders } from "@portal/contract/entities/fields";
import * as allLeadsContract from "@portal/contract/routes/all-leads";
import {
  listFollowUps as listFollowUpsRoute,
  listTimedFollowUps as listTimedFollowUpsRoute,
} from "@portal/contract/routes/assignment";
import * as contract from "@portal/contract/routes/leads";
import type { FastifyInstance } from "fastify";
import type { ListRange } from "../../platform/db/sql/filters.ts";
import { AppError } from "../../platform/http/app-error.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { answerList, csvOfLines, filterValue } from "../../platform/http/list.ts";
import { recordAudit } from "../activity/service.ts";
import { listFurtherNumbers } from "../contact-policy/service.ts";
import type { CrmSyncContext } from "../crm-outbox/service.ts";
import { type NotificationsContext, recordLargeExport } from "../notifications/service.ts";

import { createSampleLeads } from "./create-sample-leads.ts";
import { countDuplicates, findDuplicates } from "./duplicate-repository.ts";
import { countFollowUps, listFollowUps, listTimedFollowUps } from "./follow-up-repository.ts";
import { countLeads, type LeadQuery } from "./lead-list-repository.ts";
import { allLeadsStats, findLeadRegion, leadStats, listExtraFields } from "./lead-repository.ts";
import {
  allLeads,
  allLeadsFilterOf,
  csvColumns,
  exportedLeads,
  type AllFilters as Filters,
  leadFilterOf,
  leadLines,
  leadSortOf,
  ownLeads,
} from "./list-leads.ts";
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

type AllLeadsContext = LeadsContext & {
  notifications: NotificationsContext;
  /** Sources that the report names, for the filter "all others". Passed in, because metrics depends on leads. */
  namedSources: (asked: {
    scope: "everyone" | { userId: number };
    created: Exclude<ListRange, "today"> | undefined;
    timeZone: string;
  }) => Promise<string[]>;
};

/** Routes of All Leads, where everybody sees every lead. */
export function registerAllLeadsRoutes(app: FastifyInstance, context: AllLeadsContext): void {
  const { db } = context.database;

  const namedSourcesOf = ({ rep, created }: Filters) =>
    context.namedSources({
      scope: rep === undefined ? "everyone" : { userId: rep },
      created: filterValue(created),
      timeZone: context.orgTimeZone,
    });

  const queryOf = async (filters: Filters): Promise<LeadQuery> => ({
    scope: filters.rep === undefined ? "everyone" : { salesRepId: filters.rep },
    timeZone: context.orgTimeZone,
    filter: allLeadsFilterOf(
      filters,
      filters.sources === "others" ? await namedSourcesOf(filters) : undefined,
    ),
  });

  bindRoute(app, allLeadsContract.listAllLeads, async ({ query, actor, reply }) => {
    const asked = { ...(await queryOf(query)), sort: query.sort || ("newest" as const) };
    if (query.detail !== "work" || actor.role !== "admin")
      return answerList(reply, query, allLeads(db, asked));
    return answerList(reply, query, ownLeads(db, { ...asked, actorId: actor.userId }, context.contactPolicy));
  });

  bindRoute(app, contract.listDuplicates, ({ query, actor, reply }) => {
    const asked = { by: query.by, ownerId: query.mine === "yes" ? actor.userId : null };
    return answerList(reply, query, {
      fetch: (after, limit) => findDuplicates(db, { ...asked, after: after?.at ?? null, limit }),
      keysetOf: ({ key }) => ({ at: key, id: 0 }),
      count: (cap) => countDuplicates(db, asked, cap),
      present: ({ count, leads }) => ({ count, leads }),
    });
  });

  bindRoute(app, allLeadsContract.getAllLeadsStats, () => allLeadsStats(db));

  bindRoute(app, allLeadsContract.exportLeads, async ({ query, actor, reply }) => {
    const { format, ...filters } = query;
    const asked = await queryOf(filters);
    const sort = query.sort || "newest";
    const count = await countLeads(db, asked);
    const { userId } = actor;
    await context.database.transaction(async (tx) => {
      await recordAudit(tx, { userId, action: "leads-exported", data: { format, count, filters } });
      await recordLargeExport(tx, context.notifications, { userId, what: "leads", format, count });
    });
    reply
      .header(pageHeaders.total, String(count))
      .header("content-disposition", `attachment; filename="leads.${format}"`);
    if (format === "json") return answerList(reply, {}, exportedLeads(db, { ...asked, sort }));
    return reply
      .type("text/csv; charset=utf-8")
      .send(csvOfLines(Object.keys(csvColumns), leadLines(context.database, { ...asked, sort })));
  });
}
