import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "@portal/contract/limits";
import { eq } from "drizzle-orm";
import { queryOnly, sql } from "../../platform/db/query.ts";
import { leads } from "../../platform/db/schema/leads.ts";
import { audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import type { Crm, CrmNoteText } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import type { ReadLeadAgain } from "../contact-policy/service.ts";
import { saveLeads } from "../leads/lead-repository.ts";
import { findOwners, lockLeadOfContact, notesAreOurs } from "./contact-repository.ts";
import { isDeletion } from "./decide-deletions.ts";
import { isContactLeft } from "./deletion-repository.ts";
import { gatherRefreshes, queueRefresh, type Refresh } from "./gather-refreshes.ts";
import { ingestContacts, markContactsDeleted } from "./ingest-contacts.ts";
import { forgetUnread } from "./run-repository.ts";
import { saysTheSame } from "./send-changes.ts";
import { hasWay, type RunContext } from "./service.ts";

/** The result, or null if the CRM does not have it. */
async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ProviderError && error.kind === "not-found") return null;
    throw error;
  }
}

/**
 * Reads a contact and ingests it, or marks its lead as deleted. With `keepsLeft` a lead that an administrator kept stays as it is. Errors:
 * `ProviderError`; `not-found` if the CRM has neither this contact nor others of ours.
 */
async function refreshContact(
  context: RunContext,
  crm: Crm,
  { contactId, keepsLeft = false }: { contactId: string; keepsLeft?: boolean },
): Promise<void> {
  const contact = await orNull(crm.readContact(contactId));
  if (!contact && keepsLeft && (await isContactLeft(context.database.db, contactId))) return;
  if (!contact && !(await isDeletion(context, crm, contactId)))
    throw new ProviderError({
      provider: "gohighlevel",
      kind: "not-found",
      message: "GoHighLevel has none of our contacts.",
    });
  await context.database.transaction(async (tx) => {
    const rules = {
      defaultCountry: context.defaultCountry,
      owners: await findOwners(tx),
      from: "contact",
    } as const;
    const ingested =
      contact && (await ingestContacts(context, tx, { contacts: [contact], rejects: [] }, rules));
    const { owners } = ingested ?? (await markContactsDeleted(tx, [contactId]));
    if (!ingested || ingested.refused.length === 0) await forgetUnread(tx, [contactId]);
    if (owners.size > 0) await publishEvent(tx, { topic: "lead", id: 0, audience: audienceOf(...owners) });
  });
}

/** Whether a note is what we wrote (text that looks like a tag was typed here), or only wrapped by the vendor's editor. */
function isOurs(note: CrmNoteText | null, notes: string | null): boolean {
  if (note === null || notes === null) return false;
  return note.body.trim() === notes.trim() || (note.body.trim() !== note.text && saysTheSame(note, notes));
}

/** Reads the note that holds the lead's notes. An edit made in the CRM wins, unless our notes are pending or were sent meanwhile. */
async function refreshNote(context: RunContext, crm: Crm, contactId: string, noteId: string): Promise<void> {
  const { since } = await queryOnly<{ since: Date }>(
    context.database.db,
    sql`select clock_timestamp() as since`,
  );
  const note = await orNull(crm.readNote(contactId, noteId));
  await context.database.transaction(async (tx) => {
    const lead = await lockLeadOfContact(tx, contactId);
    if (!lead || lead.noteId !== noteId || (await notesAreOurs(tx, lead.id, since))) return;
    const notes = isOurs(note, lead.notes)
      ? lead.notes
      : note?.text.slice(0, limits.notesMaxLength).toWellFormed() || null;
    const isNew = notes !== lead.notes;
    const data = { changes: { notes: { before: lead.notes, after: notes } } };
    const events = isNew ? [{ kind: "crm-synced" as const, data }] : [];
    // The note was deleted, so the next change creates a new one.
    const changes = { notes, crmNoteId: note === null ? null : noteId };
    await saveLeads(tx, [{ leadId: lead.id, userId: null, changes, events }]);
    if (!isNew) return;
    await publishEvent(tx, { topic: "lead", id: lead.id, audience: audienceOf(lead.assignedTo) });
  });
}

/** Delay between attempts while there is no connection to the CRM. */
const waitSeconds = 60;

/** Reads what an event named, by pages if very many wait; does nothing without a CRM. */
export async function workRefresh(context: RunContext, refresh: Refresh): Promise<void> {
  const { crm, database, jobs } = context;
  if (!crm) return;
  if (!(await hasWay(context)))
    return database.transaction((tx) => queueRefresh(tx, jobs, refresh, waitSeconds));
  const { contactId, noteId, alone } = refresh;
  if (alone === false && (await gatherRefreshes(context, refresh))) return;
  if (noteId === null) await refreshContact(context, crm, { contactId });
  else await refreshNote(context, crm, contactId, noteId);
}

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
