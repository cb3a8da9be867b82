import type { Crm, CrmCursor, CrmFound, CrmReject } from "../../ports/crm.ts";
import { linkUsers, tieRecordings } from "./contact-repository.ts";
import { ingestContacts, preparePage, readChanges } from "./ingest-contacts.ts";
import type { ContactRules } from "./merge-contact.ts";
import { firstMissing, missingReader } from "./read-missing.ts";
import {
  findKnownUntil,
  findMet,
  noteUnread,
  nothing,
  type ReadPage,
  type RunRow,
} from "./run-repository.ts";
import type { RunContext } from "./service.ts";

/** The search index lags behind writes, and clocks differ, so changes are read again from this long before the newest known one. */
const overlapMs = 10 * 60_000;
function rejectText({ label, reason }: CrmReject): string {
  return `${label} ${reason}`;
}

function newestOf(found: CrmFound[]): Date | null {
  const times = found.map(({ updatedAt }) => updatedAt?.getTime() ?? 0);
  const newest = Math.max(0, ...times);
  return newest > 0 ? new Date(newest) : null;
}

type ContactKind = "assigned" | "all" | "changes";

async function contactReader(
  context: RunContext,
  crm: Crm,
  run: RunRow,
  kind: ContactKind,
): Promise<ReadPage> {
  const { db } = context.database;
  const owners = await linkUsers(db, await crm.listUsers());
  const rules: ContactRules = { defaultCountry: context.defaultCountry, owners, from: "search" };
  const knownUntil = kind === "changes" ? await findKnownUntil(db) : null;
  const changedSince = knownUntil && new Date(knownUntil.at.getTime() - overlapMs);
  const everyone = kind === "all" || knownUntil?.everyone === true;
  const wanted = ({ assignedTo }: { assignedTo: string | null }) =>
    everyone || (assignedTo !== null && owners.has(assignedTo));
  const readMissing = missingReader(context, crm, run, rules);

  const met = await findMet(db, run.id);
  /** Contacts of the page being written; they count as met after the commit, as a page may be written twice. */
  let latest: { page: unknown; ids: string[] } = { page: null, ids: [] };
  /** Most of the previous page was new or changed, as in a first sync. */
  let expectChanges = false;
  return async (cursor) => {
    const missing = readMissing(cursor);
    if (missing) return missing;
    const page = await crm.contactPage({ cursor, changedSince });
    const prepared = preparePage(page.found, rules, { expectChanges });
    const afterLast: CrmCursor | null = changedSince ? null : firstMissing;
    return {
      next: page.next ?? afterLast,
      mayReadAhead: page.next !== null,
      async write(tx) {
        const { named } = prepared;
        const input = await readChanges(tx, prepared);
        expectChanges = input.contacts.length > named.length / 2;
        const ingested = await ingestContacts(context, tx, { ...input, mayJoin: wanted }, rules);
        const rejects = [...input.rejects, ...ingested.refused];
        const rejected = rejects.map(({ externalId }) => externalId).filter((id) => id !== null);
        if (latest.page !== page) for (const id of latest.ids) met.add(id);
        latest = { page, ids: [...new Set([...named.map(({ id }) => id), ...rejected])] };
        if (kind !== "changes") await noteUnread(tx, run.id, rejected);
        const refused = new Set(rejected);
        const readable = named.filter(({ id }) => !refused.has(id));
        const counted = readable
          .filter((contact) => wanted(contact) && !met.has(contact.id))
          .map(({ id }) => id);
        const fresh = counted.filter((id) => ingested.created.has(id) || ingested.changed.has(id));
        return {
          synced: kind === "changes" ? fresh.length : counted.length,
          created: ingested.created.size,
          changed: ingested.changed.size,
          deleted: 0,
          newest: newestOf(readable),
          errors: rejects.map(rejectText),
          met: latest.ids,
          owners: ingested.owners,
        };
      },
    };
  };
}

function callReader(crm: Crm): ReadPage {
  return async (cursor) => {
    const page = await crm.callPage({ cursor });
    const newest = new Map<string, Parameters<typeof tieRecordings>[1][number]>();
    for (const { contactId, messageId, at, durationSeconds, byAgent } of page.calls) {
      const known = newest.get(contactId);
      const call = {
        contact_id: contactId,
        message_id: messageId,
        at: at.toISOString(),
        duration_seconds: durationSeconds,
      };
      if (byAgent && (!known || known.at < call.at)) newest.set(contactId, call);
    }
    return {
      next: page.next,
      mayReadAhead: true,
      async write(tx) {
        const owners = await tieRecordings(tx, [...newest.values()]);
        return { ...nothing, synced: owners.length, changed: owners.length, owners };
      },
    };
  };
}

/** Returns how the pages of a run are read and written. Errors: `ProviderError` of the list of users. */
export async function pageReader(context: RunContext, crm: Crm, run: RunRow): Promise<ReadPage> {
  return run.kind === "recordings" ? callReader(crm) : contactReader(context, crm, run, run.kind);
}
