import * as contract from "@portal/contract/routes/calls";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../http/app-error.ts";
import { bindRoute } from "../../http/bind-route.ts";
import { answerList } from "../../http/list.ts";
import { countLogs, findLogView, type LogFilter, listLogs } from "./data-logs.ts";
import { endCall } from "./end-call.ts";
import { makeCall } from "./make-call.ts";
import { logScope } from "./policy.ts";
import { presentLog } from "./present.ts";
import { recordOutcome } from "./record-outcome.ts";
import { type CallsContext, getCall, getLiveCall } from "./service.ts";

/** Calls and their logs (specification §7). */
export function registerCallRoutes(app: FastifyInstance, context: CallsContext): void {
  const { db } = context.database;

  bindRoute(app, contract.makeCall, ({ body, actor }) =>
    makeCall(context, { actor, leadId: body.leadId, to: body.to ?? null }),
  );

  bindRoute(app, contract.getLiveCall, async ({ actor }) => ({ call: await getLiveCall(context, actor) }));

  bindRoute(app, contract.getCall, ({ params, actor }) => getCall(context, { actor, callId: params.id }));

  bindRoute(app, contract.endCall, async ({ params, actor }) => {
    await endCall(context, { actor, callId: params.id });
    return getCall(context, { actor, callId: params.id });
  });

  bindRoute(app, contract.createCallLog, async ({ body, actor }) => {
    const logId = await recordOutcome(context, {
      actor,
      leadId: body.leadId,
      durationSeconds: body.duration,
      outcome: body.outcome,
      notes: body.notes ?? null,
      callType: body.callType,
      callSid: body.twilioCallSid || null,
      clientRef: body.clientRef ?? null,
    });
    const row = await findLogView(db, logId);
    if (!row) throw new AppError("not_found");
    return presentLog(row);
  });

  bindRoute(app, contract.listCallLogs, ({ query, actor, reply }) => {
    const filter: LogFilter = {
      scope: logScope(actor),
      leadId: query.leadId,
      needsOutcome: query.needsOutcome && query.needsOutcome === "true",
    };
    return answerList(reply, query, {
      fetch: (after, limit) => listLogs(db, { filter, after, limit }),
      keysetOf: (row) => ({ at: row.keysetAt, id: row.id }),
      present: presentLog,
      count: (cap) => countLogs(db, { filter, cap }),
    });
  });
}
