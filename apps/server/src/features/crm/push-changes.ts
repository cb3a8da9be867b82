import { audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import { type Crm, CrmKeyMissing } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { recordLeadEvent } from "../activity/service.ts";
import {
  type Claim,
  claimOutbox,
  findCrmUserId,
  isFailureRecorded,
  noteCrmUpdate,
  type OutboxRow,
  type Outcome,
  saveNoteId,
  settleOutboxRows,
} from "../crm-outbox/repository.ts";
import { isDeletion } from "./decide-deletions.ts";
import { markContactsDeleted } from "./ingest-contacts.ts";
import {
  type ContactField,
  NotSavedError,
  planChange,
  type Ready,
  sendNotes,
  sendToContact,
} from "./send-changes.ts";
import { hasWay, type RunContext } from "./service.ts";

/** Attempts before a change is failed and left to a person to retry: in general, and for a field that the CRM did not keep. */
const maxAttempts = 8;
const notKeptAttempts = 3;

/** Our own refusal, which another attempt would not change. */
class UnsendableError extends Error {}

interface Settled {
  errors: Map<OutboxRow, unknown>;
  /** When the CRM last changed the contact, by its own clock. */
  at: Date | null;
}

function setback(error: unknown, row: OutboxRow): Exclude<Outcome, { state: "sent" }> {
  const tries = row.attempts + 1;
  if (error instanceof NotSavedError) {
    const state = tries < notKeptAttempts ? "pending" : "failed";
    return { state, error: error.message, retriable: false };
  }
  if (error instanceof UnsendableError) return { state: "failed", error: error.message, retriable: false };
  if (!(error instanceof ProviderError)) {
    const state = tries < maxAttempts ? "pending" : "failed";
    return { state, error: "Something went wrong on our side.", retriable: false };
  }
  if (error instanceof CrmKeyMissing)
    return { state: "pending", error: error.message, retriable: true, isUntried: true };
  const passes = error.kind === "unavailable" || error.kind === "rate-limited";
  if (passes && tries < maxAttempts) return { state: "pending", error: error.message, retriable: true };
  return {
    state: "failed",
    error: error.message,
    retriable: passes || error.kind === "auth" || error.kind === "not-found",
  };
}

async function prepare(context: RunContext, row: OutboxRow & { field: ContactField }): Promise<Ready> {
  if (row.field !== "assignedTo" || row.value === null) return planChange(row, null);
  const crmUserId = await findCrmUserId(context.database.db, Number(row.value));
  if (crmUserId === null) throw new UnsendableError("This consultant is not a user of GoHighLevel.");
  return planChange(row, crmUserId);
}

async function sendFields(context: RunContext, crm: Crm, claim: Claim): Promise<Settled> {
  const errors = new Map<OutboxRow, unknown>();
  const ready: Ready[] = [];
  for (const row of claim.rows) {
    if (row.field === "notes") continue;
    try {
      ready.push(await prepare(context, { ...row, field: row.field }));
    } catch (error) {
      errors.set(row, error);
    }
  }
  const sent = await sendToContact(crm, claim.ghlContactId, ready);
  const byId = new Map(claim.rows.map((row) => [row.id, row]));
  for (const [{ id }, error] of sent.errors) errors.set(byId.get(id) as OutboxRow, error);
  return { errors, at: sent.at };
}

async function sendLeadNotes(context: RunContext, crm: Crm, claim: Claim, row: OutboxRow): Promise<unknown> {
  const { db } = context.database;
  const notes = row.value === null ? null : String(row.value);
  const keep = (id: string | null) => saveNoteId(db, row.leadId, id);
  try {
    const noteId = await sendNotes(crm, claim.ghlContactId, { noteId: claim.noteId, notes }, keep);
    if (noteId === null && claim.noteId !== null) await keep(null);
    return null;
  } catch (error) {
    return error;
  }
}

/** Whether the contact was deleted: the CRM does not have it but has others of ours. */
async function isDeleted(context: RunContext, crm: Crm, contactId: string): Promise<boolean> {
  const isUnknown = await crm.readContact(contactId).then(
    () => false,
    (error: unknown) => error instanceof ProviderError && error.kind === "not-found",
  );
  return isUnknown && (await isDeletion(context, crm, contactId).catch(() => false));
}

async function settle(
  context: RunContext,
  input: { leadId: number; claim: Claim; result: Settled; gone: boolean },
): Promise<void> {
  const { leadId, claim, result, gone } = input;
  const settled = claim.rows.map((row) => {
    const error = result.errors.get(row);
    const outcome: Outcome = result.errors.has(row) ? setback(error, row) : { state: "sent" };
    return { row, outcome };
  });
  await context.database.transaction(async (tx) => {
    if (gone) await markContactsDeleted(tx, [claim.ghlContactId]);
    await settleOutboxRows(
      tx,
      leadId,
      settled.map(({ row: { id }, outcome }) => ({ id, outcome })),
    );
    if (result.at) await noteCrmUpdate(tx, leadId, result.at);
    for (const { row, outcome } of settled) {
      const { id: outboxId, userId, field, value } = row;
      if (outcome.state === "sent")
        await recordLeadEvent(tx, { leadId, userId, kind: "crm-pushed", data: { field, value } });
      if (outcome.state !== "failed") continue;
      const reason = outcome.error;
      if (await isFailureRecorded(tx, { leadId, outboxId, reason })) continue;
      const data = { field, value, reason, outboxId };
      await recordLeadEvent(tx, { leadId, userId, kind: "crm-push-failed", data });
    }
    const audience = audienceOf(claim.assignedTo, ...claim.rows.map(({ userId }) => userId));
    await publishEvent(tx, { topic: "lead", id: leadId, audience });
    await publishEvent(tx, { topic: "crm-outbox", id: leadId, audience });
  });
}

/** Sends claimed changes. Errors: the first one that calls for another attempt. */
async function pushClaim(context: RunContext, crm: Crm, leadId: number, claim: Claim): Promise<void> {
  const result = await sendFields(context, crm, claim);
  for (const row of claim.rows) {
    if (row.field !== "notes") continue;
    const error = await sendLeadNotes(context, crm, claim, row);
    if (error !== null) result.errors.set(row, error);
  }
  const failures = [...result.errors];
  const unknown = failures.some(([, error]) => error instanceof ProviderError && error.kind === "not-found");
  const gone = unknown && (await isDeleted(context, crm, claim.ghlContactId));
  await settle(context, { leadId, claim, result, gone });
  for (const [row, err] of failures)
    context.log.warn({ err, cause: (err as Error).cause, leadId, field: row.field }, "crm push failed");
  const again = failures.find(([row, error]) => setback(error, row).state === "pending");
  if (again && !gone) throw again[1];
}

/**
 * Sends a lead's changes in their order until none is pending. One worker per lead ensures that an older value never follows a newer one.
 * Errors: any that call for another attempt by the queue.
 */
export async function pushLead(context: RunContext, leadId: number): Promise<void> {
  const { crm, database } = context;
  // The changes stay pending until an administrator connects the CRM.
  if (!crm || !(await hasWay(context))) return;
  for (;;) {
    const claim = await database.transaction((tx) => claimOutbox(tx, leadId));
    if (claim === "busy") throw new Error(`another worker sends the changes of lead ${leadId}`);
    if (!claim) return;
    await pushClaim(context, crm, leadId, claim);
  }
}
