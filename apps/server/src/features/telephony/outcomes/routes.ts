import type { CallLog } from "@portal/contract/entities/call";
import type { RouteRequest } from "@portal/contract/route";
import * as contract from "@portal/contract/routes/calls";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../../platform/http/app-error.ts";
import { bindRoute } from "../../../platform/http/bind-route.ts";
import {
  answerList,
  type CsvColumn,
  csvOf,
  filterValue,
  itemsOf,
  type Keyset,
} from "../../../platform/http/list.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import { type NotificationsContext, recordLargeExport } from "../../notifications/service.ts";

import { settleMissedCall } from "../inbound/service.ts";
import { logScope } from "../policy.ts";
import type { CallsContext } from "../types.ts";
import {
  type CallLogViewRow,
  countLogs,
  findLogView,
  type LogFilter,
  listLogs,
  sumLogs,
} from "./log-repository.ts";
import { recordOutcome } from "./record-outcome.ts";

/** Columns of exported call logs. */
const logColumns: CsvColumn<CallLog>[] = [
  { header: "Date", of: (log) => log.callDate },
  { header: "Lead", of: (log) => log.leadName },
  { header: "Lead ID", of: (log) => log.leadId },
  { header: "Company", of: (log) => log.leadCompany },
  { header: "Outcome", of: (log) => log.outcome },
  { header: "Confirmed", of: (log) => (log.confirmed ? "yes" : "no") },
  { header: "Direction", of: (log) => log.direction },
  { header: "Call type", of: (log) => log.callType },
  { header: "Duration (seconds)", of: (log) => log.duration },
  { header: "Notes", of: (log) => log.notes },
  { header: "Sales rep", of: (log) => log.salesRepName },
  { header: "Call SID", of: (log) => log.twilioCallSid },
  { header: "Recording SID", of: (log) => log.recordingSid },
  { header: "Caller number", of: (log) => log.callerNumber },
  { header: "Duration from", of: (log) => (log.durationReported ? "reported" : "provider") },
  { header: "Call SID matched", of: (log) => log.twilioCallSid && (log.unmatched ? "no" : "yes") },
];

type HistoryQuery = RouteRequest<typeof contract.getCallLogSummary>["query"];

/** Presents a log. */
function presentLog(row: CallLogViewRow): CallLog {
  return {
    id: row.id,
    leadId: row.leadId,
    leadName: row.leadName ?? "",
    leadCompany: row.leadCompany,
    outcome: row.outcome,
    callType: row.callType,
    callDate: row.callDate.toISOString(),
    duration: row.reportedSeconds ?? row.durationSeconds,
    durationReported: row.reportedSeconds !== null,
    notes: row.notes,
    twilioCallSid: row.callSid,
    unmatched: row.unmatched,
    checking: row.checking,
    confirmed: row.confirmed,
    salesRepName: row.salesRepName,
    direction: row.direction,
    recordingSid: row.recording?.sid ?? null,
    recordingSeconds: row.recording?.durationSeconds ?? null,
    transcription: row.transcription,
    noTranscription: row.noTranscription,
    callerNumber: row.callerNumber,
    missed: row.missed,
    missedDoneBy: row.missedDoneBy,
  };
}

/** Routes for call logs: the history, its sums and exports, and saving outcomes. */
export function registerCallLogRoutes(
  app: FastifyInstance,
  context: CallsContext & { notifications: NotificationsContext },
): void {
  const { db } = context.database;

  const logNow = async (logId: number) => {
    const row = await findLogView(db, logId);
    if (!row) throw new AppError("not_found");
    return presentLog(row);
  };

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
      seen: body.seen,
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
  const history = (actor: AuthSession, query: HistoryQuery): LogFilter => ({
    scope: logScope(actor),
    timeZone: context.contactPolicy.orgTimeZone,
    search: query.search,
    outcome: filterValue(query.outcome),
    range: filterValue(query.range),
    day: query.day,
    until: query.until,
    weekday: query.weekday,
    hour: query.hour,
    rep: query.rep,
    direction: query.direction,
    owner: query.owner,
    leadStatus: filterValue(query.leadStatus),
    time: filterValue(query.time),
    unknown: query.unknown === "true",
  });

  bindRoute(app, contract.listCallLogs, ({ query, actor, reply }) => {
    const filter: LogFilter = {
      ...history(actor, query),
      leadId: query.leadId,
      needsOutcome: query.needsOutcome && query.needsOutcome === "true",
      missed: query.missed === "true",
      isOldestFirst: query.sort === "oldest",
    };
    return answerList(reply, query, source(filter));
  });

  bindRoute(app, contract.getCallLogSummary, ({ query, actor }) => sumLogs(db, history(actor, query)));

  bindRoute(app, contract.exportCallLogs, async ({ query, actor, reply }) => {
    const filter = history(actor, query);
    const logs = source(filter);
    const { totalCalls: count } = await sumLogs(db, filter);
    const exported = { userId: actor.userId, what: "calls", format: query.format, count } as const;
    await context.database.transaction((tx) => recordLargeExport(tx, context.notifications, exported));
    reply.header("content-disposition", `attachment; filename="call-history.${query.format}"`);
    if (query.format === "json") return answerList(reply, {}, logs);
    return reply.type("text/csv; charset=utf-8").send(csvOf(logColumns, itemsOf(logs)));
  });
}
