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

/** Aborts sending an SMS that is to be held back. */
class HeldBack extends Error {
  readonly reason: HoldReason;

  constructor(reason: HoldReason) {
    super(reason);
    this.reason = reason;
  }
}

/** Checked while the lead is locked, so that nothing can happen between the check and the SMS. */
async function checkMeanwhile(tx: Tx, row: ScheduledRow, lead: { assignedTo: number | null }): Promise<void> {
  if (lead.assignedTo !== row.ownerId) throw new HeldBack("changed_hands");
  const reason = await findMeanwhile(tx, row);
  if (reason) throw new HeldBack(reason);
}

async function send({ sms, timings }: ScheduledContext, row: ScheduledRow): Promise<Settled> {
  const { db } = sms.database;
  const { leadId, textRef, sendAt } = row;
  // Requested already by a worker that died afterwards.
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

/** Sends due SMS one after the other. Any process may call it; an SMS is claimed by one at a time. */
export async function sendDueSms(context: ScheduledContext): Promise<void> {
  const { database, log } = context.sms;
  for (;;) {
    const row = await claimScheduled(database.db);
    if (!row) return;
    try {
      await settleScheduled(database.db, row.id, await send(context, row));
      await database.transaction((tx) => publishMessages(tx, row.leadId, row.userId));
    } catch (err) {
      // It is due again in a minute; the others are sent now.
      log.error({ err, scheduledTextId: row.id }, "scheduled text not worked");
    }
  }
}

/** Delays of scheduled SMS, in milliseconds. */
export interface ScheduledTimings {
  /** An SMS that is late by more than this is held back, as its content may be outdated. */
  lateMs: number;
  /** Delay of the next attempt while the provider cannot be reached. */
  againMs: number;
}

export const scheduledTimings: ScheduledTimings = { lateMs: 2 * 3_600_000, againMs: 30_000 };

export type ScheduledContext = { sms: SmsContext; timings: ScheduledTimings };
