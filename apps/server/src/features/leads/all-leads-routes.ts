import { pageHeaders } from "@portal/contract/entities/fields";
import * as contract from "@portal/contract/routes/all-leads";
import { listDuplicates } from "@portal/contract/routes/leads";
import type { FastifyInstance } from "fastify";
import type { ListRange } from "../../platform/db/sql/filters.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { answerList, csvOfLines, filterValue } from "../../platform/http/list.ts";

import { recordAudit } from "../activity/record-audit.ts";
import { recordLargeExport } from "../notifications/record-export.ts";
import type { NotificationsContext } from "../notifications/service.ts";
import { countDuplicates, findDuplicates } from "./duplicate-repository.ts";
import { csvColumns, leadLines } from "./export-leads.ts";
import type { LeadQuery } from "./lead-list-repository.ts";
import { countLeads } from "./lead-list-repository.ts";
import { allLeadsStats } from "./lead-repository.ts";
import { allLeadsFilterOf, type AllFilters as Filters } from "./list-filters.ts";
import { allLeads, exportedLeads, ownLeads } from "./list-leads.ts";
import type { LeadsContext } from "./service.ts";

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

  bindRoute(app, contract.listAllLeads, async ({ query, actor, reply }) => {
    const asked = { ...(await queryOf(query)), sort: query.sort || ("newest" as const) };
    if (query.detail !== "work" || actor.role !== "admin")
      return answerList(reply, query, allLeads(db, asked));
    return answerList(reply, query, ownLeads(db, { ...asked, actorId: actor.userId }, context.contactPolicy));
  });

  bindRoute(app, listDuplicates, ({ query, actor, reply }) => {
    const asked = { by: query.by, ownerId: query.mine === "yes" ? actor.userId : null };
    return answerList(reply, query, {
      fetch: (after, limit) => findDuplicates(db, { ...asked, after: after?.at ?? null, limit }),
      keysetOf: ({ key }) => ({ at: key, id: 0 }),
      count: (cap) => countDuplicates(db, asked, cap),
      present: ({ count, leads }) => ({ count, leads }),
    });
  });

  bindRoute(app, contract.getAllLeadsStats, () => allLeadsStats(db));

  bindRoute(app, contract.exportLeads, async ({ query, actor, reply }) => {
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
