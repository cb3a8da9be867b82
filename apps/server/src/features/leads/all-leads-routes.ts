import { pageHeaders } from "@portal/contract/entities/fields";
import type { RouteRequest } from "@portal/contract/route";
import * as contract from "@portal/contract/routes/all-leads";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../http/bind-route.ts";
import { chosen } from "../../http/chosen.ts";
import { csvOfLines } from "../../http/csv.ts";
import { answerLargeList, type PageSource } from "../../http/list.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { recordAudit } from "../audit/service.ts";
import { namedSources } from "../reports/rank-sources.ts";
import { assignLeads } from "./assign-leads.ts";
import { allLeadsStats, leadLines } from "./data-all-leads.ts";
import { countLeads, countLeadsUpTo } from "./data-find-leads.ts";
import type { LeadQuery } from "./data-lead-filter.ts";
import type { LeadSort } from "./data-lead-pages.ts";
import { leadColumns } from "./lead-columns.ts";
import { type LeadTextPage, type ListContext, listAllLeads } from "./list-leads.ts";
import type { LeadsContext } from "./service.ts";

type Filters = Omit<RouteRequest<typeof contract.exportLeads>["query"], "format">;

/** All Leads: everybody sees the leads of the whole system (design §6). */
export function registerAllLeadsRoutes(
  app: FastifyInstance,
  context: LeadsContext & ListContext & { jobs: Pick<Jobs, "enqueue"> },
): void {
  const { db } = context.database;

  const namedSourcesOf = ({ rep, created }: Filters) =>
    namedSources(context.database, {
      scope: rep === undefined ? "everyone" : { userId: rep },
      created: chosen(created),
      timeZone: context.orgTimeZone,
    });

  const queryOf = async (filters: Filters): Promise<LeadQuery> => ({
    scope: filters.rep === undefined ? "everyone" : { salesRepId: filters.rep },
    timeZone: context.orgTimeZone,
    filter: {
      search: filters.search,
      status: chosen(filters.status),
      priority: chosen(filters.priority),
      assignment: chosen(filters.assignment),
      source: filters.sources === "none" ? "" : filters.source || undefined,
      notSources: filters.sources === "others" ? await namedSourcesOf(filters) : undefined,
      created: chosen(filters.created),
      converted: chosen(filters.converted),
      convertedOn: filters.convertedOn
        ? { day: filters.convertedOn, until: filters.convertedUntil || undefined }
        : undefined,
      firstCall: filters.firstCall || undefined,
      called: chosen(filters.called),
      calledIn: chosen(filters.calledIn),
      ids: filters.ids,
    },
  });

  const source = (query: LeadQuery, sort: LeadSort): PageSource<LeadTextPage> => ({
    fetch: (after, limit) => listAllLeads(context, { ...query, sort, after, limit }),
    count: async (cap, { found }) => found ?? countLeadsUpTo(db, query, cap),
  });

  bindRoute(app, contract.listAllLeads, async ({ query, reply }) =>
    answerLargeList(reply, query, source(await queryOf(query), query.sort || "newest")),
  );

  bindRoute(app, contract.getAllLeadsStats, () => allLeadsStats(db));

  bindRoute(app, contract.assignLeads, async ({ body, actor }) => {
    const notes = body.notes?.trim() || null;
    const { assigned, refused } = await assignLeads(context, { ...body, notes, actor });
    const message = assigned === 1 ? "1 lead was assigned." : `${assigned} leads were assigned.`;
    return { message, assigned, refused };
  });

  bindRoute(app, contract.exportLeads, async ({ query, actor, reply }) => {
    const { format, ...filters } = query;
    const asked = await queryOf(filters);
    const sort = query.sort || "newest";
    const count = await countLeads(db, asked);
    await context.database.transaction((tx) =>
      recordAudit(tx, { userId: actor.userId, action: "leads-exported", data: { format, count, filters } }),
    );
    reply
      .header(pageHeaders.total, String(count))
      .header("content-disposition", `attachment; filename="leads.${format}"`);
    if (format === "json") return answerLargeList(reply, {}, source(asked, sort));
    return reply
      .type("text/csv; charset=utf-8")
      .send(csvOfLines(Object.keys(leadColumns), leadLines(context.database, { ...asked, sort })));
  });
}
