import type { Crm, CrmContact } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import {
  countMissing,
  findDoubtfulLeads,
  findOtherContacts,
  listDeleted,
  noteDeleted,
} from "./deletion-repository.ts";
import { ingestContacts, markContactsDeleted } from "./ingest-contacts.ts";
import type { ContactRules } from "./merge-contact.ts";
import {
  forgetUnread,
  noteUnread,
  nothing,
  type Page,
  type ReadPage,
  type RunRow,
} from "./run-repository.ts";
import type { RunContext } from "./service.ts";

/** Contacts that a run did not meet are asked for one by one, so many between two writes; and so many are marked at once. */
const askedAtOnce = 20;
const markedAtOnce = 500;
/** Cursors of these last parts begin with a word that no cursor of the CRM's has. */
const missingPart = "missing";
const markPart = "mark";
/** Where the asking for missing contacts begins: after which lead, and how many were asked for. */
export const firstMissing = [missingPart, 0, 0];

/** How many contacts a held run has asked for. */
export function askedOf(cursor: unknown[] | null): number {
  return cursor?.[0] === missingPart ? Number(cursor[2]) : 0;
}

/** Deletions are marked without a question up to this share of the leads, and always where they are fewer than this. */
const usualShare = 0.02;
const usualCount = 20;

/**
 * Whether so many deletions need a person's decision: more than 2 % of the leads and at least 20; or any where not one of the leads was met:
 * then it is more likely that the wrong location was asked.
 */
export function needsDecision(found: { deleted: number; leads: number; missing: number }): boolean {
  const { deleted, leads, missing } = found;
  if (deleted === 0) return false;
  return missing === leads || (deleted >= usualCount && deleted > leads * usualShare);
}

/** A contact that was asked for, or why there is none. Errors: `rate-limited`. */
async function lookFor(crm: Crm, contactId: string): Promise<CrmContact | ProviderError> {
  try {
    return await crm.readContact(contactId, { patient: true });
  } catch (error) {
    if (error instanceof ProviderError && error.kind !== "rate-limited") return error;
    throw error;
  }
}

/** Whether a failure is an answer about the contact that was asked for. */
const isAnswer = ({ kind }: ProviderError) => kind === "not-found" || kind === "invalid";

/** From a contact that cannot be served nothing follows for others, as long as the CRM answers for another one. Errors: its failure where it does not. */
async function checkAnswers({ database }: RunContext, crm: Crm, contactId: string, failure: ProviderError) {
  const [other] = await findOtherContacts(database.db, contactId, 1);
  const control = other === undefined ? failure : await lookFor(crm, other);
  if (control instanceof ProviderError && !isAnswer(control)) throw failure;
}

/**
 * Whether a contact that the CRM says it does not have was deleted. Where it has none of some other leads' contacts either, the wrong
 * location is asked, and nothing follows from it. Errors: `ProviderError` where it does not answer.
 */
export async function isDeletion(
  { database }: Pick<RunContext, "database">,
  crm: Crm,
  contactId: string,
): Promise<boolean> {
  const others = await findOtherContacts(database.db, contactId, 5);
  for (const other of others) {
    const exists = await crm.readContact(other).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ProviderError && error.kind === "not-found") return false;
        if (error instanceof ProviderError && error.kind === "invalid") return true;
        throw error;
      },
    );
    if (exists) return true;
  }
  return others.length === 0;
}

function askForMissing(context: RunContext, crm: Crm, run: RunRow, rules: ContactRules): ReadPage {
  const { database } = context;
  let counted: Promise<{ leads: number; missing: number }> | undefined;
  return async (cursor): Promise<Page> => {
    const [, afterId, asked] = cursor as [string, number, number];
    const leads = await database.transaction((tx) =>
      findDoubtfulLeads(tx, { runId: run.id, afterId, limit: askedAtOnce }),
    );
    const there = new Map<string, CrmContact>();
    const deleted: number[] = [];
    const errors: string[] = [];
    const unread: string[] = [];
    for (const { id, name, contactId, settled } of leads) {
      const found = await lookFor(crm, contactId);
      if (!(found instanceof ProviderError)) there.set(contactId, found);
      else if (found.kind === "not-found") deleted.push(...(settled ? [] : [id]));
      else {
        if (!isAnswer(found)) await checkAnswers(context, crm, contactId, found);
        unread.push(contactId);
        errors.push(`${name} could not be read: ${found.message}`);
      }
    }
    if (deleted.length > 0) counted ??= database.transaction((tx) => countMissing(tx, run.id));
    const all = await counted;
    const last = leads.at(-1)?.id;
    const more = last !== undefined && leads.length === askedAtOnce;
    const next = [missingPart, last ?? afterId, asked + leads.length];
    return {
      next: more ? next : [markPart, 0],
      mayReadAhead: false,
      async write(tx) {
        const batch = { contacts: [...there.values()], rejects: [] };
        const { owners, changed } = await ingestContacts(context, tx, batch, { ...rules, from: "contact" });
        await noteUnread(tx, run.id, unread);
        await forgetUnread(tx, [...there.keys()]);
        const found = all ? await noteDeleted(tx, run.id, deleted) : 0;
        const held =
          run.decision !== "mark" && all !== undefined && needsDecision({ ...all, deleted: found });
        const met = [...there.keys()];
        return { ...nothing, changed: changed.size, owners, errors, met, ...(held && { heldAt: next }) };
      },
    };
  };
}

function markDeleted(context: RunContext, run: RunRow): ReadPage {
  return async (cursor) => {
    const [, afterId] = cursor as [string, number];
    const leads = await listDeleted(context.database.db, { runId: run.id, afterId, limit: markedAtOnce });
    const last = leads.at(-1);
    return {
      next: last && leads.length === markedAtOnce ? [markPart, last.id] : null,
      mayReadAhead: false,
      async write(tx) {
        const { deleted, owners } = await markContactsDeleted(
          tx,
          leads.map(({ contactId }) => contactId),
        );
        return { ...nothing, deleted, owners };
      },
    };
  };
}

/**
 * What a full run has not met is asked for by itself, all of it: deleted contacts are noted, others were only missing from the search, or were marked or left
 * before; one that cannot be served is among the run's errors, and its lead does not count as read. At the end those noted are marked, unless there are so many that the run is held for a decision before. Answers null for cursors of other parts.
 */
export function missingReader(
  context: RunContext,
  crm: Crm,
  run: RunRow,
  rules: ContactRules,
): (cursor: unknown[] | null) => Promise<Page> | null {
  const ask = askForMissing(context, crm, run, rules);
  const mark = markDeleted(context, run);
  return (cursor) => {
    if (cursor?.[0] === missingPart) return ask(cursor);
    return cursor?.[0] === markPart ? mark(cursor) : null;
  };
}
