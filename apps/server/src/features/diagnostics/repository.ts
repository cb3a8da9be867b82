import { inArray, type SQL } from "drizzle-orm";
import type { Db } from "../../platform/db/client.ts";
import { queryFirst, queryOnly, sql } from "../../platform/db/query.ts";
import { crmSyncRuns } from "../../platform/db/schema/crm.ts";
import { unmatchedSql } from "../../platform/db/sql/call-logs.ts";

/** Only the newest events of the inbox are scanned, as there is no index for this rare query. */
const newestEvents = 50_000;

export interface EventFacts {
  /** The last event, or null if none is among the newest. */
  lastAt: Date | null;
  waiting: number;
  oldestWaitingAt: Date | null;
  /** Number of events given up after many tries, among the newest. */
  putAside: number;
}

/** State of the inbox for some sources. */
export async function readEventFacts(
  db: Db,
  input: { sources: readonly string[]; attemptsMax: number },
): Promise<EventFacts> {
  const sources = sql.param(input.sources);
  const [newest, open] = await Promise.all([
    queryOnly<Pick<EventFacts, "lastAt" | "putAside">>(
      db,
      sql`select max(received_at) as "lastAt",
         count(*) filter (where processed_at is not null and attempts >= ${input.attemptsMax})::int as "putAside"
       from provider_events where id > (select max(id) from provider_events) - ${newestEvents} and source = any(${sources})`,
    ),
    queryOnly<Pick<EventFacts, "waiting" | "oldestWaitingAt">>(
      db,
      sql`select count(*)::int as waiting, min(received_at) as "oldestWaitingAt"
       from provider_events where processed_at is null and source = any(${sources})`,
    ),
  ]);
  return { ...newest, ...open };
}

export interface OutboxFacts {
  pending: number;
  failed: number;
  oldestPendingAt: Date | null;
}

/** Changes of all leads that the CRM has not received, without those of contacts deleted there. */
export async function readOutboxFacts(db: Db): Promise<OutboxFacts> {
  return queryOnly<OutboxFacts>(
    db,
    sql`select count(*) filter (where o.state = 'pending')::int as pending,
       count(*) filter (where o.state = 'failed')::int as failed,
       min(o.created_at) filter (where o.state = 'pending') as "oldestPendingAt"
     from crm_outbox o join leads l on l.id = o.lead_id where o.state in ('pending', 'failed') and l.crm_deleted_at is null`,
  );
}

export interface RunFacts {
  state: "done" | "failed" | "held";
  finishedAt: Date | null;
  message: string | null;
}

/** The last sync of contacts that has ended, and when the last one succeeded. */
export async function readRunFacts(db: Db): Promise<{ last: RunFacts | null; lastGoodAt: Date | null }> {
  const ended = (state: SQL) =>
    queryFirst<RunFacts>(
      db,
      sql`select state, finished_at as "finishedAt", message from crm_sync_runs
       where kind <> 'recordings' and state ${state} order by id desc limit 1`,
    );
  const [last, good] = await Promise.all([ended(sql`<> 'running'`), ended(sql`= 'done'`)]);
  return { last: last ?? null, lastGoodAt: good?.finishedAt ?? null };
}

/** When the last completed full sync started reading, and since when one waits for an administrator's decision. */
export async function readWholeRead(db: Db): Promise<{ readSince: Date | null; heldAt: Date | null }> {
  const isFull = inArray(crmSyncRuns.kind, ["assigned", "all"]);
  const [facts] = await db
    .select({
      readSince:
        sql`max(coalesce(${crmSyncRuns.readSince}, ${crmSyncRuns.startedAt})) filter (where ${crmSyncRuns.state} = 'done')`.mapWith(
          crmSyncRuns.readSince,
        ),
      heldAt: sql`max(${crmSyncRuns.finishedAt}) filter (where ${crmSyncRuns.state} = 'held')`.mapWith(
        crmSyncRuns.finishedAt,
      ),
    })
    .from(crmSyncRuns)
    .where(isFull);
  return facts ?? { readSince: null, heldAt: null };
}

/** Number of calls that wait for the account's pace. */
export async function countPacedCalls(db: Db): Promise<number> {
  const { waiting } = await queryOnly<{ waiting: number }>(
    db,
    sql`select count(*)::int as waiting from calls where state = 'requested' and asked_at is null`,
  );
  return waiting;
}

/** Reported calls whose sid belongs to no call of the consultant with that lead: their number, and the oldest. */
export async function readReportFacts(db: Db): Promise<{ count: number; oldestAt: Date | null }> {
  return queryOnly<{ count: number; oldestAt: Date | null }>(
    db,
    sql`select count(*)::int as count, min(c.call_date) as "oldestAt" from call_logs c where ${unmatchedSql}`,
  );
}

interface CalendarFacts {
  connected: number;
  ended: number;
  /** Calendars of active users that wait for a setting at Google. */
  apiOff: number;
  domainClosed: number;
  oldestSyncAt: Date | null;
}

/** Consultants' calendars: how many are connected, how many Google disconnected, the oldest sync, and the pending changes. */
export async function readCalendarFacts(db: Db) {
  const accounts = await queryOnly<CalendarFacts>(
    db,
    sql`select count(*) filter (where disconnected_reason is null)::int as connected,
       count(*) filter (where disconnected_reason is not null)::int as ended,
       count(*) filter (where waits_for = 'api_off')::int as "apiOff",
       count(*) filter (where waits_for = 'domain_policy')::int as "domainClosed",
       min(last_synced_at) filter (where disconnected_reason is null) as "oldestSyncAt"
     from google_accounts a
     left join lateral (
       select a.setup_fault as waits_for from users u
       where u.id = a.user_id and u.disabled_at is null and a.tokens is not null
     ) w on true`,
  );
  const outbox = await queryOnly<OutboxFacts>(
    db,
    sql`select count(*) filter (where sync = 'pending')::int as pending,
       count(*) filter (where sync = 'failed')::int as failed,
       min(updated_at) filter (where sync = 'pending') as "oldestPendingAt"
     from meetings where sync in ('pending', 'failed')`,
  );
  return { ...accounts, outbox };
}
