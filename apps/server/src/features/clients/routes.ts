import { pageHeaders } from "@portal/contract/entities/fields";
import type { RouteRequest } from "@portal/contract/route";
import type { ConvertedClient } from "@portal/contract/routes/clients";
import * as contract from "@portal/contract/routes/clients";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../platform/db/client.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import {
  answerList,
  type CsvColumn,
  csvOf,
  filterValue,
  itemsOf,
  type Keyset,
} from "../../platform/http/list.ts";
import { type NotificationsContext, recordLargeExport } from "../notifications/service.ts";

import { type ClientFilter, type ClientRow, countClients, listClients, sumClients } from "./repository.ts";

/** A client for the API. */
function presentClient(row: ClientRow): ConvertedClient {
  return {
    id: row.id,
    leadId: row.leadId,
    name: row.name,
    email: row.email,
    phone: row.phone,
    priority: row.priority,
    convertedDate: row.convertedAt.toISOString(),
    originalSource: row.leadSource,
    conversionValue: row.conversionValue,
    salesRepName: row.salesRepName,
    totalCalls: row.totalCalls,
    lastContactDate: row.lastContactedAt?.toISOString() ?? null,
    attempts: row.attempts,
    lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
    lastAttemptOutcome: row.lastAttemptOutcome,
  };
}

/** A client as a row of the export. */
export type ClientLine = ConvertedClient & { extraLines: string | null };

/** The columns of exported clients. */
const clientColumns: CsvColumn<ClientLine>[] = [
  { header: "Name", of: (client) => client.name },
  { header: "Email", of: (client) => client.email },
  { header: "Phone", of: (client) => client.phone },
  { header: "Priority", of: (client) => client.priority },
  { header: "Converted", of: (client) => client.convertedDate },
  { header: "Original source", of: (client) => client.originalSource },
  { header: "Value", of: (client) => client.conversionValue },
  { header: "Sales rep", of: (client) => client.salesRepName },
  { header: "Total calls", of: (client) => client.totalCalls },
  { header: "Last contact", of: (client) => client.lastContactDate },
  { header: "Client ID", of: (client) => client.id },
  { header: "Lead ID", of: (client) => client.leadId },
  { header: "Extra fields", of: (client) => client.extraLines },
];

type ClientQuery = Pick<
  RouteRequest<typeof contract.listClients>["query"],
  "search" | "sort" | "filter" | "range" | "day" | "until" | "rep"
>;

/** The routes of clients; every consultant may see all clients. */
export function registerClientRoutes(
  app: FastifyInstance,
  context: { database: Database; orgTimeZone: string; notifications: NotificationsContext },
): void {
  const { orgTimeZone } = context;
  const { db } = context.database;
  const filterOf = (query: ClientQuery): ClientFilter => ({
    search: query.search,
    filter: filterValue(query.filter),
    range: filterValue(query.range),
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

  bindRoute(app, contract.exportClients, async ({ query, actor, reply }) => {
    const filter = filterOf(query);
    const clients = {
      ...source(filter),
      fetch: (after: Keyset | null, limit: number) =>
        listClients(db, { filter, after, limit, withExtra: true }),
    };
    reply.header("content-disposition", `attachment; filename="converted-clients.${query.format}"`);
    const count = await countClients(db, { filter });
    const exported = { userId: actor.userId, what: "clients", format: query.format, count } as const;
    await context.database.transaction((tx) => recordLargeExport(tx, context.notifications, exported));
    reply.header(pageHeaders.total, String(count));
    if (query.format === "json")
      return answerList(
        reply,
        {},
        {
          ...clients,
          present: (row: ClientRow) => ({ ...presentClient(row), extraFields: row.extraFields ?? {} }),
        },
      );
    const present = (row: ClientRow): ClientLine => ({
      ...presentClient(row),
      extraLines: row.extraLines ?? null,
    });
    return reply.type("text/csv; charset=utf-8").send(csvOf(clientColumns, itemsOf({ ...clients, present })));
  });
}
