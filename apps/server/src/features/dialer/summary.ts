import type { CallResult } from "@portal/contract/entities/call";
import type { DialerSkipReason, DialerSummary } from "@portal/contract/entities/dialer";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { findSession } from "./data-sessions.ts";
import { listWorked } from "./data-summary.ts";
import type { DialerContext } from "./service.ts";

const hourSeconds = 3_600;

function countBy<T extends string>(values: T[]): { value: T; count: number }[] {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}

/** What a session came to, counted from its leads and calls. Errors: `not_found`. */
export async function getSummary(
  context: DialerContext,
  { sessionId, actor }: { sessionId: number; actor: Session },
): Promise<DialerSummary> {
  const { db } = context.database;
  const row = await findSession(db, sessionId);
  const mayRead = row && (row.userId === actor.userId || actor.role === "admin");
  if (!row || !mayRead) throw new AppError("not_found", "This session does not exist.");
  const items = await listWorked(db, sessionId);

  const dialled = items.filter(({ logged }) => logged);
  const reached = dialled.filter(({ outcome }) => outcome === "answered" || outcome === "voicemail");
  const skipped = items.filter(({ state }) => state === "skipped");
  const starts = items.flatMap(({ dialledAt }) => (dialledAt ? [dialledAt.getTime()] : []));
  const end = (row.endedAt ?? new Date()).getTime();
  const elapsedSeconds = starts.length > 0 ? Math.max(0, Math.round((end - Math.min(...starts)) / 1000)) : 0;
  const perHour = (dialled.length * hourSeconds) / Math.max(1, elapsedSeconds);
  return {
    sessionId,
    status: row.status,
    total: row.total,
    dialled: dialled.length,
    reached: reached.length,
    talkSeconds: dialled.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0),
    elapsedSeconds,
    callsPerHour: dialled.length > 0 ? Math.round(perHour * 10) / 10 : null,
    outcomes: countBy(dialled.map(({ outcome }) => outcome ?? "unclear")).map(({ value, count }) => ({
      outcome: value,
      count,
    })),
    skipped: countBy(skipped.map(({ reason }) => reason as DialerSkipReason)).map(({ value, count }) => ({
      reason: value,
      count,
      leads: skipped
        .filter(({ reason }) => reason === value)
        .map(({ leadId, name, company }) => ({ leadId, name, company, allowedAt: null })),
    })),
    failed: items
      .filter(({ state }) => state === "failed")
      .map(({ leadId, name, result }) => ({ leadId, name, result: result as CallResult | null })),
    remaining:
      row.total -
      items.filter(({ state, logged }) => state !== "waiting" && (state !== "in_hand" || logged)).length,
  };
}
