import type { Tx } from "../../platform/db/client.ts";
import { execute, query, queryFirst, sql } from "../../platform/db/query.ts";

/** Locks the run of changes that is under way, so that it cannot end meanwhile; its id, undefined where there is none. */
export async function lockRunningChanges(tx: Tx): Promise<number | undefined> {
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
export async function claimUnmet(tx: Tx, runId: number): Promise<{ contactId: string; joined: boolean }[]> {
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
