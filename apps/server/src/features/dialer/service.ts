import { type DialerEvent, isLiveDialer } from "@portal/contract/dialer-machine";
import type { RouteRequest } from "@portal/contract/route";
import type { commandDialer, setDialerDelay } from "@portal/contract/routes/dialer";
import type { Tx } from "../../platform/db/client.ts";
import { databaseNow } from "../../platform/db/clock.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { endAbsence } from "../availability/service.ts";
import { findLine, updateLine } from "../telephony/outbound/line-repository.ts";
import { listCallers } from "./candidate-repository.ts";
import { runAfterSteps } from "./dial-lead.ts";
import { findItem, insertTaken } from "./item-repository.ts";
import { requestLine } from "./line/update-line.ts";
import {
  type DialerRow,
  findCallFacts,
  findLiveSession,
  insertStep,
  lockSession,
  noteListeners,
  updateSession,
} from "./session-repository.ts";
import { applyStep, passOver, stepByCall, stepSession } from "./step-session.ts";
import type { DialerContext } from "./types.ts";

/** Records that browsers of these users listen to events. */
export function noteListening(context: DialerContext, userIds: number[]): void {
  context.scheduler.once(() => noteListeners(context.database.db, userIds));
}

/** Locks the person's own session until the transaction ends. Errors: `not_found`. */
export async function lockOwnSession(
  tx: Tx,
  { sessionId, actor }: { sessionId: number; actor: AuthSession },
): Promise<DialerRow> {
  const row = await lockSession(tx, { id: sessionId });
  if (row?.userId !== actor.userId) throw new AppError("not_found", "This session does not exist.");
  return row;
}

interface Own {
  actor: AuthSession;
  sessionId: number;
}
type Command = RouteRequest<typeof commandDialer>["body"];

/** Skipping requires an outcome for the current call. Errors: `outcome_missing`. */
async function skipOf(
  tx: Tx,
  row: { phase: string; position: number; callId: number | null },
  position: number,
): Promise<DialerEvent> {
  const facts = row.callId ? await findCallFacts(tx, row.callId) : undefined;
  const outcomeKnown = facts?.outcomeKnown ?? false;
  if (row.phase === "wrap_up" && row.position === position && !outcomeKnown) {
    throw new AppError("outcome_missing", "Choose the outcome of this call first.");
  }
  return { type: "skip", position, outcomeKnown, now: databaseNow() };
}

function eventOf({ command, position }: Command, awaitsLine: boolean): DialerEvent | null {
  switch (command) {
    case "pause":
      return { type: "pause", reason: "consultant" };
    case "left":
      return { type: "pause", reason: "left" };
    case "resume":
      return { type: "resume", position, awaitsLine };
    case "stop":
      return { type: "stop" };
    case "call_now":
      return { type: "call_now", position };
    case "hold":
      return { type: "hold", position };
    case "skip":
      return null;
  }
}

/** Whether the session's consultant is on its open line, and so present even without a browser. */
async function isOnLine(tx: Tx, { lineId }: DialerRow): Promise<boolean> {
  const line = lineId === null ? undefined : await findLine(tx, lineId);
  return line !== undefined && line.state !== "ended";
}

/** Resuming rings the consultant again if the session's open line has ended. Errors: `rep_without_phone`, `provider_off`. */
async function onLine(
  context: DialerContext,
  tx: Tx,
  row: DialerRow,
  command: Command["command"],
): Promise<{ row: DialerRow; stands: boolean }> {
  const asks = command === "resume" && row.status === "paused" && row.lineMode === "open_line";
  if (!asks) return { row, stands: true };
  const { session, stands } = await requestLine(context, tx, row);
  return { row: session, stands };
}

