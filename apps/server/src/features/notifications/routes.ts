import * as contract from "@portal/contract/routes/notifications";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../platform/db/client.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { listRecentNotifications } from "./repository.ts";

/** What the desktop is to tell. */
export function registerNotificationRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  bindRoute(app, contract.listNotifications, async ({ actor }) => {
    const { userId, role } = actor;
    const rows = await listRecentNotifications(database.db, { userId, isAdmin: role === "admin" });
    return rows.map(({ kind, id, from, leadId, text, at }) => ({
      kind,
      id,
      from,
      leadId,
      text,
      at: at.toISOString(),
    }));
  });
}
