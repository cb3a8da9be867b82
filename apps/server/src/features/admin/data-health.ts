import type { Db } from "../../db/client.ts";

/** What a part has to do and what came of it lately. */
export interface WorkFacts {
  waiting: number;
  oldestWaitingAt: Date | null;
  /** In the last hour. */
  failed: number;
  lastFailedAt: Date | null;
  lastFailure: string | null;
  lastOkAt: Date | null;
}

const noWork: WorkFacts = {
  waiting: 0,
  oldestWaitingAt: null,
  failed: 0,
  lastFailedAt: null,
  lastFailure: null,
  lastOkAt: null,
};
const anHourAgo = "clock_timestamp() - interval '1 hour'";

/** Jobs of a queue, or of all: those whose time has come or that are tried again, and how the last ones ended. */
export async function readJobFacts(db: Db, queue: string | null = null): Promise<WorkFacts> {
  // The queues make their tables when they are first started.
  const { rowCount } = await db.$client.query("select 1 where to_regclass('jobs.job') is not null");
  if (!rowCount) return noWork;
  const ofQueue = "($1::text is null or j.name = $1)";
  const { rows } = await db.$client.query<WorkFacts>(
    `select due.waiting, due."oldestWaitingAt", ended.failed, ended."lastFailedAt", ended."lastOkAt",
       (select left(coalesce(j.output->>'message', j.output::text), 300) from jobs.job j
        where ${ofQueue} and j.state = 'failed' and j.completed_on = ended."lastFailedAt" limit 1) as "lastFailure"
     from (select count(*)::int as waiting, min(start_after) as "oldestWaitingAt" from jobs.job j
         where ${ofQueue} and state < 'active' and not blocked and (start_after <= clock_timestamp() or state = 'retry')) due,
       (select count(*) filter (where state = 'failed' and completed_on > ${anHourAgo})::int as failed,
          max(completed_on) filter (where state = 'failed') as "lastFailedAt",
          max(completed_on) filter (where state = 'completed') as "lastOkAt" from jobs.job j where ${ofQueue} and state >= 'completed') ended`,
    [queue],
  );
  return rows[0] ?? noWork;
}

/** Calls and texts of the last hour that the provider did not take, and the last sign that it takes some. */
export async function readTelephonyFacts(
  db: Db,
): Promise<Pick<WorkFacts, "failed" | "lastFailedAt" | "lastFailure" | "lastOkAt">> {
  const { rows } = await db.$client.query<WorkFacts>(
    `with calls_ended as (
       select c.ended_at, c.failure, c.result = 'failed' as failed from calls c where c.state = 'ended' and c.ended_at > ${anHourAgo}
     ), texts as (
       select m.created_at, m.status in ('failed', 'undelivered') as failed from messages m
       where m.created_at > ${anHourAgo} and m.direction = 'outbound'
     )
     select ((select count(*) from calls_ended where failed) + (select count(*) from texts where failed))::int as failed,
       greatest((select max(ended_at) from calls_ended where failed), (select max(created_at) from texts where failed)) as "lastFailedAt",
       (select failure from calls_ended where failed order by ended_at desc limit 1) as "lastFailure",
       greatest((select max(ended_at) from calls_ended where not failed),
         (select max(created_at) from texts where not failed)) as "lastOkAt"`,
  );
  return rows[0] ?? noWork;
}

/** Changes that GoHighLevel has, and the last reason for which it refused one. */
export async function readOutboxEnds(db: Db): Promise<{ lastSentAt: Date | null; lastError: string | null }> {
  const { rows } = await db.$client.query<{ lastSentAt: Date | null; lastError: string | null }>(
    `select (select max(sent_at) from crm_outbox where state = 'sent') as "lastSentAt",
       (select error from crm_outbox where state = 'failed' order by id desc limit 1) as "lastError"`,
  );
  return rows[0] ?? { lastSentAt: null, lastError: null };
}

/** Calendars of consultants: the last good sync, and the last reason for which something did not get there. */
export async function readCalendarEnds(
  db: Db,
): Promise<{ lastSyncedAt: Date | null; lastError: string | null }> {
  const { rows } = await db.$client.query<{ lastSyncedAt: Date | null; lastError: string | null }>(
    `select (select max(last_synced_at) from google_accounts) as "lastSyncedAt",
       coalesce((select sync_error from meetings where sync = 'failed' order by updated_at desc limit 1),
         (select disconnected_reason from google_accounts where disconnected_reason is not null limit 1)) as "lastError"`,
  );
  return rows[0] ?? { lastSyncedAt: null, lastError: null };
}

/** Of the newest deliveries of leads: those of the last hour that were rejected, and why. */
export async function readRejections(
  db: Db,
): Promise<{ failed: number; lastFailedAt: Date | null; lastFailure: string | null }> {
  const { rows } = await db.$client.query<{
    failed: number;
    lastFailedAt: Date | null;
    lastFailure: string | null;
  }>(
    `with rejected as (
       select e.received_at, i.reason from (select * from lead_delivery_items order by id desc limit 1000) i
         join provider_events e on e.id = i.delivery_id
       where i.outcome = 'rejected' and e.received_at > ${anHourAgo}
     )
     select count(*)::int as failed, max(received_at) as "lastFailedAt",
       (select reason from rejected order by received_at desc limit 1) as "lastFailure" from rejected`,
  );
  return rows[0] ?? { failed: 0, lastFailedAt: null, lastFailure: null };
}
