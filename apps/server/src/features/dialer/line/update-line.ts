import type { LineEndReason, LineState } from "@portal/contract/entities/line";
import { lineStates } from "@portal/contract/entities/line";
import type { Tx } from "../../../platform/db/client.ts";
import { databaseNow } from "../../../platform/db/clock.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import { dialStatuses, type LegStatus } from "../../../ports/telephony.ts";
import {
  findLiveLine,
  insertLine,
  type LineRow,
  lockLine,
  replaceLine,
  updateLine,
} from "../../telephony/outbound/line-repository.ts";
import { requestedPhone } from "../../telephony/outbound/make-call.ts";
import { requireTelephony } from "../../telephony/outbound/service.ts";
import { applyFacts } from "../../telephony/outbound/update-call.ts";
import { type DialerRow, releaseLine, updateSession } from "../session-repository.ts";
import { type AfterStep, stepByCall, stepSession } from "../step-session.ts";
import type { DialerContext } from "../types.ts";
import type { OnLine } from "./repository.ts";

/** Publishes a session's change of line, so that browsers read the session again. */
async function showLine(tx: Tx, session: DialerRow): Promise<DialerRow> {
  const row = await updateSession(tx, session.id, {});
  await publishEvent(tx, { topic: "dialer", id: session.id, audience: [session.userId] });
  return { ...row, autoDial: session.autoDial };
}

/** The later of two states; a state only moves forward. */
export function laterState(known: LineState, reported: LineState): LineState {
  return lineStates.indexOf(reported) > lineStates.indexOf(known) ? reported : known;
}

/** The line's state by the status of the consultant's leg; null if it adds nothing. */
function stateOfLeg(status: LegStatus | null): LineState | null {
  if (status === null || status === "queued") return null;
  if (status === "initiated" || status === "ringing") return "ringing";
  return status === "in-progress" ? "confirming" : "ended";
}

/** Why a line ended that nobody asked to end. */
function reasonOf(line: LineRow, status: LegStatus | "refused"): LineEndReason {
  if (status === "refused") return "failed";
  if (status !== "completed") return line.connectedAt ? "hung_up" : "not_answered";
  return line.connectedAt ? "hung_up" : "not_confirmed";
}

/** Changes of a locked line, and the work for after the commit (`runAfterSteps`). */
interface Updated extends OnLine {
  after: AfterStep[];
}

/**
 * Stores a reported state of the consultant's leg. If it has ended, the lead's leg ends too and an active session pauses; "Ring me again"
 * continues it.
 */
export async function applyLeg(
  context: DialerContext,
  tx: Tx,
  { session, line, ...rest }: OnLine,
  reported: { status: LegStatus | "refused" | null; sid?: string | null; failure?: string },
): Promise<Updated> {
  const { status, sid = null, failure } = reported;
  const next = status === "refused" ? "ended" : stateOfLeg(status);
  const state = next ? laterState(line.state, next) : line.state;
  const callSid = line.callSid ?? sid;
  const lastEventAt = new Date(databaseNow());
  if (state === line.state) {
    return { session, line: await updateLine(tx, line.id, { callSid, lastEventAt }), ...rest, after: [] };
  }
  if (state !== "ended" || status === null) {
    const updated = await updateLine(tx, line.id, { callSid, lastEventAt, state });
    return { session: await showLine(tx, session), line: updated, ...rest, after: [] };
  }
  const ended = await updateLine(tx, line.id, {
    callSid,
    lastEventAt,
    state,
    endedAt: lastEventAt,
    endReason: line.endReason ?? reasonOf(line, status),
    failure: line.failure ?? failure ?? null,
  });
  return { ...(await leaveLine(context, tx, { session, line: ended, ...rest })) };
}

/** The line of a session has ended: ends the lead's leg and pauses the session. */
async function leaveLine(
  context: DialerContext,
  tx: Tx,
  { session, line, call, asksOutcome }: OnLine,
): Promise<Updated> {
  const isLive = call !== null && call.state !== "ended";
  const left = isLive
    ? await applyFacts(tx, call, { repLeg: call.askedAt ? "completed" : "canceled" })
    : call;
  const after: AfterStep[] = [];
  let row = session;
  if (session.lineId === line.id) {
    if (left && session.callId === left.id) {
      const taken = await stepByCall(context, tx, row, left.id);
      row = taken.row;
      after.push(...taken.after);
    }
    const paused = await stepSession(context, tx, row, { type: "pause", reason: "line_ended" });
    row = paused.row;
    after.push(...paused.after);
  }
  return { session: await showLine(tx, row), line, call: left, asksOutcome, after };
}

/**
 * Locks the consultant's live line and takes it from any other session. Sessions are locked before lines, in the same order as requests of
 * the leg do.
 */
async function holdLiveLine(tx: Tx, session: DialerRow): Promise<LineRow | undefined> {
  const live = await findLiveLine(tx, session.userId);
  if (!live) return undefined;
  await releaseLine(tx, { lineId: live.id, exceptSessionId: session.id });
  const held = await lockLine(tx, live.id);
  return held?.state === "ended" ? undefined : held;
}

async function insertNewLine(context: DialerContext, tx: Tx, userId: number): Promise<LineRow> {
  const phone = await requestedPhone(tx, context.calls, requireTelephony(context.calls), userId);
  return insertLine(tx, { userId, repNumber: phone.number, repLine: phone.line });
}

/**
 * Returns the line for a session that continues: the consultant's live line, even of an earlier session, or a new one that is rung after
 * the commit. `stands` is true if the line is open. Errors: `rep_without_phone`, `provider_off`.
 */
export async function requestLine(
  context: DialerContext,
  tx: Tx,
  session: DialerRow,
): Promise<{ session: DialerRow; stands: boolean }> {
  const live = await holdLiveLine(tx, session);
  const isKept = live?.endRequestedAt === null;
  const stands = isKept && live.state === "open";
  if (isKept && live.id === session.lineId) return { session, stands };
  // Briefs of an earlier session do not count for this one.
  if (isKept) await updateLine(tx, live.id, { briefedPosition: null, lastWorkAt: new Date(databaseNow()) });
  else if (live) await replaceLine(tx, live.id);
  const line = isKept ? live : await insertNewLine(context, tx, session.userId);
  const row = await updateSession(tx, session.id, { lineId: line.id });
  await publishEvent(tx, { topic: "dialer", id: session.id, audience: [session.userId] });
  return { session: { ...row, autoDial: session.autoDial }, stands };
}

/** 1 was pressed: opens the line, and continues a session that waits for it. */
export async function openLine(context: DialerContext, tx: Tx, on: OnLine): Promise<Updated> {
  const { session, line } = on;
  const now = new Date(databaseNow());
  const updated = await updateLine(tx, line.id, {
    state: "open",
    connectedAt: now,
    lastWorkAt: now,
    lastEventAt: now,
  });
  const shown = await showLine(tx, session);
  const { position } = shown;
  const taken = await stepSession(context, tx, shown, { type: "call_now", position });
  return { ...on, session: taken.row, line: updated, after: taken.after };
}

export const isLegOver = (status: LegStatus | null): boolean => dialStatuses.some((end) => end === status);
