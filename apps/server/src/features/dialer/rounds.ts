import type { DialerEvent } from "@portal/contract/dialer-machine";
import { releaseStaleItems } from "./data-items.ts";
import {
  findAbandonedSessions,
  findDueSessions,
  findUnheardCalls,
  findUnwatchedSessions,
} from "./data-sessions.ts";
import { hearCall, tellSession } from "./run-steps.ts";
import type { DialerContext } from "./service.ts";

const dueMs = 250;
const watchMs = 2_000;
const leaseMs = 60_000;
/** After a start the browsers need a moment to come back. */
const graceMs = 10_000;

/**
 * Keeps the sessions going: countdowns that are over, news of calls (told by events, and looked for in case one was missed), sessions
 * that nobody listens to any more, and what a process that died has left.
 */
export function startDialerRounds(context: DialerContext): void {
  const { ticker, events } = context;
  const { db } = context.database;
  const startedAt = Date.now();

  const tellAll = async (sessionIds: number[], event: () => DialerEvent) => {
    await Promise.all(sessionIds.map((id) => tellSession(context, id, event())));
  };
  const hearAll = async () => {
    for (const callId of await findUnheardCalls(db)) await hearCall(context, callId);
  };

  ticker.every(dueMs, async () =>
    tellAll(await findDueSessions(db), () => ({ type: "tick", now: Date.now() })),
  );
  ticker.every(watchMs, async () => {
    await hearAll();
    await tellAll(await findAbandonedSessions(db), () => ({ type: "pause", reason: "interrupted" }));
    if (Date.now() - startedAt < graceMs) return;
    await tellAll(await findUnwatchedSessions(db), () => ({ type: "pause", reason: "nobody_listening" }));
  });
  ticker.every(leaseMs, () => releaseStaleItems(db));

  events.onEvent(({ topic, id }) => {
    if (topic === "call") ticker.once(() => hearCall(context, id));
  });
  events.onGap(() => ticker.once(hearAll));
}
