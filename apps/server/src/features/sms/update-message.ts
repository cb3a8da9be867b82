import type { MessageStatus } from "@portal/contract/entities/message";
import type { Database, Tx } from "../../platform/db/client.ts";
import { audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import type { SmsEvent, SmsStatus } from "../../ports/sms.ts";
import { recordAudit, recordLeadEvents } from "../activity/service.ts";
import { queueCrmChange } from "../crm-outbox/service.ts";
import { findOwner, lockOutbound, type MessageRow, updateMessage } from "./message-repository.ts";
import { blockNumber, type LeadOfNumber, saveWish, unblockNumber } from "./number-repository.ts";
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

/** Facts about an outbound SMS. */
export interface MessageFacts {
  status: MessageStatus;
  errorCode: number | null;
  /** The provider's id; null until the provider has answered or called back. */
  sid: string | null;
}

/** Order of the statuses; of two final ones the better wins, in either order of arrival. */
const ranks: Record<MessageStatus, number> = {
  requested: 0,
  queued: 1,
  sending: 2,
  sent: 3,
  failed: 4,
  undelivered: 5,
  delivered: 6,
  received: 7,
};

function failed(status: MessageStatus): boolean {
  return status === "failed" || status === "undelivered";
}

/** The larger of two error codes, so that the order of events does not matter. */
function larger(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

/**
 * Merges a provider's report into the known facts. The status only moves forward, so events may arrive late, repeated or in any order. A
 * status that we concluded ourselves without the provider ("never sent") is replaced by any report.
 */
export function mergeMessage(
  known: MessageFacts,
  reported: { sid: string; status: SmsStatus | null; errorCode: number | null },
): MessageFacts {
  const base: MessageFacts = known.sid === null ? { status: "requested", errorCode: null, sid: null } : known;
  const status =
    reported.status !== null && ranks[reported.status] > ranks[base.status] ? reported.status : base.status;
  const code = failed(reported.status ?? "requested") ? reported.errorCode : null;
  const errorCode = failed(status) ? larger(base.errorCode, code) : null;
  return { status, errorCode, sid: base.sid ?? reported.sid };
}

interface Wish {
  number: string;
  /** Who reported it: the person by a keyword, or the provider by refusing an SMS. */
  by: "keyword" | "provider";
}

async function recordChange(
  context: Pick<SmsContext, "jobs">,
  tx: Tx,
  changed: LeadOfNumber[],
  { kind, by }: { kind: "opted-out" | "opted-in"; by: Wish["by"] },
): Promise<void> {
  const value = kind === "opted-out";
  const data = { channel: "text", by };
  await recordLeadEvents(
    tx,
    changed.map(({ id }) => ({ leadId: id, userId: null, kind, data })),
  );
  for (const { id, assignedTo } of changed) {
    await recordAudit(tx, { userId: null, action: `text-${kind}`, subject: `lead:${id}`, data: { by } });
    await queueCrmChange(tx, context.jobs, { leadId: id, field: "textsBlocked", value, userId: null });
    const audience = audienceOf(assignedTo);
    await publishEvent(tx, { topic: "lead", id, audience });
    await publishEvent(tx, { topic: "sms", id, audience });
  }
}

/**
 * Blocks SMS to this number and its leads, with timeline, audit and the CRM's do-not-disturb. `eventId` is the SMS that asked for it, if
 * any.
 */
export async function optOut(
  context: Pick<SmsContext, "jobs">,
  tx: Tx,
  { number, by, eventId }: Wish & { eventId: number | null },
): Promise<void> {
  if (!(await saveWish(tx, { number, stopped: true, eventId }))) return;
  await recordChange(context, tx, await blockNumber(tx, number), { kind: "opted-out", by });
}

/** Unblocks this number and the leads that a stop had blocked. */
export async function optIn(
  context: Pick<SmsContext, "jobs">,
  tx: Tx,
  { number, eventId }: { number: string; eventId: number },
): Promise<void> {
  if (!(await saveWish(tx, { number, stopped: false, eventId }))) return;
  await recordChange(context, tx, await unblockNumber(tx, number), { kind: "opted-in", by: "keyword" });
}
