import type { Tx } from "../../platform/db/client.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { claimWaiting, countWaiting } from "../../platform/jobs/waiting-jobs.ts";
import { awaitContacts, claimUnmet, lockRunningChanges } from "./awaited-repository.ts";
import { findKnownUntil, insertRun } from "./run-repository.ts";
import { type RunContext, runQueue } from "./service.ts";

export const refreshQueue = "crm-refresh";

/** What an event of the CRM named, to be read from it: a contact, or one of its notes. */
export interface Refresh {
  contactId: string;
  noteId: string | null;
  /** A page does not tell it: a note, a contact that may be deleted, or one that the pages did not hold. */
  alone: boolean;
}

/** So many may wait to be read one by one; where there are more, pages are read in their place. */
const waitingMax = 200;
const gathered = { queue: refreshQueue, holding: { alone: false } };
/** Where the pages could not be read, what waits is looked at again after so long. */
const afterFailureSeconds = 60;

/** Queues the reading of what an event named; several events of one thing are one reading. */
export async function queueRefresh(
  tx: Tx,
  jobs: Pick<Jobs, "enqueue">,
  refresh: Refresh,
  startAfterSeconds?: number,
): Promise<void> {
  const key = [refresh.contactId, refresh.noteId ?? "", refresh.alone ? "alone" : ""].join(":");
  const later = startAfterSeconds !== undefined && { startAfterSeconds };
  await jobs.enqueue(tx, refreshQueue, refresh, { key, ...later });
}

/**
 * Where very many contacts wait to be read, a run of changes reads pages in place of them all, and of this one: one that begins now, or the
 * one that is under way. Answers whether that is so; not before the first sync, after which alone changes can be read.
 */
export async function gatherRefreshes(context: RunContext, { contactId }: Refresh): Promise<boolean> {
  const { database, jobs } = context;
  if ((await countWaiting(database.db, gathered, waitingMax + 1)) <= waitingMax) return false;
  return database.transaction(async (tx) => {
    if (!(await findKnownUntil(tx))) return false;
    const begun = await insertRun(tx, { kind: "changes", requestedBy: null });
    const runId = begun ?? (await lockRunningChanges(tx));
    // The other one has ended just now.
    if (runId === undefined) return false;
    const waiting = await claimWaiting<Refresh>(tx, gathered);
    const contactIds = [contactId, ...waiting.map((refresh) => refresh.contactId)];
    await awaitContacts(tx, { runId, contactIds, joins: begun === undefined });
    if (begun !== undefined) await jobs.enqueue(tx, runQueue, { runId });
    return true;
  });
}

/**
 * Queues the contacts again that a run of changes that ends now was to meet and has not: each by itself, as it may be deleted. One that was
 * named while the run was under way may have changed after its page was read, and after a failure nothing is known: those wait for other pages.
 */
export async function queueUnmet(
  { jobs }: { jobs: Pick<Jobs, "enqueue"> },
  tx: Tx,
  { runId, failed }: { runId: number; failed: boolean },
): Promise<void> {
  for (const { contactId, joined } of await claimUnmet(tx, runId)) {
    const refresh = { contactId, noteId: null, alone: !failed && !joined };
    await queueRefresh(tx, jobs, refresh, failed ? afterFailureSeconds : undefined);
  }
}
