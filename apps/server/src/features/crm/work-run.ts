import { randomUUID } from "node:crypto";
import type { SyncFault } from "@portal/contract/sync-faults";
import type { Tx } from "../../platform/db/client.ts";
import { audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import { type Crm, type CrmCursor, type CrmFound, CrmNotConnected, type CrmReject } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { retryCrmPush } from "../crm-outbox/service.ts";
import { createSearchTidier, manyLeadsSettings } from "../leads/lead-repository.ts";
import { linkUsers, tieRecordings } from "./contact-repository.ts";
import { firstMissing, missingReader } from "./decide-deletions.ts";
import { queueUnmet } from "./gather-refreshes.ts";
import { ingestContacts, preparePage, readChanges } from "./ingest-contacts.ts";
import type { ContactRules } from "./merge-contact.ts";
import {
  advanceRun,
  beatRun,
  claimRun,
  findKnownUntil,
  findMet,
  finishRun,
  forgetUnreadBefore,
  fullKinds,
  noteUnread,
  nothing,
  type Page,
  type ReadPage,
  type RunRow,
  releaseRun,
} from "./run-repository.ts";
import { type RunContext, runQueue, settleHeldAlert } from "./service.ts";
import { crmOffMessage, doneMessage, failedMessage, faultOf, heldMessage } from "./write-messages.ts";

const beatMs = 5_000;
/** A job works no longer than this before the next one continues. */
const sliceMs = 60_000;
/** A run that was started this many times without finishing a page fails. */
const maxAttempts = 5;
/** Minimum interval between progress events. */
const notifyMs = 1_000;
/**
 * After a successful scheduled run, changes that failed for a temporary reason are retried if their last attempt was at least this long
 * ago; after a run that a person started, at once.
 */
const scheduledRetrySeconds = 3_600;

interface Held {
  runId: number;
  lease: string;
}

/** Another worker has claimed the run; this worker's open transaction is rolled back. */
class LeaseLostError extends Error {}

async function finish(
  context: RunContext,
  tx: Tx,
  run: RunRow & Held,
  end: {
    state: "done" | "failed" | "held";
    message: (synced: number) => string;
    fault: SyncFault | null;
    forgetCursor: boolean;
  },
): Promise<void> {
  await queueUnmet(context, tx, { runId: run.runId, failed: end.state === "failed" });
  if (!(await finishRun(tx, { ...end, runId: run.runId, lease: run.lease }))) throw new LeaseLostError();
  if (end.state === "done" && fullKinds.includes(run.kind)) await forgetUnreadBefore(tx, run.runId);
  if (end.state === "done")
    await retryCrmPush(tx, context.jobs, {
      passingAfter: run.requestedBy === null ? scheduledRetrySeconds : 0,
    });
  await publishEvent(tx, { topic: "crm-sync", id: run.runId, audience: "all" });
  // Those whose leads they are were notified with each page. Everybody is notified once, at the end, and not of leads: a thousand browsers
  // would read their pages at the same moment, though nothing on them has changed.
  await publishEvent(tx, { topic: "all-leads", id: 0, audience: "all" });
}

/** Holds the run until an administrator decides, and alerts the administrators. */
async function hold(context: RunContext, tx: Tx, run: RunRow & Held): Promise<void> {
  await finish(context, tx, run, {
    state: "held",
    message: () => heldMessage,
    fault: { code: "held", status: null },
    forgetCursor: false,
  });
  await settleHeldAlert(context, tx);
}

/**
 * Works the pages from the run's cursor. Each page is written in one transaction with its counts and the next cursor, and the next page is
 * read meanwhile.
 */
async function workPages(
  context: RunContext,
  crm: Crm,
  { run, onMade }: { run: RunRow & Held; onMade: (leads: number) => void },
): Promise<void> {
  const { database, jobs } = context;
  const readPage = await pageReader(context, crm, run);
  const began = performance.now();
  let notifiedAt = Number.NEGATIVE_INFINITY;
  let cursor = run.cursor;
  let ahead: Promise<Page> | null = null;
  for (;;) {
    const page: Page = await (ahead ?? readPage(cursor));
    const handOn = page.next !== null && performance.now() - began > sliceMs;
    const notifies = performance.now() - notifiedAt > notifyMs;
    ahead = page.next !== null && page.mayReadAhead && !handOn ? readPage(page.next) : null;
    // A failure is thrown when the page's turn comes, or not at all if this page is the last.
    ahead?.catch(() => undefined);
    let held = false;
    await database.transaction(async (tx) => {
      const { owners, heldAt, ...figures } = await page.write(tx);
      held = heldAt !== undefined;
      onMade(figures.created);
      if (!(await advanceRun(tx, { ...run, cursor: heldAt ?? page.next ?? cursor, page: figures })))
        throw new LeaseLostError();
      const changed = [...owners];
      if (changed.length > 0)
        await publishEvent(tx, { topic: "lead", id: 0, audience: audienceOf(...changed) });
      if (heldAt) return hold(context, tx, run);
      if (page.next === null)
        return finish(context, tx, run, {
          state: "done",
          message: (count) => doneMessage(run.kind, count),
          fault: null,
          forgetCursor: true,
        });
      if (notifies) await publishEvent(tx, { topic: "crm-sync", id: run.runId, audience: "all" });
      if (!handOn) return;
      await releaseRun(tx, run);
      await jobs.enqueue(tx, runQueue, { runId: run.runId });
    }, manyLeadsSettings);
    if (page.next === null || handOn || held) return;
    if (notifies) notifiedAt = performance.now();
    cursor = page.next;
  }
}

async function fail(context: RunContext, run: RunRow & Held, error: unknown): Promise<void> {
  const details = { err: error, cause: (error as Error).cause, runId: run.runId };
  if (error instanceof ProviderError) context.log.warn(details, "crm sync failed");
  else context.log.error(details, "crm sync failed");
  // A cursor that the CRM refuses would be refused again.
  const forgetCursor = error instanceof ProviderError && error.kind === "invalid";
  await context.database.transaction((tx) =>
    finish(context, tx, run, {
      state: "failed",
      message: (count) => failedMessage(run.kind, error, count),
      fault: faultOf(error),
      forgetCursor,
    }),
  );
}

/** Works one run to its end or for a minute. Does nothing if it has ended or another living worker has it. */
export async function workRun(context: RunContext, runId: number): Promise<void> {
  const { crm, database } = context;
  const lease = randomUUID();
  const claimed = await claimRun(database.db, { runId, lease });
  if (!claimed) return;
  const run = { ...claimed, runId, lease };
  const beat = setInterval(() => {
    beatRun(database.db, run).catch((err: unknown) => context.log.warn({ err, runId }, "no heartbeat"));
  }, beatMs);
  const tidier = createSearchTidier(context);
  try {
    if (!crm) throw new CrmNotConnected("not_connected", crmOffMessage);
    if (run.attempts > maxAttempts) throw new Error(`run ${runId} was begun ${run.attempts} times`);
    await workPages(context, crm, { run, onMade: tidier.tidy });
  } catch (error) {
    if (!(error instanceof LeaseLostError)) await fail(context, run, error);
  } finally {
    clearInterval(beat);
    await tidier.ended();
  }
}

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
async function pageReader(context: RunContext, crm: Crm, run: RunRow): Promise<ReadPage> {
  return run.kind === "recordings" ? callReader(crm) : contactReader(context, crm, run, run.kind);
}
