import type { DialerEvent } from "@portal/contract/dialer-machine";
import { databaseNow } from "../../platform/db/clock.ts";
import { settleAdminAlert } from "../notifications/record-alert.ts";
import { hasCallAlarm, settleCallAlarms } from "../telephony/outbound/record-alarms.ts";
import { handleCallEvent, notifySession } from "./dial-lead.ts";
import { releaseStaleItems } from "./item-repository.ts";
import { moveLine } from "./line/move-line.ts";
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
