import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { leads } from "../../platform/db/schema/leads.ts";
import type { ReadLeadAgain } from "../contact-policy/service.ts";
import { refreshContact } from "./refresh-contact.ts";
import type { RunContext } from "./service.ts";

/** A person waits for it. */
const longestMs = 2_000;

/**
 * Reads a lead's contact before the lead is called or texted; null without a CRM. What comes later than 2 s is ingested all the same: the
 * lead of a call is dialled only where it may still be called then.
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
