import {
  type DialerCommand,
  type DialerEvent,
  type DialerState,
  isLiveDialer,
  stepDialer,
} from "@portal/contract/dialer-machine";
import type { Tx } from "../../db/client.ts";
import { publishEvent } from "../../events/publish.ts";
import { withdrawCall } from "../calls/end-call.ts";
import { releaseItems, settleItem } from "./data-items.ts";
import { type DialerRow, insertStep, updateSession } from "./data-sessions.ts";

/** What is left to do once the transaction is committed. */
export type AfterStep = Extract<DialerCommand, { kind: "dial" | "end_call" }>;

function stateOf(row: DialerRow): DialerState {
  return {
    status: row.status,
    phase: row.phase,
    position: row.position,
    total: row.total,
    callId: row.callId,
    repMisses: row.repMisses,
    failures: row.failures,
    pauseReason: row.pauseReason,
    dueAt: row.dueAt?.getTime() ?? null,
    typingUntil: row.typingUntil?.getTime() ?? null,
    skipping: row.skipping,
    autoDial: row.autoDial,
    delaySeconds: row.delaySeconds,
  };
}

/** The state as the row's columns hold it. */
export function columnsOf(state: DialerState) {
  const { autoDial: _setting, dueAt, typingUntil, ...columns } = state;
  return {
    ...columns,
    dueAt: dueAt === null ? null : new Date(dueAt),
    typingUntil: typingUntil === null ? null : new Date(typingUntil),
    checkingAt: state.status === "active" && state.phase === "checking" ? new Date() : null,
  };
}

function same(before: DialerState, after: DialerState): boolean {
  return (Object.keys(before) as (keyof DialerState)[]).every((key) => before[key] === after[key]);
}

/**
 * Tells a locked session what happened, and writes all that follows: its state, its leads, the step, the notice. Answers the row and
 * what the caller is to do after the commit (`runAfterSteps`).
 */
export async function takeStep(
  tx: Tx,
  row: DialerRow,
  event: DialerEvent,
): Promise<{ row: DialerRow; after: AfterStep[] }> {
  const before = stateOf(row);
  const { state, commands } = stepDialer(before, event);
  if (same(before, state)) return { row, after: [] };
  const after: AfterStep[] = [];
  for (const command of commands) {
    if (command.kind === "settle") await settleItem(tx, row.id, command);
    else if (command.kind !== "withdraw_call") after.push(command);
    else if (await withdrawCall(tx, command.callId)) after.push({ ...command, kind: "end_call" });
  }
  const ended = isLiveDialer(before) && !isLiveDialer(state);
  if (ended) await releaseItems(tx, row.id);
  // Coming back to a session is listening to it.
  const wakes = before.status !== "active" && state.status === "active";
  const now = new Date();
  const next = await updateSession(tx, row.id, {
    ...columnsOf(state),
    ...(ended && { endedAt: now }),
    ...(wakes && { watchedAt: now }),
  });
  if (event.type !== "typing") {
    const { type, ...data } = event;
    await insertStep(tx, { sessionId: row.id, position: row.position, kind: type, data });
  }
  await publishEvent(tx, { topic: "dialer", id: row.id, audience: [row.userId] });
  return { row: { ...next, autoDial: row.autoDial }, after };
}
