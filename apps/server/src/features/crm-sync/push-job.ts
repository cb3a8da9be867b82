import { audienceOf, publishEvent } from "../../events/publish.ts";
import type { Queue } from "../../jobs/jobs.ts";
import type { Crm } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { splitName } from "../../values/person-name.ts";
import { recordLeadEvent } from "../timeline/service.ts";
import {
  type Claim,
  claimOutbox,
  findCrmUserId,
  noteCrmUpdate,
  type OutboxRow,
  settleOutboxRow,
} from "./data-outbox.ts";
import type { RunContext } from "./runs.ts";
import { pushQueue } from "./service.ts";

/** Tries of one change before it is given up for the rep to see and retry. */
const maxAttempts = 8;

type Sent = { at: Date | null };

/** Sends a name and reads it back: the CRM drops fields in silence. Errors: `ProviderError`, `unavailable` where it was not kept. */
async function sendName(crm: Crm, contactId: string, value: string): Promise<Sent> {
  const { firstName, lastName } = splitName(value);
  const patch = { name: value, firstName: firstName ?? "", lastName: lastName ?? "" };
  await crm.updateContact(contactId, patch);
  const kept = await crm.readContact(contactId);
  const parts = [kept.firstName, kept.lastName].filter((part) => part !== null).join(" ") || kept.name;
  if (parts?.normalize("NFC") !== value.normalize("NFC"))
    throw new ProviderError({
      provider: "gohighlevel",
      kind: "unavailable",
      message: "GoHighLevel did not keep the new name.",
    });
  return { at: kept.updatedAt };
}

/**
 * Sets the contact's do-not-disturb for texts and reads it back. A contact whose every channel is blocked stays blocked when texts are
 * allowed again: that is the CRM's own word, and the next sync takes it in. Errors: as `sendName`.
 */
async function sendTextsBlocked(crm: Crm, contactId: string, value: boolean): Promise<Sent> {
  await crm.setTextsBlocked(contactId, value);
  const kept = await crm.readContact(contactId);
  if (value && !kept.textsBlocked)
    throw new ProviderError({
      provider: "gohighlevel",
      kind: "unavailable",
      message: "GoHighLevel did not keep the do-not-disturb for texts.",
    });
  return { at: kept.updatedAt };
}

/** Hands the contact to the CRM's user of this consultant and reads it back. Errors: as `sendName`, `invalid` where there is none. */
async function sendAssignment(
  { crm, database }: RunContext & { crm: Crm },
  contactId: string,
  userId: number,
): Promise<Sent> {
  const crmUserId = await findCrmUserId(database.db, userId);
  if (crmUserId === null)
    throw new ProviderError({
      provider: "gohighlevel",
      kind: "invalid",
      message: "This consultant is not a user of GoHighLevel.",
    });
  await crm.updateContact(contactId, { assignedTo: crmUserId });
  const kept = await crm.readContact(contactId);
  if (kept.assignedTo !== crmUserId)
    throw new ProviderError({
      provider: "gohighlevel",
      kind: "unavailable",
      message: "GoHighLevel did not keep the new assignment.",
    });
  return { at: kept.updatedAt };
}

function send(
  context: RunContext & { crm: Crm },
  contactId: string,
  { field, value }: OutboxRow,
): Promise<Sent> {
  const { crm } = context;
  if (field === "assignedTo") return sendAssignment(context, contactId, Number(value));
  return field === "textsBlocked"
    ? sendTextsBlocked(crm, contactId, value === true)
    : sendName(crm, contactId, String(value));
}

/** What becomes of a change that could not be sent. */
function setback(error: unknown, row: OutboxRow) {
  if (!(error instanceof ProviderError)) return null;
  const passes = error.kind === "unavailable" || error.kind === "rate-limited";
  if (passes && row.attempts + 1 < maxAttempts)
    return { state: "pending" as const, error: error.message, retriable: true };
  return { state: "failed" as const, error: error.message, retriable: passes || error.kind === "auth" };
}

async function settle(
  context: RunContext,
  input: { claim: Claim; row: OutboxRow; sent: Sent | null; error: unknown },
): Promise<void> {
  const { claim, row, sent, error } = input;
  const outcome = sent ? { state: "sent" as const } : setback(error, row);
  if (!outcome) throw error;
  await context.database.transaction(async (tx) => {
    await settleOutboxRow(tx, row, outcome);
    if (sent) await noteCrmUpdate(tx, row.leadId, sent.at);
    const { leadId, userId, field, value } = row;
    const audience = audienceOf(claim.assignedTo, userId);
    if (outcome.state === "sent")
      await recordLeadEvent(tx, { leadId, userId, kind: "crm-pushed", data: { field, value } });
    if (outcome.state === "failed")
      await recordLeadEvent(tx, {
        leadId,
        userId,
        kind: "crm-push-failed",
        data: { field, value, reason: outcome.error },
      });
    await publishEvent(tx, { topic: "lead", id: leadId, audience });
  });
  if (outcome.state === "sent") return;
  context.log.warn({ err: error, leadId: row.leadId, state: outcome.state }, "crm push failed");
  if (outcome.state === "pending") throw error;
}

/**
 * Sends a lead's changes in their order until none waits. One worker a lead: an older value never follows a newer.
 * Errors: whatever calls for another try by the queue.
 */
export async function pushLead(context: RunContext, leadId: number): Promise<void> {
  const { crm, database } = context;
  if (!crm) return;
  for (;;) {
    const claim = await database.transaction((tx) => claimOutbox(tx, leadId));
    if (claim === "busy") throw new Error(`another worker sends the changes of lead ${leadId}`);
    if (!claim) return;
    const setbacks: unknown[] = [];
    for (const row of claim.rows) {
      const { sent, error } = await send({ ...context, crm }, claim.ghlContactId, row).then(
        (sent) => ({ sent, error: null }),
        (error: unknown) => ({ sent: null, error }),
      );
      await settle(context, { claim, row, sent, error }).catch((again: unknown) => setbacks.push(again));
    }
    if (setbacks.length > 0) throw setbacks[0];
  }
}

/** The queue of changes on their way to the CRM, for the composition root. */
export function crmPushQueue(context: RunContext): Queue<{ leadId: number }> {
  return {
    name: pushQueue,
    retryLimit: 10,
    retryDelay: 2,
    retryDelayMax: 300,
    expireInSeconds: 120,
    concurrency: 2,
    keyed: true,
    work: ({ leadId }) => pushLead(context, leadId),
  };
}
