import { setTimeout as sleep } from "node:timers/promises";
import { databaseNow } from "../../../platform/db/clock.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { LegStatus, Telephony } from "../../../ports/telephony.ts";
import { findReplacedLegs, type LineRow } from "../../telephony/outbound/line-repository.ts";
import { claimSlot } from "../../telephony/outbound/repository.ts";
import { endAtProvider, paceOf } from "../../telephony/outbound/service.ts";

import { providerRetries } from "../../telephony/types.ts";
import { runAfterSteps } from "../dial-lead.ts";
import type { DialerContext } from "../types.ts";
import { decideMove, type LineFacts, type SessionFacts } from "./policy.ts";
import { claimLeadEnd, claimRing, claimWake, findOnLine, lockOnLine, type OnLine } from "./repository.ts";
import { applyLeg, isLegOver } from "./update-line.ts";

/** Callback addresses of a line, with its id. */
export function lineUrls(publicUrl: string, lineId: number) {
  const url = (path: string, more = "") =>
    `${publicUrl}/api/twilio/line/${path}?line=${lineId}${more}${providerRetries}`;
  return {
    answered: url("answered"),
    confirm: (again: boolean) => url("confirm", again ? "&again=1" : ""),
    next: url("next"),
    /** URL to continue at after the brief of the lead at a position. */
    said: (position: number) => url("next", `&said=${position}`),
    done: (callId: number) => url("done", `&call=${callId}`),
    key: (about: string) => url("key", `&about=${encodeURIComponent(about)}`),
    status: url("status"),
  };
}

const msSince = (at: Date | null) => (at ? databaseNow() - at.getTime() : Number.POSITIVE_INFINITY);

export function lineFactsOf(line: LineRow): LineFacts {
  const { state, step, stepPosition, briefedPosition, callId } = line;
  return {
    ...{ state, step, stepPosition, briefedPosition, callId },
    isAsked: line.askedAt !== null,
    isEnding: line.endRequestedAt !== null,
    ageMs: line.connectedAt ? msSince(line.connectedAt) : 0,
    restMs: msSince(line.lastWorkAt),
    silenceMs: msSince(line.lastEventAt),
    wokenMs: msSince(line.checkedAt),
  };
}

export function callFactsOf({ call, asksOutcome }: Pick<OnLine, "call" | "asksOutcome">) {
  return (
    call && {
      id: call.id,
      isNamed: call.askedAt !== null,
      isEnded: call.state === "ended",
      asksOutcome,
      endedMs: msSince(call.endedAt),
      isLeadLive:
        call.askedAt !== null &&
        call.endRequestedAt === null &&
        call.dialStatus === null &&
        !isLegOver(call.leadLeg as LegStatus | null),
    }
  );
}

export const sessionFactsOf = ({
  status,
  phase,
  position,
  callId,
  brief,
}: OnLine["session"]): SessionFacts => ({
  ...{ status, phase, position, callId, brief },
});

/** Stores a reported state of the consultant's leg in its own transaction, and does the work after it. */
export async function reportLeg(
  context: DialerContext,
  lineId: number,
  reported: Parameters<typeof applyLeg>[3],
): Promise<void> {
  const kept = await context.database.transaction(async (tx) => {
    const on = await lockOnLine(tx, lineId);
    return on && on.line.state !== "ended" ? applyLeg(context, tx, on, reported) : null;
  });
  if (kept) runAfterSteps(context, kept.session.id, kept.after);
}

const paceWaitMs = 30_000;

const texts = { tooMany: "Too many calls are waiting to be dialled. Try again in half a minute." };

/** Rings the consultant's phone, once. If the answer to the request is lost, the scheduled task asks for it (`jobs.ts`). */
async function ring(context: DialerContext, telephony: Telephony, line: LineRow): Promise<void> {
  const { db } = context.database;
  // The replaced legs are ended first, as the phone would be busy.
  for (const sid of await findReplacedLegs(db, line)) await telephony.endCall(sid);
  if (!(await claimRing(db, line.id))) return;
  const slot = await context.database.transaction((tx) =>
    claimSlot(tx, { ...paceOf(telephony), maxWaitMs: paceWaitMs }),
  );
  if (!slot) return reportLeg(context, line.id, { status: "refused", failure: texts.tooMany });
  if (slot.waitMs > 0) await sleep(slot.waitMs);
  const { answered, status } = lineUrls(context.calls.publicUrl, line.id);
  try {
    const leg = await telephony.placeCall({
      to: line.repNumber,
      urls: { answered, repStatus: status },
      keptOpen: true,
    });
    await reportLeg(context, line.id, leg);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { kind, providerCode, ambiguous } = error;
    context.log.warn({ lineId: line.id, kind, providerCode, ambiguous }, "line not placed");
    if (!ambiguous) await reportLeg(context, line.id, { status: "refused", failure: error.message });
  }
}

/** Makes the consultant's leg ask for instructions. If the leg has ended, so has the line. */
async function wake(context: DialerContext, telephony: Telephony, line: LineRow): Promise<void> {
  if (!line.callSid || !(await claimWake(context.database.db, line))) return;
  const led = await telephony.leadLeg(line.callSid, lineUrls(context.calls.publicUrl, line.id).next);
  if (led) return;
  const leg = await telephony.findLeg(line.callSid);
  if (!leg || isLegOver(leg.status)) await reportLeg(context, line.id, leg ?? { status: "completed" });
}

/** Ends the lead's leg after the consultant's leg has ended. */
async function endLead(
  context: DialerContext,
  telephony: Telephony,
  { line, call }: Pick<OnLine, "line" | "call">,
): Promise<void> {
  if (!call || !(await claimLeadEnd(context.database.db, call.id))) return;
  const since = call.askedAt ?? call.requestedAt;
  const [found] =
    call.leadCallSid === null && line.callSid
      ? await telephony.findDialledLegs({ parentSid: line.callSid, to: call.leadNumber, since })
      : [];
  const sid = call.leadCallSid ?? found?.sid;
  if (sid) await endAtProvider(context.calls, telephony, { id: call.id, callSid: sid });
}

/**
 * Compares a session's line with what it should do, and interrupts it if it would not ask by itself. Any process may call it at any time;
 * one of them acts.
 */
export async function moveLine(context: DialerContext, sessionId: number): Promise<void> {
  const { telephony } = context.calls;
  const on = telephony && (await findOnLine(context.database.db, sessionId));
  if (!on) return;
  const { session, line } = on;
  const move = decideMove(sessionFactsOf(session), lineFactsOf(line), callFactsOf(on));
  try {
    if (move === "ring") await ring(context, telephony, line);
    if (move === "wake") await wake(context, telephony, line);
    if (move === "end_lead") await endLead(context, telephony, on);
    if (move === "hang_up" && line.callSid)
      await reportLeg(context, line.id, await telephony.endCall(line.callSid));
    if (move === "hang_up" && !line.askedAt) await reportLeg(context, line.id, { status: "canceled" });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    // The next scheduled run tries again.
    context.log.warn({ lineId: line.id, move, kind: error.kind }, "line not moved");
  }
}
