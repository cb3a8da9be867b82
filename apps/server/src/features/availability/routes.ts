import * as contract from "@portal/contract/routes/availability";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../platform/db/client.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { getAvailability, updateOwnAvailability } from "./service.ts";

/** The routes of the user's own availability. Administrators change it for others on the team's routes. */
export function registerAvailabilityRoutes(app: FastifyInstance, context: { database: Database }): void {
  bindRoute(app, contract.getAvailability, ({ actor }) => getAvailability(context.database.db, actor.userId));
  bindRoute(app, contract.updateAvailability, ({ body, actor }) =>
    updateOwnAvailability(context, { ...body, actor }),
  );
}
