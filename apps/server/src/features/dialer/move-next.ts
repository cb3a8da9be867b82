import { isLiveDialer } from "@portal/contract/dialer-machine";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { updateLine } from "../telephony/outbound/line-repository.ts";
import { listCallers } from "./caller-repository.ts";
import { findItem, insertTaken } from "./item-repository.ts";
import { lockOwnSession } from "./service.ts";
import { type DialerRow, insertStep, updateSession } from "./session-repository.ts";
import { passOver } from "./step-session.ts";
import type { DialerContext } from "./types.ts";

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
