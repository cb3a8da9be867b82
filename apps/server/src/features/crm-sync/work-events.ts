import type { Logger } from "pino";
import type { Tx } from "../../db/client.ts";
import { audienceOf, publishEvent } from "../../events/publish.ts";
import { createEventInbox, type EventInbox } from "../../jobs/event-inbox.ts";
import type { CrmCall, CrmContact, CrmReject } from "../../ports/crm.ts";
import type { CrmNews, CrmWebhooks } from "../../ports/crm-webhooks.ts";
import { recordLeadEvent } from "../timeline/service.ts";
import { findOwners, lockLeadOfContact, tieRecordings } from "./data-leads.ts";
import { queueRefresh } from "./refresh-job.ts";
import type { RunContext } from "./runs.ts";
import { takeInPage } from "./take-in-page.ts";

export interface CrmEventContext extends RunContext {
  log: Logger;
  crmWebhooks: CrmWebhooks | null;
}

/** The event is taken in at once, as far as it goes, and then the contact itself is read. */
async function applyContact(
  context: CrmEventContext,
  tx: Tx,
  { contactId, contact }: { contactId: string; contact: CrmContact | CrmReject },
): Promise<string | null> {
  const input =
    "reason" in contact ? { contacts: [], rejects: [contact] } : { contacts: [contact], rejects: [] };
  const rules = {
    defaultCountry: context.defaultCountry,
    owners: await findOwners(tx),
    from: "event",
  } as const;
  const { owners } = await takeInPage(tx, input, rules);
  if (owners.size > 0) await publishEvent(tx, { topic: "lead", id: 0, audience: audienceOf(...owners) });
  await queueRefresh(tx, context.jobs, { contactId, noteId: null });
  return "reason" in contact ? contact.reason : null;
}

/** Our own note is read again; one of somebody else stands on the timeline. */
async function applyNote(
  context: CrmEventContext,
  tx: Tx,
  kind: string,
  { contactId, noteId, body }: Extract<CrmNews, { kind: "note" }>,
): Promise<string | null> {
  const lead = await lockLeadOfContact(tx, contactId);
  if (!lead) return "no such lead";
  if (lead.noteId === noteId) {
    await queueRefresh(tx, context.jobs, { contactId, noteId });
    return null;
  }
  if (kind !== "NoteCreate" || !body?.trim()) return "another's note";
  // The note that is being written for this lead right now is told of before its id is kept.
  if (body.trim() === lead.notes?.trim()) return "our own note";
  const data = { noteId, body: body.trim() };
  await recordLeadEvent(tx, { leadId: lead.id, userId: null, kind: "crm-note", data });
  await publishEvent(tx, { topic: "lead", id: lead.id, audience: audienceOf(lead.assignedTo) });
  return null;
}

async function applyCall(tx: Tx, { byAgent, contactId, messageId, at }: CrmCall): Promise<string | null> {
  if (!byAgent) return "a person's call";
  const call = { contact_id: contactId, message_id: messageId, at: at.toISOString() };
  const owners = await tieRecordings(tx, [call]);
  if (owners.length === 0) return "no lead to tie it to";
  await publishEvent(tx, { topic: "lead", id: 0, audience: audienceOf(...owners) });
  return null;
}

/** The CRM's events: stored raw, then worked; each once. */
export function crmEventInbox(context: CrmEventContext): EventInbox<Record<string, unknown>> {
  return createEventInbox<Record<string, unknown>>(context, {
    source: "gohighlevel",
    async apply(tx, { kind, payload }) {
      const news = context.crmWebhooks?.read(payload);
      switch (news?.kind) {
        case undefined:
          return "no CRM";
        case "contact":
          return applyContact(context, tx, news);
        case "contact-deleted":
          await queueRefresh(tx, context.jobs, { contactId: news.contactId, noteId: null });
          return null;
        case "note":
          return applyNote(context, tx, kind, news);
        case "call":
          return applyCall(tx, news.call);
        case "other":
          return news.reason;
      }
    },
  });
}
