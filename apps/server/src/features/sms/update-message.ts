import type { Database, Tx } from "../../platform/db/client.ts";
import { audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import type { SmsEvent } from "../../ports/sms.ts";
import { mergeMessage } from "./machine.ts";
import { findOwner, lockOutbound, type MessageRow, updateMessage } from "./message-repository.ts";
import { optOut } from "./record-opt-out.ts";
import type { SmsContext } from "./types.ts";

/** The provider's error code for a recipient who opted out. */
export const optedOutCode = 21610;

/** Publishes a change of a lead's SMS to its owner, the writer and administrators. */
export async function publishMessages(tx: Tx, leadId: number, ...others: (number | null)[]): Promise<void> {
  const owner = await findOwner(tx, leadId);
  await publishEvent(tx, { topic: "sms", id: leadId, audience: audienceOf(owner?.assignedTo, ...others) });
}

/** Writes a new status of a locked SMS, and its consequences. */
async function writeChange(
  context: SmsContext,
  tx: Tx,
  row: MessageRow,
  next: Pick<MessageRow, "status" | "errorCode" | "messageSid" | "segments" | "fromNumber">,
): Promise<void> {
  const same = Object.entries(next).every(([key, value]) => row[key as keyof typeof next] === value);
  if (same) return updateMessage(tx, row.id, {});
  // A new status restarts the wait for the next callback.
  await updateMessage(tx, row.id, { ...next, ...(next.status !== row.status && { checkedAt: null }) });
  if (next.errorCode === optedOutCode)
    await optOut(context, tx, { number: row.toNumber, by: "provider", eventId: null });
  if (row.leadId !== null) await publishMessages(tx, row.leadId, row.userId);
}

/** Merges a provider's report into a locked SMS, independently of order and repetition. */
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

/** Marks an SMS as refused by the provider or never received by it. Any later report of the provider overrides this. */
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

/** Applies a change to an outbound SMS in one transaction with its row locked; does nothing if it does not exist. */
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
