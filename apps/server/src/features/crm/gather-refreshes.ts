import type { Db, Tx } from "../../platform/db/client.ts";
import { execute, query, queryFirst, queryOnly, sql } from "../../platform/db/query.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { findKnownUntil, insertRun } from "./run-repository.ts";
import { type RunContext, runQueue } from "./service.ts";

/** Selects jobs of a queue whose data contains these values. */
interface Waiting {
  queue: string;
  holding: object;
}

/** Number of jobs that are due, counted up to `most`. */
async function countWaiting(db: Db, { queue, holding }: Waiting, most: number): Promise<number> {
  const { count } = await queryOnly<{ count: number }>(
    db,
    sql`select count(*)::int as count from (
       select 1 from jobs.job where name = ${queue} and state < 'active' and start_after <= now() and data @> ${JSON.stringify(holding)}::jsonb limit ${most}) waiting`,
  );
  return count;
}

/** Removes the due jobs, whose work the caller does in another way, and returns their data. */
async function claimWaiting<Data>(tx: Tx, { queue, holding }: Waiting): Promise<Data[]> {
  const rows = await query<{ data: Data }>(
    tx,
    sql`delete from jobs.job where name = ${queue} and state < 'active' and start_after <= now() and data @> ${JSON.stringify(holding)}::jsonb returning data`,
  );
  return rows.map(({ data }) => data);
}

/** Locks the running run of changes so that it cannot end meanwhile. Returns its id, or undefined. */
async function lockRunningChanges(tx: Tx): Promise<number | undefined> {
  const run = await queryFirst<{ id: number }>(
    tx,
    sql`select id from crm_sync_runs where kind = 'changes' and state = 'running' for update`,
  );
  return run?.id;
}

/** Records that a run has to meet these contacts, on a page that it has not written yet. `joins`: the run had already started. */
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
 * Removes the contacts that a run was asked to meet and returns those that it has not met since. Call it when the run ends, before its
 * pages are removed.
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

/** A contact or note that an event of the CRM named, to be read from the CRM. */
export interface Refresh {
  contactId: string;
  noteId: string | null;
  /** Has to be read by itself, because a page does not contain it: a note, a contact that may be deleted, or one that was on no page. */
  alone: boolean;
}

/** At most this many wait to be read one by one; beyond that pages are read instead. */
const waitingMax = 200;
const gathered = { queue: refreshQueue, holding: { alone: false } };
/** Delay of the next attempt after the pages could not be read. */
const afterFailureSeconds = 60;

/** Queues the reading of what an event named; repeated events for the same thing are merged into one job. */
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
 * If very many contacts wait to be read, a run of changes (a new or the running one) reads pages instead of all of them and this one.
 * Returns whether that is the case. Before the first sync there are no runs of changes, so it returns false.
 */
export async function gatherRefreshes(context: RunContext, { contactId }: Refresh): Promise<boolean> {
  const { database, jobs } = context;
  if ((await countWaiting(database.db, gathered, waitingMax + 1)) <= waitingMax) return false;
  return database.transaction(async (tx) => {
    if (!(await findKnownUntil(tx))) return false;
    const begun = await insertRun(tx, { kind: "changes", requestedBy: null });
    const runId = begun ?? (await lockRunningChanges(tx));
    // The other run has just ended.
    if (runId === undefined) return false;
    const waiting = await claimWaiting<Refresh>(tx, gathered);
    const contactIds = [contactId, ...waiting.map((refresh) => refresh.contactId)];
    await awaitContacts(tx, { runId, contactIds, joins: begun === undefined });
    if (begun !== undefined) await jobs.enqueue(tx, runQueue, { runId });
    return true;
  });
}

/**
 * Queues the contacts again that an ending run of changes was asked to meet and has not. Each is read by itself, as it may be deleted. One
 * that was named while the run was reading may have changed after its page, and after a failure nothing is known: those wait for another
 * run.
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
