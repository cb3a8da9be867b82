import {
  type DialerCommand,
  type DialerEvent,
  type DialerState,
  isLiveDialer,
  stepDialer,
} from "@portal/contract/dialer-machine";
import type { DialerSkipReason } from "@portal/contract/entities/dialer";
import type { Db, Tx } from "../../platform/db/client.ts";
import { databaseNow } from "../../platform/db/clock.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { getUser } from "../identity/users/service.ts";
import type { Rules } from "../retry-rules/policy.ts";
import { retryRulesOf } from "../retry-rules/repository.ts";
import { withdrawCall } from "../telephony/outbound/service.ts";
import { actsOnAnyLead } from "../telephony/policy.ts";
import { listDueToday } from "../today/service.ts";
import { findSkipReason, type Wish } from "./check-candidate.ts";
import {
  deleteWaiting,
  insertItems,
  listWaiting,
  listWorkedUntil,
  releaseItems,
  settleItems,
} from "./item-repository.ts";
import { type DialerRow, findCallFacts, insertStep, updateSession } from "./session-repository.ts";
import type { DialerContext } from "./types.ts";

/** Work that remains after the commit. */
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

/** The state as columns of the row. */
export function columnsOf(state: DialerState) {
  const { autoDial: _setting, dueAt, typingUntil, ...columns } = state;
  return {
    ...columns,
    dueAt: dueAt === null ? null : new Date(dueAt),
    typingUntil: typingUntil === null ? null : new Date(typingUntil),
    checkingAt: state.status === "active" && state.phase === "checking" ? new Date(databaseNow()) : null,
  };
}

function same(before: DialerState, after: DialerState): boolean {
  return (Object.keys(before) as (keyof DialerState)[]).every((key) => before[key] === after[key]);
}

/**
 * Applies an event to a locked session and writes the result: its state, its leads, the step and the notification. Returns the row and the
 * work for after the commit (`runAfterSteps`).
 */
