import type { DialerEvent } from "@portal/contract/dialer-machine";
import { databaseNow } from "../../platform/db/clock.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import type { Telephony } from "../../ports/telephony.ts";
import { areFactsOld } from "../contact-policy/repository.ts";
import { settleAdminAlert } from "../notifications/service.ts";
import type { LineRow } from "../telephony/outbound/line-repository.ts";
import { hasCallAlarm, settleCallAlarms } from "../telephony/outbound/record-alarms.ts";
import { matchLostLeg } from "../telephony/outbound/service.ts";
import { handleCallEvent, notifySession } from "./dial-lead.ts";
import { releaseStaleItems } from "./item-repository.ts";
import { moveLine, reportLeg } from "./line/move-line.ts";
import { claimSilentLines, findSessionsOnLine, listAhead } from "./line/repository.ts";
import { lineInbox } from "./line/webhook-routes.ts";
import {
  findAbandonedSessions,
  findActiveSessions,
  findDueSessions,
  findUnhandledCalls,
  findUnwatchedSessions,
  lockSession,
} from "./session-repository.ts";
import { applyStep } from "./step-session.ts";
import type { DialerContext } from "./types.ts";

/**
 * If calls from our number can no longer be connected, pauses the active sessions and alerts administrators once. Each consultant resumes
 * their own session. One transaction; of concurrent processes one acts.
 */
export async function watchConnections(context: DialerContext): Promise<void> {
  const { telephony } = context.calls;
  if (!telephony) return;
  await context.database.transaction(async (tx) => {
    const { raised, ended } = await settleCallAlarms(tx, telephony.callerId);
    if (!raised && !ended) return;
    for (const id of raised ? await findActiveSessions(tx) : []) {
      const row = await lockSession(tx, { id });
      // No further lead is called; a call in progress continues.
      if (row) await applyStep(tx, row, { type: "pause", reason: "not_connecting" });
    }
    await settleAdminAlert(tx, context.notifications, {
      kind: "calls_not_connected",
      isOpen: () => hasCallAlarm(tx),
    });
  });
}

const dueMs = 250;
const watchMs = 2_000;
const connectionsMs = 2_000;
const leaseMs = 60_000;
/** Time for browsers to reconnect after a start. */
const graceMs = 10_000;

/**
 * Keeps the sessions going: ended countdowns, changed calls (by events, and by query in case one was missed), sessions without a listening
 * browser, and work left by a process that died.
 */
export function startDialerJobs(context: DialerContext): void {
  const { scheduler, events } = context;
  const { db } = context.database;
  const startedAt = performance.now();

  const notifyAll = async (sessionIds: number[], event: () => DialerEvent) => {
    await Promise.all(sessionIds.map((id) => notifySession(context, id, event())));
  };
  const handleMissedEvents = async () => {
    for (const callId of await findUnhandledCalls(db)) await handleCallEvent(context, callId);
  };

  const onCall = async (callId: number) => {
    const joins = await handleCallEvent(context, callId);
    if (joins !== null) await moveLine(context, joins);
  };

  scheduler.every(dueMs, async () =>
    notifyAll(await findDueSessions(db), () => ({ type: "tick", now: databaseNow() })),
  );
  scheduler.every(watchMs, async () => {
    await handleMissedEvents();
    await notifyAll(await findAbandonedSessions(db), () => ({ type: "pause", reason: "interrupted" }));
    if (performance.now() - startedAt < graceMs) return;
    await notifyAll(await findUnwatchedSessions(db), () => ({ type: "pause", reason: "nobody_listening" }));
  });
  scheduler.every(connectionsMs, () => watchConnections(context));
  scheduler.every(leaseMs, () => releaseStaleItems(db));

  events.onEvent(({ topic, id }) => {
    if (topic === "call") scheduler.once(() => onCall(id));
  });
  events.onGap(() => scheduler.once(handleMissedEvents));
}

const intervalMs = 2_000;
const silentMs = 3_000;

const texts = { notPlaced: "The call was not placed. You can try again." };

/** Reads the state of a line without callbacks from the provider. */
async function askAbout(context: DialerContext, telephony: Telephony, line: LineRow): Promise<void> {
  const leg = line.callSid
    ? await telephony.findLeg(line.callSid)
    : await matchLostLeg(context.calls, telephony, { line });
  if (leg) return reportLeg(context, line.id, { status: leg.status, sid: leg.sid });
  const waited = databaseNow() - (line.askedAt ?? line.startedAt).getTime();
  if (line.callSid) await reportLeg(context, line.id, { status: "completed" });
  else if (waited > context.calls.timings.giveUpMs)
    await reportLeg(context, line.id, { status: "refused", failure: texts.notPlaced });
}

/** Asks the provider about lines without a request or callback for too long; one process asks about a line at a time. */
async function reconcileLines(context: DialerContext, silenceMs: number): Promise<void> {
  const { telephony, timings } = context.calls;
  if (!telephony) return;
  for (const line of await claimSilentLines(context.database.db, { ...timings, silenceMs })) {
    try {
      await askAbout(context, telephony, line);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      context.log.warn({ lineId: line.id, kind: error.kind }, "provider could not be asked about a line");
    }
  }
}

/** A line that waits for a key asks every minute; without a request for longer it is checked. */
const lineSilenceMs = 90_000;

const readAheadOf = 3;

/** Reads upcoming leads from the CRM in advance if their data is old, so that no call waits for it. */
function createReadAhead({ database: { db }, calls: { readLeadAgain } }: DialerContext) {
  const reading = new Set<number>();
  return async (sessionId: number) => {
    if (!readLeadAgain) return;
    for (const leadId of await listAhead(db, sessionId, readAheadOf)) {
      if (reading.has(leadId) || !(await areFactsOld(db, leadId))) continue;
      reading.add(leadId);
      await readLeadAgain(leadId).finally(() => reading.delete(leadId));
    }
  };
}

/**
 * Starts the scheduled tasks of lines: continues lines when their sessions change, does what a process that died left undone, and asks
 * about silent lines, at the start about all.
 */
export function startLineJobs(context: DialerContext): void {
  const { scheduler, events } = context;
  const { telephony } = context.calls;
  if (!telephony) return;
  const round = async () => {
    for (const id of await findSessionsOnLine(context.database.db)) await moveLine(context, id);
  };
  const readAhead = createReadAhead(context);
  let started = false;
  scheduler.every(intervalMs, round);
  scheduler.every(intervalMs, lineInbox(context, telephony).work);
  scheduler.every(silentMs, async () => {
    await reconcileLines(context, started ? lineSilenceMs : 0);
    started = true;
  });
  events.onEvent(({ topic, id }) => {
    if (topic !== "dialer") return;
    scheduler.once(() => moveLine(context, id));
    scheduler.once(() => readAhead(id));
  });
}
