import { getTimeline } from "@portal/contract/routes/timeline";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { answerList, filterValue } from "../../platform/http/list.ts";
import { presentEntry } from "./present.ts";
import { countTimeline, findOwner, listTimeline } from "./repository.ts";

/** One timeline per lead; the assignee and administrators may read it. */
export function registerTimelineRoutes(
  app: FastifyInstance,
  { database: { db } }: { database: Database },
): void {
  bindRoute(app, getTimeline, async ({ params, query, actor, reply }) => {
    const leadId = params.id;
    const lead = await findOwner(db, leadId);
    if (!lead) throw new AppError("not_found", "This lead does not exist.");
    if (actor.role !== "admin" && lead.assignedTo !== actor.userId) throw new AppError("not_your_lead");
    const filter = {
      leadId,
      kind: filterValue(query.kind) ?? null,
      withSystem: query.system !== "false",
      search: query.search ?? "",
    };
    return answerList(reply, query, {
      fetch: (after, limit) => listTimeline(db, { filter, after, limit }),
      keysetOf: (row) => ({ at: row.keysetAt, id: row.keysetId }),
      present: presentEntry,
      count: (cap) => countTimeline(db, { filter, cap }),
    });
  });
}