/** Runs one command of the consultant on their own session. Errors: `not_found`, `outcome_missing`. */
export async function commandSession(context: DialerContext, input: Own & Command): Promise<void> {
  const after = await context.database.transaction(async (tx) => {
    const known = await lockOwnSession(tx, input);
    // The call may have just ended: the command refers to what the consultant sees.
    const afterCall =
      known.phase === "calling" && known.callId !== null
        ? await stepByCall(context, tx, known, known.callId)
        : { row: known, after: [] };
    // Resuming ends the consultant's absence.
    if (input.command === "resume" || input.command === "call_now") await endAbsence(tx, known.userId);
    if (input.command === "left" && (await isOnLine(tx, known))) return afterCall.after;
    const { row, stands } = await onLine(context, tx, afterCall.row, input.command);
    const event = eventOf(input, !stands) ?? (await skipOf(tx, row, input.position));
    const taken = await stepSession(context, tx, row, event);
    return [...afterCall.after, ...taken.after];
  });
  runAfterSteps(context, input.sessionId, after);
}

/** Postpones dialling while the consultant types; returns until when. Errors: `not_found`. */
export async function noteTyping(context: DialerContext, input: Own): Promise<Date> {
  return context.database.transaction(async (tx) => {
    const row = await lockOwnSession(tx, input);
    const typed = await applyStep(tx, row, { type: "typing", now: databaseNow() });
    return typed.row.typingUntil ?? new Date(databaseNow());
  });
}

/** Changes the delay of later countdowns, and whether later leads get a brief. Errors: `not_found`. */
export async function changeSession(
  context: DialerContext,
  { delaySeconds, brief, ...own }: Own & RouteRequest<typeof setDialerDelay>["body"],
): Promise<void> {
  await changeOwn(context, own, {
    ...(delaySeconds !== undefined && { delaySeconds }),
    ...(brief !== undefined && { brief }),
  });
}

/** Dismisses the summary of an ended session; a live session stays. Errors: `not_found`. */
export async function closeSession(context: DialerContext, input: Own): Promise<void> {
  await changeOwn(context, input, { closedAt: new Date(databaseNow()) });
}

async function changeOwn(
  context: DialerContext,
  input: Own,
  patch: Parameters<typeof updateSession>[2],
): Promise<void> {
  await context.database.transaction(async (tx) => {
    const row = await lockOwnSession(tx, input);
    if (patch.closedAt && row.endedAt === null) return;
    await updateSession(tx, row.id, patch);
    await publishEvent(tx, { topic: "dialer", id: row.id, audience: [row.userId] });
  });
}

/** Stops a person's session without ending the current call; returns whether there was one. */
export async function stopSessionOf(tx: Tx, userId: number): Promise<boolean> {
  const live = await findLiveSession(tx, userId);
  const row = live && (await lockSession(tx, { id: live.id }));
  if (!row) return false;
  await applyStep(tx, row, { type: "stop" });
  return true;
}

/** Position of the next lead: the current one, or the one after the current call. */
export function nextPositionOf({ phase, position }: Pick<DialerRow, "phase" | "position">): number {
  return phase === "countdown" || phase === "waiting" ? position : position + 1;
}

/**
 * Makes a lead who called while the consultant was on their line the next one of the session; repeating it changes nothing. The contact
 * policy applies as for any lead. Errors: `not_found`.
 */
export async function moveNext(
  context: DialerContext,
  { leadId, ...own }: { actor: AuthSession; sessionId: number; leadId: number },
): Promise<void> {
  await context.database.transaction(async (tx) => {
    const row = await lockOwnSession(tx, own);
    if (!isLiveDialer(row)) return;
    const place = { sessionId: row.id, position: nextPositionOf(row) };
    if ((await findItem(tx, place))?.leadId === leadId) return;
    const callers = await listCallers(tx, row);
    if (!callers.some((caller) => caller.leadId === leadId))
      throw new AppError("not_found", "This lead has not called meanwhile.");
    const isMore = await insertTaken(tx, place, leadId);
    const next = await updateSession(tx, row.id, { total: row.total + (isMore ? 1 : 0) });
    await insertStep(tx, { ...place, kind: "take_next", data: { leadId } });
    await publishEvent(tx, { topic: "dialer", id: row.id, audience: [row.userId] });
    if (place.position !== row.position) return;
    await passOver(context, tx, { ...next, autoDial: row.autoDial });
    // The brief already spoken or being spoken is about another lead.
    if (row.lineId !== null) await updateLine(tx, row.lineId, { briefedPosition: null, stepPosition: null });
  });
}
