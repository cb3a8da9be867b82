import { isLiveDialer } from "@portal/contract/dialer-machine";
import type { CallResult } from "@portal/contract/entities/call";
import type { DialerSession, DialerSkipReason, DialerSummary } from "@portal/contract/entities/dialer";
import type { RouteResponse } from "@portal/contract/route";
import type { getDialer as contract } from "@portal/contract/routes/dialer";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { getLead } from "../leads/service.ts";
import { tryOutlook } from "../retry-rules/policy.ts";
import { findLine } from "../telephony/outbound/line-repository.ts";
import { getCall } from "../telephony/outbound/service.ts";
import { listCallers } from "./candidate-repository.ts";
import { putOffReasons } from "./check-candidate.ts";
import { handleCallEvent } from "./dial-lead.ts";
import {
  countItems,
  findItem,
  findLastFailure,
  listDialFacts,
  listPassedOver,
  listWorked,
} from "./item-repository.ts";
import { presentSession, presentSkipped, shownLeads } from "./present.ts";
import { nextPositionOf } from "./service.ts";
import {
  type DialerRow,
  findLastStart,
  findLogOfCall,
  findNewestSession,
  findSession,
  noteListeners,
} from "./session-repository.ts";
import { rulesOf } from "./step-session.ts";
import type { DialerContext } from "./types.ts";

/** Reads everything for a session's screen. */
async function viewOf(context: DialerContext, row: DialerRow, actor: AuthSession): Promise<DialerSession> {
  const { db } = context.database;
  const call = row.callId ? await getCall(context.calls, { actor, callId: row.callId }) : null;
  if (isLiveDialer(row) && row.phase === "calling" && call?.state === "ended") {
    // The end of a call is stored a moment before its session handles it; handling it here avoids showing that moment.
    await handleCallEvent(context, call.id);
    const newer = await findSession(db, row.id);
    if (newer && newer.version !== row.version) return viewOf(context, newer, actor);
  }
  const place = { sessionId: row.id, position: row.position };
  const nextPlace = { ...place, position: nextPositionOf(row) };
  const [item, next, callers, counts, lastFailure, passedOver, log] = await Promise.all([
    findItem(db, place),
    findItem(db, nextPlace),
    isLiveDialer(row) ? listCallers(db, row) : [],
    countItems(db, row.id),
    findLastFailure(db, row.id),
    isLiveDialer(row) ? listPassedOver(db, place) : [],
    row.callId ? findLogOfCall(db, row.callId) : null,
  ]);
  const line = row.lineId === null ? null : ((await findLine(db, row.lineId)) ?? null);
  const lead = item ? await getLead(context, db, { leadId: item.leadId, actor }) : null;
  const dialled = item !== undefined && item.callId !== null;
  const allowedAt = await putOffUntil(context, row, passedOver);
  return presentSession({
    row,
    dialled,
    lead,
    call,
    line,
    log: log ?? null,
    callers,
    nextLeadId: next?.leadId ?? null,
    counts,
    lastFailure,
    passedOver,
    allowedAt,
  });
}

/** From when leads that the retry rules skipped may be called, by current facts; those that may be called now are left out. */
async function putOffUntil(
  context: DialerContext,
  { userId }: DialerRow,
  passedOver: readonly { leadId: number; reason: DialerSkipReason | null }[],
): Promise<Map<number, Date>> {
  const { db } = context.database;
  const leadIds = passedOver
    .filter(({ reason }) => putOffReasons.includes(reason))
    .slice(0, shownLeads)
    .map(({ leadId }) => leadId);
  if (leadIds.length === 0) return new Map();
  const rules = await rulesOf(context, db);
  const now = new Date();
  const leads = await listDialFacts(db, { leadIds, userId });
  return new Map(
    leads.flatMap((lead) => {
      const next = tryOutlook({ lead, rules, now });
      return "until" in next ? [[lead.leadId, next.until] as const] : [];
    }),
  );
}

/** The user's newest session in any state, or null, and their choices at the last start. The request counts as a listening browser. */
export async function getDialer(
  context: DialerContext,
  actor: AuthSession,
): Promise<RouteResponse<typeof contract>> {
  const { db } = context.database;
  await noteListeners(db, [actor.userId]);
  const row = await findNewestSession(db, actor.userId);
  return {
    session: row ? await viewOf(context, row, actor) : null,
    lastStart: await findLastStart(db, actor.userId),
  };
}

/** Reads a session. */
export async function getSession(
  context: DialerContext,
  { sessionId, actor }: { sessionId: number; actor: AuthSession },
): Promise<DialerSession> {
  const row = await findSession(context.database.db, sessionId);
  if (!row) throw new AppError("not_found", "This session does not exist.");
  return viewOf(context, row, actor);
}

const hourSeconds = 3_600;
/** Minimum duration for a meaningful number of calls per hour. */
const rateSeconds = 600;

function countBy<T extends string>(values: T[]): { value: T; count: number }[] {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}

/** Summary of a session, counted from its leads and calls. Errors: `not_found`. */
export async function getSummary(
  context: DialerContext,
  { sessionId, actor }: { sessionId: number; actor: AuthSession },
): Promise<DialerSummary> {
  const { db } = context.database;
  const row = await findSession(db, sessionId);
  const mayRead = row && (row.userId === actor.userId || actor.role === "admin");
  if (!row || !mayRead) throw new AppError("not_found", "This session does not exist.");
  const items = await listWorked(db, sessionId);

  const called = items.filter(({ logged }) => logged);
  const dialled = called.filter(({ tried }) => tried);
  const reached = dialled.filter(({ outcome }) => outcome === "answered" || outcome === "voicemail");
  const skipped = items.filter(({ state }) => state === "skipped");
  const starts = items.flatMap(({ dialledAt }) => (dialledAt ? [dialledAt.getTime()] : []));
  const end = (row.endedAt ?? new Date()).getTime();
  const elapsedSeconds = starts.length > 0 ? Math.max(0, Math.round((end - Math.min(...starts)) / 1000)) : 0;
  const perHour = elapsedSeconds < rateSeconds ? null : (dialled.length * hourSeconds) / elapsedSeconds;
  return {
    sessionId,
    status: row.status,
    total: row.total,
    dialled: dialled.length,
    reached: reached.length,
    talkSeconds: dialled.reduce((sum, { durationSeconds }) => sum + (durationSeconds ?? 0), 0),
    elapsedSeconds,
    callsPerHour: perHour === null ? null : Math.round(perHour * 10) / 10,
    outcomes: countBy(called.map(({ outcome }) => outcome ?? "unclear")).map(({ value, count }) => ({
      outcome: value,
      count,
    })),
    skipped: presentSkipped(skipped, await putOffUntil(context, row, skipped)),
    failed: items
      .filter(({ state }) => state === "failed")
      .map(({ leadId, name, result }) => ({ leadId, name, result: result as CallResult | null })),
    remaining:
      row.total -
      items.filter(({ state, logged }) => state !== "waiting" && (state !== "in_hand" || logged)).length,
  };
}
