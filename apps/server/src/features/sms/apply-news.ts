import type { Tx } from "../../db/client.ts";
import { audienceOf, publishEvent } from "../../events/publish.ts";
import type { TextNews } from "../../ports/texting.ts";
import { findOwner, type MessageRow, updateMessage } from "./data.ts";
import { mergeText } from "./machine.ts";
import { optOut } from "./opt-out.ts";
import type { SmsContext } from "./service.ts";

/** The provider's code for somebody who opted out. */
export const optedOutCode = 21610;

/** Tells the owner, the writer and the administrators that a lead's texts changed. */
export async function announceTexts(tx: Tx, leadId: number, ...others: (number | null)[]): Promise<void> {
  const owner = await findOwner(tx, leadId);
  await publishEvent(tx, { topic: "sms", id: leadId, audience: audienceOf(owner?.assignedTo, ...others) });
}

/** Writes what became of a locked text, and what follows from it. */
async function write(
  context: SmsContext,
  tx: Tx,
  row: MessageRow,
  next: Pick<MessageRow, "status" | "errorCode" | "messageSid" | "segments">,
): Promise<void> {
  const same = Object.entries(next).every(([key, value]) => row[key as keyof typeof next] === value);
  if (same) return updateMessage(tx, row.id, {});
  // A new status is a new reason to ask, should nothing more be heard.
  await updateMessage(tx, row.id, { ...next, ...(next.status !== row.status && { checkedAt: null }) });
  if (next.errorCode === optedOutCode)
    await optOut(context, tx, { number: row.toNumber, by: "provider", eventId: null });
  if (row.leadId !== null) await announceTexts(tx, row.leadId, row.userId);
}

/** Joins the provider's news with what is known of a locked text. Order and repetition make no difference. */
export async function applyTextNews(
  context: SmsContext,
  tx: Tx,
  row: MessageRow,
  news: TextNews & { segments?: number | null },
): Promise<void> {
  const { status, errorCode, messageSid } = row;
  const merged = mergeText({ status, errorCode, sid: messageSid }, news);
  await write(context, tx, row, {
    status: merged.status,
    errorCode: merged.errorCode,
    messageSid: merged.sid,
    segments: news.segments ?? row.segments,
  });
}

/** The provider refused the text, or never got it. Any word of the provider about it outranks this. */
export async function applyRefusal(
  context: SmsContext,
  tx: Tx,
  row: MessageRow,
  errorCode: number | null,
): Promise<void> {
  if (row.messageSid !== null || row.status !== "requested") return;
  await write(context, tx, row, { status: "failed", errorCode, messageSid: null, segments: row.segments });
}
