import { pageHeaders } from "@portal/contract/entities/fields";
import type { RouteRequest } from "@portal/contract/route";
import * as contract from "@portal/contract/routes/clients";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../db/client.ts";
import { bindRoute } from "../../http/bind-route.ts";
import { chosen } from "../../http/chosen.ts";
import { csvOf } from "../../http/csv.ts";
import { answerList, itemsOf, type Keyset } from "../../http/list.ts";
import { type ClientFilter, type ClientRow, countClients, listClients, sumClients } from "./data.ts";
import { clientColumns } from "./export-clients.ts";
import { presentClient } from "./present.ts";

type ClientQuery = Pick<
  RouteRequest<typeof contract.listClients>["query"],
  "search" | "sort" | "filter" | "range" | "day" | "until" | "rep"
>;

/** Leads that became clients (specification §2, Contact Lists): everyone's, for every consultant (design §6). */
export function registerClientRoutes(
  app: FastifyInstance,
  { database: { db }, orgTimeZone }: { database: Database; orgTimeZone: string },
): void {
  const filterOf = (query: ClientQuery): ClientFilter => ({
    search: query.search,
    filter: chosen(query.filter),
    range: chosen(query.range),
    day: query.day,
    until: query.until,
    rep: query.rep,
    sort: query.sort || "recent",
    timeZone: orgTimeZone,
  });
  const source = (filter: ClientFilter) => ({
    fetch: (after: Keyset | null, limit: number) => listClients(db, { filter, after, limit }),
    keysetOf: (row: ClientRow) => ({ at: row.keysetAt, id: row.keysetId }),
    present: presentClient,
    count: (cap: number) => countClients(db, { filter, cap }),
  });

  bindRoute(app, contract.listClients, ({ query, reply }) =>
    answerList(reply, query, source(filterOf(query))),
  );

  bindRoute(app, contract.getClientStats, async () => {
    const { totalClients, thisMonth, monthStart, totalValue, totalLeads } = await sumClients(db, orgTimeZone);
    return {
      totalClients,
      thisMonth,
      monthStart,
      totalValue,
      averageValue: totalClients === 0 ? 0 : totalValue / totalClients,
      conversionRate: totalLeads === 0 ? null : (100 * totalClients) / totalLeads,
    };
  });

  bindRoute(app, contract.exportClients, async ({ query, reply }) => {
    const filter = filterOf(query);
    const clients = source(filter);
    reply.header("content-disposition", `attachment; filename="converted-clients.${query.format}"`);
    reply.header(pageHeaders.total, String(await countClients(db, { filter })));
    if (query.format === "json") return answerList(reply, {}, clients);
    return reply.type("text/csv; charset=utf-8").send(csvOf(clientColumns, itemsOf(clients)));
  });
}
