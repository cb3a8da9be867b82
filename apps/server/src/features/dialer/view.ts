import { isLiveDialer } from "@portal/contract/dialer-machine";
import type { DialerSession } from "@portal/contract/entities/dialer";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { getCall } from "../calls/service.ts";
import { getLead } from "../leads/service.ts";
import { countItems, findItem, findLastFailure } from "./data-items.ts";
import {
  type DialerRow,
  findLogOfCall,
  findNewestSession,
  findSession,
  noteListeners,
} from "./data-sessions.ts";
import { presentSession } from "./present.ts";
import { hearCall } from "./run-steps.ts";
import type { DialerContext } from "./service.ts";

/** A session with all that its screen shows. */
async function viewOf(context: DialerContext, row: DialerRow, actor: Session): Promise<DialerSession> {
  const { db } = context.database;
  const call = row.callId ? await getCall(context, { actor, callId: row.callId }) : null;
  if (isLiveDialer(row) && row.phase === "calling" && call?.state === "ended") {
    // The end of a call is known a moment before its session has heard of it: nobody is shown that moment.
    await hearCall(context, call.id);
    const heard = await findSession(db, row.id);
    if (heard && heard.version !== row.version) return viewOf(context, heard, actor);
  }
  const [item, counts, lastFailure, log] = await Promise.all([
    findItem(db, { sessionId: row.id, position: row.position }),
    countItems(db, row.id),
    findLastFailure(db, row.id),
    row.callId ? findLogOfCall(db, row.callId) : null,
  ]);
  const lead = item ? await getLead(context, { leadId: item.leadId, actor }) : null;
  const dialled = item !== undefined && item.callId !== null;
  return presentSession({ row, dialled, lead, call, log: log ?? null, counts, lastFailure });
}

/** The person's newest session, whatever its state, or null. Asking counts as listening. */
export async function getDialer(context: DialerContext, actor: Session): Promise<DialerSession | null> {
  const { db } = context.database;
  await noteListeners(db, [actor.userId]);
  const row = await findNewestSession(db, actor.userId);
  return row ? viewOf(context, row, actor) : null;
}

/** A session as it stands. */
export async function getSession(
  context: DialerContext,
  { sessionId, actor }: { sessionId: number; actor: Session },
): Promise<DialerSession> {
  const row = await findSession(context.database.db, sessionId);
  if (!row) throw new AppError("not_found", "This session does not exist.");
  return viewOf(context, row, actor);
}
