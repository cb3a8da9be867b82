import * as contract from "@portal/contract/routes/notices";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../db/client.ts";
import { bindRoute } from "../../http/bind-route.ts";
import { listRecentNotices } from "./data.ts";

/** What the desktop is to tell. */
export function registerNoticeRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  bindRoute(app, contract.listNotices, async ({ actor }) => {
    const { userId, role } = actor;
    const rows = await listRecentNotices(database.db, { userId, isAdmin: role === "admin" });
    return rows.map(({ kind, id, from, text, at }) => ({ kind, id, from, text, at: at.toISOString() }));
  });
}
