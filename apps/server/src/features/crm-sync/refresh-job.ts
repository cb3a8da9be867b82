import { limits } from "@portal/contract/limits";
import type { Tx } from "../../db/client.ts";
import { audienceOf, publishEvent } from "../../events/publish.ts";
import type { Jobs, Queue } from "../../jobs/jobs.ts";
import type { Crm } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { recordLeadEvent } from "../timeline/service.ts";
import { findOwners, lockLeadOfContact, notesAreOurs, writeNotes } from "./data-leads.ts";
import { takeGone } from "./gone.ts";
import type { RunContext } from "./runs.ts";
import { takeInPage } from "./take-in-page.ts";

const refreshQueue = "crm-refresh";

/** What the CRM told of, to be read from it: a contact, or one of its notes. */
interface Refresh {
  contactId: string;
  noteId: string | null;
}

/** Queues the reading of what an event told of; several events of one thing are one reading. */
export async function queueRefresh(tx: Tx, jobs: Pick<Jobs, "enqueue">, refresh: Refresh): Promise<void> {
  const key = [refresh.contactId, refresh.noteId ?? ""].join(":");
  await jobs.enqueue(tx, refreshQueue, refresh, { key });
}

/** What was asked for, or null where the CRM does not have it. */
async function orGone<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ProviderError && error.kind === "not-found") return null;
    throw error;
  }
}

async function refreshContact(context: RunContext, crm: Crm, contactId: string): Promise<void> {
  const contact = await orGone(crm.readContact(contactId));
  await context.database.transaction(async (tx) => {
    const rules = {
      defaultCountry: context.defaultCountry,
      owners: await findOwners(tx),
      from: "contact",
    } as const;
    const { owners } = contact
      ? await takeInPage(tx, { contacts: [contact], rejects: [] }, rules)
      : await takeGone(tx, [contactId]);
    if (owners.size > 0) await publishEvent(tx, { topic: "lead", id: 0, audience: audienceOf(...owners) });
  });
}

/** The note that holds the lead's notes: what someone wrote there counts, unless ours are on their way or came there meanwhile. */
async function refreshNote(context: RunContext, crm: Crm, contactId: string, noteId: string): Promise<void> {
  const { rows } = await context.database.pool.query<{ now: Date }>("select clock_timestamp() as now");
  const since = rows[0]?.now ?? new Date();
  const body = await orGone(crm.readNote(contactId, noteId));
  await context.database.transaction(async (tx) => {
    const lead = await lockLeadOfContact(tx, contactId);
    if (!lead || lead.noteId !== noteId || (await notesAreOurs(tx, lead.id, since))) return;
    const notes = body?.trim().slice(0, limits.notesMaxLength) || null;
    await writeNotes(tx, { leadId: lead.id, notes, noteId: body === null ? null : noteId });
    if (notes === lead.notes) return;
    const data = { changes: { notes: { before: lead.notes, after: notes } } };
    await recordLeadEvent(tx, { leadId: lead.id, userId: null, kind: "crm-synced", data });
    await publishEvent(tx, { topic: "lead", id: lead.id, audience: audienceOf(lead.assignedTo) });
  });
}

/** The queue of what events told of, for the composition root. One at a time: it is never more than a part of the CRM's limit. */
export function crmRefreshQueue(context: RunContext): Queue<Refresh> {
  return {
    name: refreshQueue,
    retryLimit: 10,
    retryDelay: 2,
    retryDelayMax: 300,
    expireInSeconds: 60,
    concurrency: 1,
    keyed: true,
    async work({ contactId, noteId }) {
      const { crm } = context;
      if (!crm) return;
      if (noteId === null) await refreshContact(context, crm, contactId);
      else await refreshNote(context, crm, contactId, noteId);
    },
  };
}
