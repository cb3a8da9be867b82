import * as contract from "@portal/contract/routes/notifications";
import type { FastifyInstance } from "fastify";
import type { Database, Db } from "../../platform/db/client.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { listOwedReaders } from "./list-owed.ts";
import { listRecentNotifications } from "./repository.ts";

const windowMs = 2 * 60_000;
const longestMs = 3 * 86_400_000;

/** Since when a page that is open tells: two minutes ago; of who has just come back since they left, at most three days ago. */
async function noticesSince(db: Db, userId: number): Promise<Date> {
  const [owed] = await listOwedReaders(db, { userIds: [userId], windowMs });
  const now = Date.now();
  return new Date(Math.max(now - longestMs, owed?.since.getTime() ?? now - windowMs));
}

/** What the desktop is to tell. */
export function registerNotificationRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  bindRoute(app, contract.listNotifications, async ({ actor }) => {
    const { userId, role } = actor;
    const { db } = database;
    const since = await noticesSince(db, userId);
    const rows = await listRecentNotifications(db, { userId, isAdmin: role === "admin", since });
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
