import type { DeletionDecision, HeldDeletions } from "@portal/contract/entities/crm";
import { holdLock } from "../../platform/db/advisory-locks.ts";
import type { Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import type { Crm, CrmContact } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { recordAudit } from "../activity/service.ts";
import {
  countMissing,
  findDoubtfulLeads,
  findDueRead,
  findHeldRun,
  findOtherContacts,
  leaveMissing,
  listDeleted,
  noteDeleted,
  resumeToMark,
} from "./deletion-repository.ts";
import { ingestContacts, markContactsDeleted } from "./ingest-contacts.ts";
import type { ContactRules } from "./merge-contact.ts";
import {
  findKnownUntil,
  forgetUnread,
  noteUnread,
  nothing,
  type Page,
  type ReadPage,
  type RunRow,
} from "./run-repository.ts";
import { beginRun, type RunContext, runQueue, settleHeldAlert } from "./service.ts";
import { crmOffMessage, leftMessage } from "./write-messages.ts";

/** Missing contacts are requested one by one, with a write after this many, and this many are marked in one transaction. */
const askedAtOnce = 20;
const markedAtOnce = 500;
/** First elements of the cursors of these last parts; no cursor of the CRM's begins with them. */
const missingPart = "missing";
const markPart = "mark";
/** Cursor at which asking for missing contacts begins: the last lead id, and the number asked for. */
export const firstMissing = [missingPart, 0, 0];

/** Number of contacts that a held run has asked for. */
function askedOf(cursor: unknown[] | null): number {
  return cursor?.[0] === missingPart ? Number(cursor[2]) : 0;
}

/** Deletions up to this share of the leads, or fewer than this count, are marked without a decision. */
const usualShare = 0.02;
const usualCount = 20;

/**
 * Whether a person must decide about the deletions: more than 2 % of the leads and at least 20, or any number if not one lead was met,
 * which suggests the wrong location.
 */
export function needsDecision(found: { deleted: number; leads: number; missing: number }): boolean {
  const { deleted, leads, missing } = found;
  if (deleted === 0) return false;
  return missing === leads || (deleted >= usualCount && deleted > leads * usualShare);
}

/** A contact read by id, or why it cannot be. Errors: `rate-limited`. */
async function readContact(crm: Crm, contactId: string): Promise<CrmContact | ProviderError> {
  try {
    return await crm.readContact(contactId, { patient: true });
  } catch (error) {
    if (error instanceof ProviderError && error.kind !== "rate-limited") return error;
    throw error;
  }
}

/** Whether a failure is an answer about this contact rather than an outage. */
const isAnswer = ({ kind }: ProviderError) => kind === "not-found" || kind === "invalid";

/**
 * One contact that cannot be served says nothing about others as long as the CRM answers for another one. Errors: the contact's failure if
 * it does not.
 */
async function checkAnswers({ database }: RunContext, crm: Crm, contactId: string, failure: ProviderError) {
  const [other] = await findOtherContacts(database.db, contactId, 1);
  const control = other === undefined ? failure : await readContact(crm, other);
  if (control instanceof ProviderError && !isAnswer(control)) throw failure;
}

/**
 * Whether a contact that the CRM does not have was deleted. If the CRM does not have some other leads' contacts either, the location is
 * wrong and nothing follows. Errors: `ProviderError` if the CRM does not answer.
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
      const found = await readContact(crm, contactId);
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
 * Reads the last parts of a full run. Every contact that was not met is asked for by id: deleted ones are recorded; others were only
 * missing from the search, or were marked or kept before; one that cannot be served is among the run's errors, and its lead counts as
 * unread. At the end the recorded ones are marked, unless there are so many that the run is held for a decision. Returns null for cursors
 * of other parts.
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

/**
 * Starts the nightly full run when it is due, after a first sync: over all contacts if all were synced before, else over the consultants'.
 * A failed run or a decided one may continue at any hour. Any process may call it.
 */
export async function beginNightlyRead(context: RunContext, tx: Tx, timeZone: string): Promise<void> {
  if (!context.crm || !(await findDueRead(tx, timeZone))) return;
  await holdLock(tx.$client, "nightlyRead");
  const known = await findKnownUntil(tx);
  const due = known && (await findDueRead(tx, timeZone));
  if (!due) return;
  await beginRun(context, tx, { kind: due.kind ?? (known.everyone ? "all" : "assigned"), userId: null });
}

/** Deletions that wait for a decision, or null. */
export async function getHeldDeletions({
  database,
}: Pick<RunContext, "database">): Promise<HeldDeletions | null> {
  const run = await findHeldRun(database.db);
  if (!run) return null;
  const { runId, startedAt, cursor, deleted, examples } = run;
  const { leads, missing } = await database.transaction((tx) => countMissing(tx, runId));
  return {
    runId,
    startedAt: startedAt.toISOString(),
    leads,
    missing,
    asked: askedOf(cursor),
    deleted,
    examples,
  };
}

const decided = () => new AppError("conflict", "These deletions no longer wait for a decision.");

async function decide(context: RunContext, tx: Tx, held: HeldDeletions, decision: DeletionDecision) {
  const { runId } = held;
  if (decision === "leave") {
    const left = await leaveMissing(tx, runId, leftMessage);
    if (left === null) throw decided();
    return { left };
  }
  if (!(await resumeToMark(tx, runId, firstMissing))) throw decided();
  await context.jobs.enqueue(tx, runQueue, { runId });
  return {};
}

/**
 * Decides about held deletions: the run continues and marks them, or their leads stay as they are. Errors: `conflict` if no decision is
 * pending; `provider_off` if they are to be marked and there is no CRM.
 */
export async function decideDeletions(
  context: RunContext,
  { userId, runId, decision }: { userId: number; runId: number; decision: DeletionDecision },
): Promise<string> {
  if (decision === "mark" && !context.crm) throw new AppError("provider_off", crmOffMessage);
  const held = await getHeldDeletions(context);
  if (held?.runId !== runId) throw decided();
  await context.database.transaction(async (tx) => {
    const result = await decide(context, tx, held, decision);
    const { leads, missing, asked, deleted } = held;
    await recordAudit(tx, {
      userId,
      action: "crm-deletions-decided",
      subject: `crm-sync:${runId}`,
      data: { decision, leads, missing, asked, deleted, ...result },
    });
    await publishEvent(tx, { topic: "crm-sync", id: runId, audience: "all" });
    await settleHeldAlert(context, tx);
  });
  return decision === "mark"
    ? "The missing contacts are asked for again; the leads of those that do not exist are marked."
    : leftMessage;
}
