import type { Tx } from "../../db/client.ts";
import type { Crm, CrmCursor, CrmReject } from "../../ports/crm.ts";
import { linkUsers, tieRecordings } from "./data-leads.ts";
import { findCounted, keepCounted, type RunRow } from "./data-runs.ts";
import type { PlanRules } from "./lead-plan.ts";
import type { RunContext } from "./runs.ts";
import { takeIn } from "./take-in.ts";

/** What a page did: how many it took in, what went wrong in words, and whose lists changed. */
export interface PageResult {
  synced: number;
  errors: string[];
  owners: Iterable<number | null>;
}

/** A page that was read, and how it is written; reading holds no connection. */
export interface Page {
  next: CrmCursor | null;
  write(tx: Tx): Promise<PageResult>;
}

export type ReadPage = (cursor: CrmCursor | null) => Promise<Page>;

function rejectText({ label, reason }: CrmReject): string {
  return `${label} ${reason}`;
}

async function contactReader(
  context: RunContext,
  crm: Crm,
  { id: runId, kind }: Pick<RunRow, "id" | "kind">,
): Promise<ReadPage> {
  const owners = await linkUsers(context.database.db, await crm.listUsers());
  const rules: PlanRules = { defaultCountry: context.defaultCountry, owners };
  const wanted = (assignedTo: string | null) =>
    kind === "all" || (assignedTo !== null && owners.has(assignedTo));
  // A contact that changes during the run comes twice: counted once.
  const counted = await findCounted(context.database.db, runId);

  return async (cursor) => {
    const page = await crm.contactPage({ cursor });
    const contacts = page.contacts.filter(({ assignedTo }) => wanted(assignedTo));
    const fresh = [...new Set(contacts.map(({ id }) => id))].filter((id) => !counted.has(id));
    for (const id of fresh) counted.add(id);
    return {
      next: page.next,
      async write(tx) {
        const taken = await takeIn(tx, { contacts, rejects: page.rejects }, rules);
        if (fresh.length > 0) await keepCounted(tx, { runId, contactIds: fresh });
        return { synced: fresh.length, errors: page.rejects.map(rejectText), owners: taken.owners };
      },
    };
  };
}

function callReader(crm: Crm): ReadPage {
  return async (cursor) => {
    const page = await crm.callPage({ cursor });
    const newest = new Map<string, { contact_id: string; message_id: string; at: string }>();
    for (const { contactId, messageId, at, byAgent } of page.calls) {
      const known = newest.get(contactId);
      const call = { contact_id: contactId, message_id: messageId, at: at.toISOString() };
      if (byAgent && (!known || known.at < call.at)) newest.set(contactId, call);
    }
    return {
      next: page.next,
      async write(tx) {
        const owners = await tieRecordings(tx, [...newest.values()]);
        return { synced: owners.length, errors: [], owners };
      },
    };
  };
}

/** How the pages of a run are read and written. Errors: `ProviderError` of the users' list. */
export async function pageReader(context: RunContext, crm: Crm, run: RunRow): Promise<ReadPage> {
  return run.kind === "recordings" ? callReader(crm) : contactReader(context, crm, run);
}
