import type { Tx } from "../../platform/db/client.ts";
import { audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit, recordLeadEvents } from "../activity/service.ts";
import { queueCrmChange } from "../crm-outbox/service.ts";
import { blockNumber, type LeadOfNumber, saveWish, unblockNumber } from "./number-repository.ts";
import type { SmsContext } from "./types.ts";

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
