import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { leads } from "../../platform/db/schema/leads.ts";
import type { ReadLeadAgain } from "../contact-policy/service.ts";
import { refreshContact } from "./refresh-contact.ts";
import type { RunContext } from "./service.ts";

/** A person waits for the answer. */
const longestMs = 2_000;

/**
 * Returns a function that reads a lead's contact before a call or SMS, or null without a CRM. An answer after 2 s is still ingested; before
 * dialing, the contact policy is checked once more.
 */
export function createLeadReader(context: RunContext): ReadLeadAgain | null {
  const { crm, database, log } = context;
  if (!crm) return null;
  return async (leadId) => {
    const [lead] = await database.db
      .select({ contactId: leads.ghlContactId })
      .from(leads)
      .where(eq(leads.id, leadId));
    if (!lead?.contactId) return true;
    const ended = new AbortController();
    const read = refreshContact(context, crm, { contactId: lead.contactId, keepsLeft: true }).then(
      () => true,
      (err: unknown) => {
        log.warn({ err, leadId }, "contact not read before contacting the lead");
        return false;
      },
    );
    const late = sleep(longestMs, false, { signal: ended.signal, ref: false }).catch(() => false);
    try {
      return await Promise.race([read, late]);
    } finally {
      ended.abort();
    }
  };
}
