import * as contract from "@portal/contract/routes/today";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../platform/db/client.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { countToday, listToday, type TodayContext } from "./service.ts";

/** Routes of Today: what a consultant does next, in order. */
export function registerTodayRoutes(
  app: FastifyInstance,
  context: TodayContext & { database: Database },
): void {
  const { db } = context.database;
  bindRoute(app, contract.listToday, ({ actor }) => listToday(context, db, actor.userId));
  bindRoute(app, contract.countToday, ({ actor }) => countToday(context, db, actor.userId));
}
