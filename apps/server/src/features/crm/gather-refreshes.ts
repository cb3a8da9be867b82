import type { Db, Tx } from "../../platform/db/client.ts";
import { execute, query, queryFirst, queryOnly, sql } from "../../platform/db/query.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { findKnownUntil, insertRun } from "./run-repository.ts";
import { type RunContext, runQueue } from "./service.ts";

/** Which of a queue's jobs are meant: those whose data holds these values. */
interface Waiting {
  queue: string;
  holding: object;
}

/** How many jobs wait for their turn by now; no more than `most` are counted. */
async function countWaiting(db: Db, { queue, holding }: Waiting, most: number): Promise<number> {
  const { count } = await queryOnly<{ count: number }>(
    db,
    sql`select count(*)::int as count from (
       select 1 from jobs.job where name = ${queue} and state < 'active' and start_after <= now() and data @> ${JSON.stringify(holding)}::jsonb limit ${most}) waiting`,
  );
  return count;
}

/** Takes the waiting jobs away, for whoever does their work in another way, and answers what they held. */
async function claimWaiting<Data>(tx: Tx, { queue, holding }: Waiting): Promise<Data[]> {
  const rows = await query<{ data: Data }>(
    tx,
    sql`delete from jobs.job where name = ${queue} and state < 'active' and start_after <= now() and data @> ${JSON.stringify(holding)}::jsonb returning data`,
  );
  return rows.map(({ data }) => data);
}

/** Locks the run of changes that is under way, so that it cannot end meanwhile; its id, undefined where there is none. */
async function lockRunningChanges(tx: Tx): Promise<number | undefined> {
  const run = await queryFirst<{ id: number }>(
    tx,
    sql`select id from crm_sync_runs where kind = 'changes' and state = 'running' for update`,
  );
  return run?.id;
}

/** Notes that a run is to meet these contacts, by a page that it has not written yet. `joins`: it was under way before. */
export async function awaitContacts(
  tx: Tx,
  { runId, contactIds, joins }: { runId: number; contactIds: string[]; joins: boolean },
): Promise<void> {
  await execute(
    tx,
    sql`insert into crm_awaited (run_id, contact_id, after_page, joined)
     select ${runId}, id, (select coalesce(max(p.id), 0) from crm_run_pages p where p.run_id = ${runId}), ${joins}
       from (select distinct unnest(${sql.param(contactIds)}::text[]) as id) c
     on conflict (run_id, contact_id) do update set after_page = excluded.after_page, joined = excluded.joined`,
  );
}

/**
 * Takes away what a run that ends now was to meet, and answers the contacts that it has not met since they were named. Before its pages
 * are forgotten.
 */
async function claimUnmet(tx: Tx, runId: number): Promise<{ contactId: string; joined: boolean }[]> {
  await execute(tx, sql`select 1 from crm_sync_runs where id = ${runId} for update`);
  return query<{ contactId: string; joined: boolean }>(
    tx,
    sql`with named as (delete from crm_awaited where run_id = ${runId} returning contact_id, after_page, joined),
       met as (
         select unnest(contact_ids) as id, max(id) as page from crm_run_pages where run_id = ${runId} group by 1)
       select n.contact_id as "contactId", n.joined from named n left join met on met.id = n.contact_id
        where met.page is null or met.page <= n.after_page`,
  );
}

export const refreshQueue = "crm-refresh";

/** What an event of the CRM named, to be read from it: a contact, or one of its notes. */
export interface Refresh {
  contactId: string;
  noteId: string | null;
  /** What a page does not contain: a note, a contact that may be deleted, or one that was on no page. */
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
