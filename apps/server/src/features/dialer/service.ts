import type { DialerSession } from "@portal/contract/entities/dialer";
import type { Logger } from "pino";
import type { Database, Tx } from "../../db/client.ts";
import type { EventListener } from "../../events/listener.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Ticker } from "../../jobs/ticker.ts";
import { type CallsContext, getCall } from "../calls/service.ts";
import type { GateRules } from "../gate/decide-contact.ts";
import { getLead } from "../leads/service.ts";
import { countItems, findItem, findLastFailure } from "./data-items.ts";
import {
  type DialerRow,
  findLogOfCall,
  findNewestSession,
  findSession,
  lockSession,
  noteListeners,
} from "./data-sessions.ts";
import { presentSession } from "./present.ts";

export interface DialerContext {
  database: Database;
  events: EventListener;
  log: Logger;
  ticker: Ticker;
  jobs: Pick<Jobs, "enqueue">;
  calls: CallsContext;
  gate: GateRules;
  orgTimeZone: string;
}

/** A session with all that its screen shows. */
async function viewOf(context: DialerContext, row: DialerRow, actor: Session): Promise<DialerSession> {
  const { db } = context.database;
  const [item, counts, lastFailure] = await Promise.all([
    findItem(db, { sessionId: row.id, position: row.position }),
    countItems(db, row.id),
    findLastFailure(db, row.id),
  ]);
  const [lead, call, log] = await Promise.all([
    item ? getLead(context, { leadId: item.leadId, actor }) : null,
    row.callId ? getCall(context, { actor, callId: row.callId }) : null,
    row.callId ? findLogOfCall(db, row.callId) : null,
  ]);
  return presentSession({ row, lead, call, log: log ?? null, counts, lastFailure });
}

/** The person's newest session, whatever its state, or null. Asking counts as listening. */
export async function getDialer(context: DialerContext, actor: Session): Promise<DialerSession | null> {
  const { db } = context.database;
  await noteListeners(db, [actor.userId]);
  const row = await findNewestSession(db, actor.userId);
  return row ? viewOf(context, row, actor) : null;
}

/** Browsers of these people listen. */
export function noteListening(context: DialerContext, userIds: number[]): void {
  context.ticker.once(() => noteListeners(context.database.db, userIds));
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

/** Holds one's own session until the transaction ends. Errors: `not_found`. */
export async function lockOwnSession(
  tx: Tx,
  { sessionId, actor }: { sessionId: number; actor: Session },
): Promise<DialerRow> {
  const row = await lockSession(tx, { id: sessionId });
  if (row?.userId !== actor.userId) throw new AppError("not_found", "This session does not exist.");
  return row;
}