export async function applyStep(
  tx: Tx,
  row: DialerRow,
  event: DialerEvent,
): Promise<{ row: DialerRow; after: AfterStep[] }> {
  const before = stateOf(row);
  const { state, commands } = stepDialer(before, event);
  if (same(before, state)) return { row, after: [] };
  const after: AfterStep[] = [];
  await settleItems(
    tx,
    row.id,
    commands.filter((command) => command.kind === "settle"),
  );
  for (const command of commands) {
    if (command.kind === "dial") after.push(command);
    if (command.kind !== "end_call" && command.kind !== "withdraw_call") continue;
    // From this transaction on, answering the consultant's phone dials no lead.
    const toEnd = await withdrawCall(tx, command.callId);
    if (toEnd || command.kind === "end_call") after.push({ ...command, kind: "end_call" });
  }
  const ended = isLiveDialer(before) && !isLiveDialer(state);
  if (ended) await releaseItems(tx, row.id);
  // Resuming a session counts as presence.
  const wakes = before.status !== "active" && state.status === "active";
  const now = new Date(databaseNow());
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

/** Applies the state of a call to a locked session. Returns the session and the work for after the commit. */
export async function stepByCall(
  context: DialerContext,
  tx: Tx,
  row: DialerRow,
  callId: number,
): ReturnType<typeof applyStep> {
  const facts = await findCallFacts(tx, callId);
  return facts
    ? stepSession(context, tx, row, { type: "call", facts, now: databaseNow() })
    : { row, after: [] };
}

/**
 * Applies a step. If it moves to another lead, skips leads that would not be dialed, so that the next lead shown is the one called. Returns
 * the same as `applyStep`.
 */
export async function stepSession(
  context: DialerContext,
  tx: Tx,
  row: DialerRow,
  event: DialerEvent,
): ReturnType<typeof applyStep> {
  const taken = await applyStep(tx, await takeInDue(context, tx, row, event), event);
  const isSame = taken.row.position === row.position;
  return { row: isSame ? taken.row : await passOver(context, tx, taken.row), after: taken.after };
}

/** Skips waiting leads that would not be dialed at their turn. */
export async function passOver(context: DialerContext, tx: Tx, row: DialerRow): Promise<DialerRow> {
  const { position } = row;
  const reasons = await skipReasonsOfNext(context, tx, row);
  if (reasons.length === 0) return row;
  const passed = await applyStep(tx, row, { type: "pass_over", position, reasons, now: databaseNow() });
  return passOver(context, tx, passed.row);
}

/**
 * Sorts the remaining leads of a Today session again before it moves to another lead, and adds those that became due. A lead that was
 * worked returns only for something new.
 */
async function takeInDue(
  context: DialerContext,
  tx: Tx,
  row: DialerRow,
  event: DialerEvent,
): Promise<DialerRow> {
  if (row.source.kind !== "today" || stepDialer(stateOf(row), event).state.position === row.position)
    return row;
  const place = { sessionId: row.id, position: row.position };
  const due = await listDueToday(context, tx, row.userId);
  const worked = new Map((await listWorkedUntil(tx, place)).map(({ leadId, until }) => [leadId, until]));
  const leadIds = due
    .filter(({ leadId, since }) => {
      const until = worked.get(leadId);
      return until === undefined || (since !== null && since > until);
    })
    .map(({ leadId }) => leadId);
  const last = await deleteWaiting(tx, place);
  await insertItems(tx, row.id, leadIds, last + 1);
  return { ...row, total: last + 1 + leadIds.length };
}

/** Skip reasons of the next lead and those right after it at that time; empty if the next lead would be dialed. */
async function skipReasonsOfNext(
  context: DialerContext,
  tx: Tx,
  row: DialerRow,
): Promise<DialerSkipReason[]> {
  if (!isLiveDialer(row) || (row.phase !== "countdown" && row.phase !== "waiting")) return [];
  const actor = await actorOf(tx, row.userId);
  if (!actor) return [];
  const { id: sessionId, position, userId } = row;
  const items = await listWaiting(tx, { sessionId, position, userId, anyLead: actsOnAnyLead(actor) });
  const now = new Date(Math.max(databaseNow(), row.dueAt?.getTime() ?? 0));
  const rules = await rulesOf(context, tx);
  const reasons: DialerSkipReason[] = [];
  for (const item of items) {
    const reason = item.theirs
      ? findSkipReason(item, { wish: wishOf(row, item), rules, now }).reason
      : "not_yours";
    if (item.begun || !reason || isAwaited(reason, item)) break;
    reasons.push(reason);
  }
  return reasons;
}

/**
 * What the consultant chose for a lead: the session's list, or a call back if the lead called and was chosen as the next one; and since
 * when.
 */
export const wishOf = (
  row: Pick<DialerRow, keyof Wish>,
  { listedAt, takenAt }: { listedAt: Date | null; takenAt: Date | null },
): Wish => ({
  ...row,
  ...(takenAt && { source: { kind: "call_back" } }),
  startedAt: listedAt ?? row.startedAt,
});

/** How long to wait for a lead who was chosen as the next one and is still on their own call, for example at the voicemail. */
const callerMs = 3 * 60_000;

/** Whether a lead is on a call only because they called, so that the session can wait for its end. */
export function isAwaited(reason: DialerSkipReason, { takenAt }: { takenAt: Date | null }): boolean {
  return reason === "lead_on_call" && takenAt !== null && databaseNow() - takenAt.getTime() < callerMs;
}

/** The current rules: administrators may change the retry rules at any time. */
export async function rulesOf(
  { contactPolicy }: Pick<DialerContext, "contactPolicy">,
  db: Db,
): Promise<Rules> {
  return { retry: await retryRulesOf(db), contact: contactPolicy };
}

/** The user whom a session calls for; null if the account may no longer call. */
export async function actorOf(db: Db, userId: number): Promise<AuthSession | null> {
  const user = await getUser(db, userId);
  if (!user || user.disabledAt) return null;
  return { sessionId: 0, userId, role: user.role, name: user.name, email: user.email };
}
