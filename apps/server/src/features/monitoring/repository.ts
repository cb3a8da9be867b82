import type { Db } from "../../platform/db/client.ts";
import { query, queryOnly, sql } from "../../platform/db/query.ts";

/** Pending work in the database, for all processes; ages in seconds, null if there is none. */
export interface Backlog {
  /** Due jobs that no worker has taken, by queue. */
  jobs: { queue: string; waiting: number; oldestSeconds: number }[];
  /** Calls that have not ended, by state. */
  calls: { state: string; live: number }[];
  /** Calls whose state should have been read from the provider, but was not for five minutes. */
  callsStuck: number;
  outbox: { waiting: number; oldestSeconds: number | null };
  /** Recent events of a provider: the age of the last one in seconds, and the number of unprocessed ones. */
  providerEvents: { source: string; lastSeconds: number; waiting: number }[];
  /** Refusals of the contact policy in the last hour. */
  refusals: { channel: string; reason: string; refused: number }[];
  /** The age of the last successful backup since its start, in seconds; null if there is none. */
  backupSeconds: number | null;
}

/** The number of newest events that are read by source: a source that is older than all of them is silent. */
const newestEvents = 20_000;
/** The state of a call without events is read after a minute, and repeatedly; after this time it counts as stuck. */
const stuckMinutes = 5;

/** Reads the pending work, each part by an index of open rows: the tables may be of any size. */
export async function readBacklog(db: Db): Promise<Backlog> {
  const jobs = await query<Backlog["jobs"][number]>(
    db,
    sql`select name as queue, count(*)::int as waiting, extract(epoch from now() - min(start_after))::float8 as "oldestSeconds"
       from jobs.job where state < 'active' and not blocked and start_after <= now() group by name`,
  );
  const calls = await query<Backlog["calls"][number]>(
    db,
    sql`select state, count(*)::int as live from calls where state <> 'ended' group by state`,
  );
  const one = await queryOnly<{
    callsStuck: number;
    waiting: number;
    oldestSeconds: number | null;
    backupSeconds: number | null;
  }>(
    db,
    sql`select
       (select count(*)::int from calls where not settled and state <> 'ended'
          and greatest(last_event_at, checked_at) < now() - ${stuckMinutes}::int * interval '1 minute') as "callsStuck",
       o.waiting, o."oldestSeconds",
       (select extract(epoch from now() - max(started_at))::float8 from backup_runs where bytes is not null) as "backupSeconds"
       from (select count(*)::int as waiting, extract(epoch from now() - min(created_at))::float8 as "oldestSeconds"
          from crm_outbox where state = 'pending' and (held_until is null or held_until <= now())) o`,
  );
  const providerEvents = await query<Backlog["providerEvents"][number]>(
    db,
    sql`select source, extract(epoch from now() - max(received_at))::float8 as "lastSeconds",
         (count(*) filter (where processed_at is null))::int as waiting
       from provider_events where id > (select coalesce(max(id), 0) - ${newestEvents}::int from provider_events) group by source`,
  );
  const refusals = await query<Backlog["refusals"][number]>(
    db,
    sql`select channel, reason, count(*)::int as refused from contact_refusals where at > now() - interval '1 hour' group by channel, reason`,
  );
  const { callsStuck, backupSeconds, ...outbox } = one;
  return { jobs, calls, callsStuck, outbox, providerEvents, refusals, backupSeconds };
}
