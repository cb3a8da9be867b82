import type { HoldReason } from "@portal/contract/entities/scheduled-sms";
import type { Tx } from "../../../platform/db/client.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { getUser } from "../../identity/users/service.ts";
import { findByRef } from "../message-repository.ts";
import { decideFate } from "../policy.ts";
import { sendSms } from "../send-message.ts";
import { settleAnswered } from "../service.ts";
import type { SmsContext } from "../types.ts";
import { publishMessages } from "../update-message.ts";
import {
  claimScheduled,
  findMeanwhile,
  type ScheduledRow,
  type Settled,
  settleScheduled,
} from "./repository.ts";

/** Ends a request for a text that is to be held back. */
class HeldBack extends Error {
  readonly reason: HoldReason;

  constructor(reason: HoldReason) {
    super(reason);
    this.reason = reason;
  }
}

/** Asked while the lead is held, so that nothing comes between the look and the text. */
async function checkMeanwhile(tx: Tx, row: ScheduledRow, lead: { assignedTo: number | null }): Promise<void> {
  if (lead.assignedTo !== row.ownerId) throw new HeldBack("changed_hands");
  const reason = await findMeanwhile(tx, row);
  if (reason) throw new HeldBack(reason);
}

async function send({ sms, timings }: ScheduledContext, row: ScheduledRow): Promise<Settled> {
  const { db } = sms.database;
  const { leadId, textRef, sendAt } = row;
  // Asked for already by a worker that died over it.
  const earlier = await findByRef(db, textRef);
  if (earlier) return earlier.status === "failed" ? { state: "held", reason: "not_sent" } : { state: "sent" };
  if (Date.now() - sendAt.getTime() > timings.lateMs) return { state: "held", reason: "late" };
  const user = await getUser(db, row.ownerId ?? row.userId);
  if (!user || user.disabledAt !== null) return { state: "held", reason: "account_closed" };
  const { id: userId, role, name, email } = user;
  try {
    const sent = await sendSms(sms, {
      actor: { sessionId: 0, userId, role, name, email },
      leadId,
      message: row.body,
      clientRef: textRef,
      templateVersionId: row.templateVersionId,
      check: (tx, lead) => checkMeanwhile(tx, row, lead),
    });
    if (sent.status === "failed") return { state: "held", reason: "not_sent" };
    await settleAnswered(sms, { leadId, sent });
    return { state: "sent" };
  } catch (error) {
    if (error instanceof HeldBack) return { state: "held", reason: error.reason };
    if (!(error instanceof AppError)) throw error;
    const fate = decideFate(error, { since: sendAt, againMs: timings.againMs });
    if ("waitMs" in fate) return { state: "waiting", ...fate };
    return { state: "held", reason: fate.leftOut === "not_yours" ? "changed_hands" : fate.leftOut };
  }
}

/** Sends texts that are due, one after the other; any process may, and a text is with one at a time. */
export async function sendDueSms(context: ScheduledContext): Promise<void> {
  const { database, log } = context.sms;
  for (;;) {
    const row = await claimScheduled(database.db);
    if (!row) return;
    try {
      await settleScheduled(database.db, row.id, await send(context, row));
      await database.transaction((tx) => publishMessages(tx, row.leadId, row.userId));
    } catch (err) {
      // It is due again in a minute; the others do not wait for it.
      log.error({ err, scheduledTextId: row.id }, "scheduled text not worked");
    }
  }
}

/** Waits of texts that go out later, in milliseconds. */
export interface ScheduledTimings {
  /** A text that could not go so long after its time is held back: what it says may be over. */
  lateMs: number;
  /** Where the provider is out of reach, its next try. */
  againMs: number;
}

export const scheduledTimings: ScheduledTimings = { lateMs: 2 * 3_600_000, againMs: 30_000 };

export type ScheduledContext = { sms: SmsContext; timings: ScheduledTimings };
