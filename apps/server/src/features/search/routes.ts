import * as contract from "@portal/contract/routes/search";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../platform/db/client.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { search } from "./service.ts";

/** The route of the search over everything that a user may see. */
export function registerSearchRoutes(app: FastifyInstance, context: { database: Database }): void {
  bindRoute(app, contract.searchEverything, ({ query, actor }) =>
    search(context, { typed: query.q, isSimilar: query.similar === "true", limit: query.limit, actor }),
  );
}
