import type { RouteResponse } from "@portal/contract/route";
import * as contract from "@portal/contract/routes/admin";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { answerList, filterValue, type Keyset, lineStream } from "../../platform/http/list.ts";
import { recordAudit } from "../activity/service.ts";
import { type NotificationsContext, recordLargeExport } from "../notifications/service.ts";

import {
  type AuditFilter,
  type AuditRow,
  countAudit,
  countRefusals,
  listAudit,
  listRefusals,
  type RefusalRow,
} from "./audit-repository.ts";
import { createAdminStats } from "./read-stats.ts";
import {
  changeOrganisationSettings,
  type HealthContext,
  readHealth,
  readLiveStates,
  readOrganisationSettings,
} from "./service.ts";

function presentAudit(row: AuditRow): RouteResponse<typeof contract.listAudit>[number] {
  return {
    id: row.id,
    at: row.at.toISOString(),
    userId: row.userId,
    userName: row.userName,
    action: row.action,
    subject: row.subject,
    data: row.data,
  };
}

function presentRefusal(row: RefusalRow): RouteResponse<typeof contract.listRefusals>[number] {
  return {
    id: row.id,
    at: row.at.toISOString(),
    userId: row.userId,
    userName: row.userName,
    leadId: row.leadId,
    leadName: row.leadName,
    channel: row.channel,
    by: row.by,
    reason: row.reason,
  };
}

/** More rows than a table can number. */
const noCap = 2 ** 31;

/** The routes of the administrators' panel; for administrators only. */
export function registerAdminRoutes(
  app: FastifyInstance,
  context: HealthContext & { orgTimeZone: string; notifications: NotificationsContext },
): void {
  const { orgTimeZone: timeZone } = context;
  const { db } = context.database;
  const stats = createAdminStats(context.database, timeZone);

  bindRoute(app, contract.getSystemStats, () => stats.system());
  bindRoute(app, contract.getUserStats, () => stats.users());
  bindRoute(app, contract.getLiveStates, () => readLiveStates(db));
  bindRoute(app, contract.getOrganisationSettings, () => readOrganisationSettings(db));
  bindRoute(app, contract.updateOrganisationSettings, ({ body, actor }) =>
    changeOrganisationSettings(context.database, { userId: actor.userId, sent: body }),
  );
  bindRoute(app, contract.getIntegrationHealth, () => readHealth(context));

  const keysetOf = ({ keysetAt, id }: { keysetAt: string; id: number }) => ({ at: keysetAt, id });

  const auditSource = (filter: AuditFilter) => ({
    fetch: (after: Keyset | null, limit: number) => listAudit(db, { filter, after, limit }),
    keysetOf,
    count: (cap: number) => countAudit(db, { filter, cap }),
    present: presentAudit,
  });
  bindRoute(app, contract.listAudit, ({ query, reply }) => {
    const { user, action, subject, from, to } = query;
    return answerList(reply, query, auditSource({ user, action, subject, from, to, timeZone }));
  });
  bindRoute(app, contract.exportAudit, async ({ query, reply, actor }) => {
    const { userId } = actor;
    const source = auditSource({ ...query, timeZone });
    const count = await source.count(noCap);
    await context.database.transaction(async (tx) => {
      await recordAudit(tx, { userId, action: "audit-export", data: {} });
      await recordLargeExport(tx, context.notifications, { userId, what: "audit", format: "jsonl", count });
    });
    reply.header("content-disposition", 'attachment; filename="audit.jsonl"');
    return reply.type("application/jsonl; charset=utf-8").send(lineStream(source));
  });

  bindRoute(app, contract.listRefusals, ({ query, reply }) => {
    const filter = { user: query.user, reason: filterValue(query.reason) };
    return answerList(reply, query, {
      fetch: (after, limit) => listRefusals(db, { filter, after, limit }),
      keysetOf: keysetOf,
      count: (cap) => countRefusals(db, { filter, cap }),
      present: presentRefusal,
    });
  });
}
