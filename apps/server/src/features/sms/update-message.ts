import type { Database, Tx } from "../../platform/db/client.ts";
import { audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import type { SmsEvent } from "../../ports/sms.ts";
import { mergeMessage } from "./machine.ts";
import { findOwner, lockOutbound, type MessageRow, updateMessage } from "./message-repository.ts";
import { optOut } from "./record-opt-out.ts";
import type { SmsContext } from "./types.ts";

/** The provider's code for somebody who opted out. */
export const optedOutCode = 21610;

/** Tells the owner, the writer and the administrators that a lead's texts changed. */
export async function publishMessages(tx: Tx, leadId: number, ...others: (number | null)[]): Promise<void> {
  const owner = await findOwner(tx, leadId);
  await publishEvent(tx, { topic: "sms", id: leadId, audience: audienceOf(owner?.assignedTo, ...others) });
}

/** Writes what became of a locked text, and what follows from it. */
async function writeChange(
  context: SmsContext,
  tx: Tx,
  row: MessageRow,
  next: Pick<MessageRow, "status" | "errorCode" | "messageSid" | "segments" | "fromNumber">,
): Promise<void> {
  const same = Object.entries(next).every(([key, value]) => row[key as keyof typeof next] === value);
  if (same) return updateMessage(tx, row.id, {});
  // A new status is a new reason to ask, should no callback follow.
  await updateMessage(tx, row.id, { ...next, ...(next.status !== row.status && { checkedAt: null }) });
  if (next.errorCode === optedOutCode)
    await optOut(context, tx, { number: row.toNumber, by: "provider", eventId: null });
  if (row.leadId !== null) await publishMessages(tx, row.leadId, row.userId);
}

/** Joins what the provider reports with what is known of a locked text. Order and repetition make no difference. */
export async function applyMessageUpdate(
  context: SmsContext,
  tx: Tx,
  row: MessageRow,
  reported: SmsEvent & { segments?: number | null },
): Promise<void> {
  const { status, errorCode, messageSid } = row;
  const merged = mergeMessage({ status, errorCode, sid: messageSid }, reported);
  await writeChange(context, tx, row, {
    status: merged.status,
    errorCode: merged.errorCode,
    messageSid: merged.sid,
    segments: reported.segments ?? row.segments,
    fromNumber: reported.from ?? row.fromNumber,
  });
}

/** The provider refused the text, or never got it. Any word of the provider about it outranks this. */
export async function markRefused(
  context: SmsContext,
  tx: Tx,
  row: MessageRow,
  errorCode: number | null,
): Promise<void> {
  if (row.messageSid !== null || row.status !== "requested") return;
  await writeChange(context, tx, row, {
    status: "failed",
    errorCode,
    messageSid: null,
    segments: row.segments,
    fromNumber: row.fromNumber,
  });
}

/** Applies what is known of an outbound text to its locked row, in one transaction; nothing happens where the row is not there. */
export async function withLockedMessage(
  context: { database: Database },
  messageId: number,
  apply: (tx: Tx, row: MessageRow) => Promise<void>,
): Promise<void> {
  await context.database.transaction(async (tx) => {
    const row = await lockOutbound(tx, { id: messageId });
    if (row) await apply(tx, row);
  });
}
