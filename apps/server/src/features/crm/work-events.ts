import type { Logger } from "pino";
import type { Tx } from "../../platform/db/client.ts";
import { createEventInbox, type EventInbox } from "../../platform/jobs/event-inbox.ts";
import { audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import type { CrmCall, CrmContact, CrmEvent, CrmReject, CrmWebhooks } from "../../ports/crm.ts";
import { recordLeadEvent } from "../activity/service.ts";
import { applyAppEvent } from "../crm-connection/install.ts";
import { ownLocation } from "../crm-connection/read-own-connection.ts";
import type { CrmConnectionContext } from "../crm-connection/types.ts";
import { findOwners, lockLeadOfContact, tieRecordings } from "./contact-repository.ts";
import { queueRefresh } from "./gather-refreshes.ts";
import { ingestContacts } from "./ingest-contacts.ts";
import type { RunContext } from "./service.ts";

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
