import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { faultOfValue } from "../../domain/read-lead-record.ts";
import type { Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import { answerToBeRepeated } from "../../platform/http/error-handler.ts";
import { createEventInbox, createWorker, type EventInbox } from "../../platform/jobs/event-inbox.ts";
import { audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import type { CrmCall, CrmContact, CrmEvent, CrmReject, CrmWebhooks } from "../../ports/crm.ts";
import { recordLeadEvent } from "../activity/service.ts";
import { applyAppEvent } from "../crm-connection/install.ts";
import { ownLocation } from "../crm-connection/refresh.ts";
import type { CrmConnectionContext } from "../crm-connection/types.ts";
import { findOwners, lockLeadOfContact, tieRecordings } from "./contact-repository.ts";
import { queueRefresh } from "./gather-refreshes.ts";
import { ingestContacts } from "./ingest-contacts.ts";
import type { RunContext } from "./service.ts";

/** Events hold whole emails and notes. A larger one is rejected for good, and its change is found by the next sync. */
const bodyLimit = 5 * 1024 * 1024;
/** The CRM retries an event for an hour with its first timestamp; an older one is a replay. */
const oldestMs = 2 * 3_600_000;
/** Tolerance for clock differences. */
const aheadMs = 5 * 60_000;

function isUntimely(sentAt: Date | null): boolean {
  const age = sentAt ? Date.now() - sentAt.getTime() : 0;
  return age > oldestMs || age < -aheadMs;
}

function parsed(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString("utf8"));
  } catch {
    return null;
  }
}

function readPayload(raw: Buffer): Record<string, unknown> {
  const payload = parsed(raw);
  if (typeof payload !== "object" || payload === null || Array.isArray(payload))
    throw new AppError("invalid", "The event is not a JSON object.");
  // A legitimate event is not nested so deeply, and PostgreSQL could not store it.
  if (faultOfValue(payload) === "too_deep") throw new AppError("invalid", "The event is nested too deeply.");
  return payload as Record<string, unknown>;
}

/**
 * Receives the CRM's events, signed over the raw body and at most two hours old. An event is stored by one insert, answered, and worked
 * afterwards; a repeat is dropped by its key. If it cannot be stored the answer is 429, the only status after which the CRM retries.
 * Unsigned requests are rate limited by address. Types without a meaning here are stored and answered too.
 */
export async function registerCrmWebhooks(app: FastifyInstance, context: CrmEventContext): Promise<void> {
  const { crmWebhooks } = context;
  if (!crmWebhooks) return;
  const inbox = crmEventInbox(context);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit }, (_request, body, done) =>
      done(null, body),
    );
    const worker = createWorker(inbox.work, (error) =>
      context.log.error({ err: error }, "crm events not worked"),
    );
    scope.addHook("onClose", worker.settled);
    scope.setErrorHandler(answerToBeRepeated);
    // Rejected before its body is read.
    scope.addHook("onRequest", async (request) => {
      if (typeof request.headers["x-ghl-signature"] !== "string") throw await app.refuseSignature(request);
    });
    scope.post("/api/ghl/webhook", { schema: { hide: true } }, async (request) => {
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const signature = request.headers["x-ghl-signature"];
      if (!crmWebhooks.isSigned(raw, String(signature))) throw await app.refuseSignature(request);
      const payload = readPayload(raw);
      const { key, type, sentAt } = crmWebhooks.identify(payload, raw);
      if (isUntimely(sentAt)) {
        request.log.warn({ path: "/api/ghl/webhook", address: request.ip }, "webhook refused: age");
        throw new AppError("signature_invalid", "The event was not sent in the last two hours.");
      }
      await inbox.store({ key, kind: type, payload });
      worker.wake();
      return { status: "ok" };
    });
  });
}

export interface CrmEventContext extends RunContext {
  log: Logger;
  crmWebhooks: CrmWebhooks | null;
  crmConnection: CrmConnectionContext;
}

/** Ingests the event's fields at once, and queues a read of the contact. */
async function applyContact(
  context: CrmEventContext,
  tx: Tx,
  { contactId, contact }: { contactId: string; contact: CrmContact | CrmReject },
): Promise<string | null> {
  const batch =
    "reason" in contact ? { contacts: [], rejects: [contact] } : { contacts: [contact], rejects: [] };
  const rules = {
    defaultCountry: context.defaultCountry,
    owners: await findOwners(tx),
    from: "event",
  } as const;
  const { owners, refused } = await ingestContacts(context, tx, batch, rules);
  if (owners.size > 0) await publishEvent(tx, { topic: "lead", id: 0, audience: audienceOf(...owners) });
  await queueRefresh(tx, context.jobs, { contactId, noteId: null, alone: false });
  return ("reason" in contact ? contact.reason : refused[0]?.reason) ?? null;
}

/** An event for our own note queues a read; a note of another author becomes a timeline entry. */
async function applyNote(
  context: CrmEventContext,
  tx: Tx,
  kind: string,
  { contactId, noteId, note }: Extract<CrmEvent, { kind: "note" }>,
): Promise<string | null> {
  const lead = await lockLeadOfContact(tx, contactId);
  if (!lead) return "no such lead";
  if (lead.noteId === noteId) {
    await queueRefresh(tx, context.jobs, { contactId, noteId, alone: true });
    return null;
  }
  if (kind !== "NoteCreate" || !note?.text) return "another's note";
  // The event of a note that is being written for this lead may arrive before the note's id is stored.
  if (note.body.trim() === lead.notes?.trim()) return "our own note";
  const data = { noteId, body: note.text };
  await recordLeadEvent(tx, { leadId: lead.id, userId: null, kind: "crm-note", data });
  await publishEvent(tx, { topic: "lead", id: lead.id, audience: audienceOf(lead.assignedTo) });
  return null;
}

async function applyCall(
  tx: Tx,
  { byAgent, contactId, messageId, at, durationSeconds }: CrmCall,
): Promise<string | null> {
  if (!byAgent) return "a person's call";
  const call = {
    contact_id: contactId,
    message_id: messageId,
    at: at.toISOString(),
    duration_seconds: durationSeconds,
  };
  const owners = await tieRecordings(tx, [call]);
  if (owners.length === 0) return "no lead to tie it to";
  await publishEvent(tx, { topic: "lead", id: 0, audience: audienceOf(...owners) });
  return null;
}

/** The CRM's events, stored raw and then worked, each once. */
export function crmEventInbox(context: CrmEventContext): EventInbox<Record<string, unknown>> {
  return createEventInbox<Record<string, unknown>>(context, {
    source: "gohighlevel",
    async apply(tx, { kind, payload }) {
      const ours = await ownLocation(context.crmConnection, tx);
      const event = context.crmWebhooks?.read(payload, ours);
      switch (event?.kind) {
        case undefined:
          return "no CRM";
        case "contact":
          return applyContact(context, tx, event);
        case "contact-deleted":
          // A search may still list the contact for a while.
          await queueRefresh(tx, context.jobs, { contactId: event.contactId, noteId: null, alone: true });
          return null;
        case "note":
          return applyNote(context, tx, kind, event);
        case "call":
          return applyCall(tx, event.call);
        case "app":
          return applyAppEvent(tx, context.crmConnection, event);
        case "other":
          return event.reason;
      }
    },
  });
}
