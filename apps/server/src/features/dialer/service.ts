import type { Logger } from "pino";
import type { Database, Tx } from "../../db/client.ts";
import type { EventListener } from "../../events/listener.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Ticker } from "../../jobs/ticker.ts";
import type { CallsContext } from "../calls/service.ts";
import type { GateRules } from "../gate/decide-contact.ts";
import { type DialerRow, lockSession, noteListeners } from "./data-sessions.ts";

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

/** Browsers of these people listen. */
export function noteListening(context: DialerContext, userIds: number[]): void {
  context.ticker.once(() => noteListeners(context.database.db, userIds));
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
