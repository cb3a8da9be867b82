import type { RouteRequest } from "@portal/contract/route";
import * as contract from "@portal/contract/routes/calls";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../http/app-error.ts";
import { bindRoute } from "../../http/bind-route.ts";
import { chosen } from "../../http/chosen.ts";
import { csvOf } from "../../http/csv.ts";
import { answerList, itemsOf, type Keyset } from "../../http/list.ts";
import type { Session } from "../../http/session.ts";
import { getLiveInbound } from "../inbound-calls/live.ts";
import { settleMissedCall } from "../inbound-calls/settle-missed-call.ts";
import type { LogFilter } from "./data-log-filter.ts";
import { type CallLogViewRow, countLogs, findLogView, listLogs, sumLogs } from "./data-logs.ts";
import { endCall } from "./end-call.ts";
import { logColumns } from "./export-logs.ts";
import { makeCall } from "./make-call.ts";
import { logScope } from "./policy.ts";
import { presentLog } from "./present.ts";
import { recordOutcome } from "./record-outcome.ts";
import { type CallsContext, getCall, getLiveCall } from "./service.ts";

type HistoryQuery = RouteRequest<typeof contract.getCallLogSummary>["query"];

/** Calls and their logs (specification §7). */
export function registerCallRoutes(app: FastifyInstance, context: CallsContext): void {
  const { db } = context.database;

  const logNow = async (logId: number) => {
    const row = await findLogView(db, logId);
    if (!row) throw new AppError("not_found");
    return presentLog(row);
  };

  bindRoute(app, contract.makeCall, ({ body, actor }) =>
    makeCall(context, {
      actor,
      leadId: body.leadId,
      to: body.to ?? null,
      overrideReason: body.overrideReason,
    }),
  );

  bindRoute(app, contract.getLiveCall, async ({ actor }) => ({
    call: await getLiveCall(context, actor),
    inbound: await getLiveInbound(context, actor),
  }));

  bindRoute(app, contract.getCall, ({ params, actor }) => getCall(context, { actor, callId: params.id }));

  bindRoute(app, contract.endCall, async ({ params, actor }) => {
    await endCall(context, { actor, callId: params.id });
    return getCall(context, { actor, callId: params.id });
  });

  bindRoute(app, contract.createCallLog, async ({ body, actor }) => {
    const { logId, view } = await recordOutcome(context, {
      actor,
      leadId: body.leadId,
      durationSeconds: body.duration,
      outcome: body.outcome,
      notes: body.notes ?? null,
      callType: body.callType,
      callSid: body.twilioCallSid || null,
      clientRef: body.clientRef ?? null,
    });
    return view ? presentLog(view) : logNow(logId);
  });

  bindRoute(app, contract.settleMissedCall, async ({ params, body, actor }) => {
    await settleMissedCall(context, { actor, logId: params.id, done: body.done });
    return logNow(params.id);
  });

  const source = (filter: LogFilter) => ({
    fetch: (after: Keyset | null, limit: number) => listLogs(db, { filter, after, limit }),
    keysetOf: (row: CallLogViewRow) => ({ at: row.keysetAt, id: row.id }),
    present: presentLog,
    count: (cap: number) => countLogs(db, { filter, cap }),
  });
  const history = (actor: Session, query: HistoryQuery): LogFilter => ({
    scope: logScope(actor),
    timeZone: context.gate.orgTimeZone,
    search: query.search,
    outcome: chosen(query.outcome),
    range: chosen(query.range),
    day: query.day,
    until: query.until,
    weekday: query.weekday,
    hour: query.hour,
    rep: query.rep,
    direction: query.direction,
    owner: query.owner,
    leadStatus: chosen(query.leadStatus),
  });

  bindRoute(app, contract.listCallLogs, ({ query, actor, reply }) => {
    const filter: LogFilter = {
      ...history(actor, query),
      leadId: query.leadId,
      needsOutcome: query.needsOutcome && query.needsOutcome === "true",
      missed: query.missed === "true",
    };
    return answerList(reply, query, source(filter));
  });

  bindRoute(app, contract.getCallLogSummary, ({ query, actor }) => sumLogs(db, history(actor, query)));

  bindRoute(app, contract.exportCallLogs, async ({ query, actor, reply }) => {
    const logs = source(history(actor, query));
    reply.header("content-disposition", `attachment; filename="call-history.${query.format}"`);
    if (query.format === "json") return answerList(reply, {}, logs);
    return reply.type("text/csv; charset=utf-8").send(csvOf(logColumns, itemsOf(logs)));
  });

  bindRoute(app, contract.getPhoneNumbers, async () => ({
    systemNumber: context.telephony?.callerId ?? null,
    officeLine: context.officeLine,
  }));
}
