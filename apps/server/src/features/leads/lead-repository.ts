import type { DashboardStats } from "@portal/contract/entities/lead";
import type { ExtraField } from "@portal/contract/routes/leads";
import { eq, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Logger } from "pino";
import type { Database, Db, Tx } from "../../platform/db/client.ts";
import { currentMetricsSql } from "../../platform/db/metrics.ts";
import { columnsOf, query, queryFirst, queryOnly, sql } from "../../platform/db/query.ts";
import { leads } from "../../platform/db/schema/leads.ts";
import { listedContactFactsSql } from "../../platform/db/sql/contact-facts.ts";
import { rangeStartSql } from "../../platform/db/sql/filters.ts";
import { extraItemsSql, isMergedSql } from "../../platform/db/sql/leads.ts";
import type { LeadEventKind } from "../activity/service.ts";
import type { LeadFacts } from "../contact-policy/decide-contact.ts";
import type { CrmChange } from "../crm-outbox/service.ts";

type Lead = typeof leads.$inferSelect;

const systemFields = [
  ...["id", "name", "firstName", "lastName", "email", "phone", "company", "industry", "status", "leadSource"],
  ...["language", "languageGuess"],
  ...["priority", "notes", "dealValue", "ghlContactId", "aiRecordingMessageId", "aiRecordingSeconds"],
  ...["nextFollowUpDate", "nextFollowUpTime", "nextFollowUpZone", "nextFollowUpAt"],
  ...["lastContactedAt", "attempts", "lastAttemptAt", "lastAttemptOutcome"],
  ...["assignedTo", "assignedAt", "createdAt", "convertedAt", "consentAt", "consentSource", "crmSync"],
] as const satisfies (keyof Lead)[];

/** Fields of a lead that everybody may see. */
export type SystemLeadRow = Pick<Lead, (typeof systemFields)[number]> & { salesRepName: string | null };

/** A lead for its assignee and administrators, with the facts for the contact policy. */
export type LeadRow = SystemLeadRow & Pick<Lead, "unreadTexts"> & { isMerged: boolean } & LeadFacts;

/** Whose leads: one consultant's, or everyone's. */
export type OwnerScope = { salesRepId: number } | "everyone";

export const joinRep = sql`left join users u on u.id = l.assigned_to`;

/** Columns of `SystemLeadRow` from leads `l` and their consultants `u`. */
export const systemLeadColumns = sql`${columnsOf(alias(leads, "l"), systemFields)}, u.name as "salesRepName"`;

/** Columns of `LeadRow` as this person sees them. */
export const leadColumns = (actorId: number): SQL =>
  sql`${systemLeadColumns}, l.unread_messages as "unreadTexts", ${isMergedSql} as "isMerged", ${listedContactFactsSql(sql`${actorId}::int`)}`;

/** One lead as this person sees it, or undefined. */
export async function findLead(
  db: Db,
  { leadId, actorId }: { leadId: number; actorId: number },
): Promise<LeadRow | undefined> {
  return queryFirst<LeadRow>(
    db,
    sql`select ${leadColumns(actorId)} from leads l ${joinRep} where l.id = ${leadId}`,
    { prepared: true },
  );
}

const allColumns = columnsOf(leads);

/** Locks the row until the transaction ends. `for no key update`: others may still insert references to it. */
export async function findLeadForUpdate(tx: Tx, leadId: number): Promise<Lead | undefined> {
  return queryFirst<Lead>(tx, sql`select ${allColumns} from leads where id = ${leadId} for no key update`, {
    prepared: true,
  });
}

/** Locks several leads in the order of their ids; missing ones are left out. */
export async function findLeadsForUpdate(tx: Tx, leadIds: readonly number[]): Promise<Lead[]> {
  return query<Lead>(
    tx,
    sql`select ${allColumns} from leads where id = any(${sql.param(leadIds)}::int[]) order by id for no key update`,
  );
}

/** Columns that can be saved: all but those that the database sets. */
export type LeadChanges = Partial<Omit<Lead, "id" | "createdAt" | "updatedAt">>;

/** A change of one lead with its timeline entries and its update for the CRM. */
export interface LeadSave {
  leadId: number;
  /** Who changes it; null for the CRM, a sender or the system. */
  userId: number | null;
  changes: LeadChanges;
  /** Timeline entries, in this order. */
  events?: { kind: LeadEventKind; data: object }[];
  /** The changes for the CRM; ignored if it does not have the lead or has deleted the contact. */
  crmChanges?: CrmChange[];
  /** Milliseconds before the change is sent to the CRM, during which it can be withdrawn. */
  heldMs?: number;
  /** Digest of the CRM's contact that matches the saved lead; null keeps the stored one. */
  digest?: string | null;
}

const columnOf = (field: keyof LeadChanges) => leads[field].name;

/** Changes by column name, for JSON. */
const byColumn = (changes: LeadChanges) =>
  Object.fromEntries(
    Object.entries(changes).map(([field, value]) => [columnOf(field as keyof LeadChanges), value]),
  );

/** Assigns the columns that any save names; a lead whose save omits a column keeps its value. */
function assignments(saves: readonly LeadSave[]): SQL {
  const columns = new Set(
    saves.flatMap(({ changes }) => (Object.keys(changes) as (keyof LeadChanges)[]).map(columnOf)),
  );
  // `crm_sync` is set below.
  columns.delete(leads.crmSync.name);
  return sql.join([...columns].map((name) => sql`${sql.identifier(name)} = n.${sql.identifier(name)}, `));
}

/**
 * The only write of leads: columns, timeline entries and changes for the CRM in one statement. The caller has locked the leads
 * (`findLeadForUpdate`), checked the changes and publishes the events. Returns by lead the outbox ids, which the caller hands to a job
 * (`saveLead`, `enqueuePush`). `contentHash` is the expression for `crm_hash` from a digest `i.digest` and a row `n`.
 */
export async function saveLeads(
  tx: Tx,
  saves: readonly LeadSave[],
  contentHash?: SQL,
): Promise<Map<number, number[]>> {
  const queued = new Map<number, number[]>();
  if (saves.length === 0) return queued;
  const input = saves.map(
    ({ leadId, userId, changes, events = [], crmChanges = [], heldMs = null, digest = null }) => ({
      lead_id: leadId,
      user_id: userId,
      changes: byColumn(changes),
      events,
      crm_changes: crmChanges,
      held_ms: heldMs,
      digest,
    }),
  );
  const rows = await query<{ lead_id: number; id: number }>(
    tx,
    sql`with input as materialized (
      select i.*, l.ghl_contact_id is not null and l.crm_deleted_at is null and i.crm_changes <> '[]' as is_pushed
      from json_to_recordset(${JSON.stringify(input)}::json)
        as i(lead_id int, user_id int, changes jsonb, events jsonb, crm_changes jsonb, held_ms int, digest text)
      join leads l on l.id = i.lead_id),
    saved as (
      update leads l set ${assignments(saves)} updated_at = clock_timestamp(),
        ${contentHash ? sql`crm_hash = coalesce(${contentHash}, l.crm_hash),` : sql.empty()}
        crm_sync = case
          when i.is_pushed then 'pending'
          -- The CRM has come to know it, or knows it again.
          when l.crm_sync = 'none' and n.ghl_contact_id is not null and n.crm_deleted_at is null then
            case when exists (select 1 from crm_outbox o where o.lead_id = l.id and o.state = 'failed') then 'failed' else 'synced' end
          else n.crm_sync end
      from input i join leads b on b.id = i.lead_id cross join lateral jsonb_populate_record(b, i.changes) n
      where l.id = i.lead_id),
    events as (
      insert into lead_events (lead_id, user_id, kind, data, at)
      select i.lead_id, i.user_id, e.event ->> 'kind', e.event -> 'data', clock_timestamp()
      from input i cross join lateral jsonb_array_elements(i.events) with ordinality e(event, n) order by i.lead_id, e.n)
    insert into crm_outbox (lead_id, field, value, user_id, held_until)
    select i.lead_id, c.change ->> 'field', nullif(c.change -> 'value', 'null'), i.user_id, clock_timestamp() + i.held_ms * interval '1 ms'
    from input i cross join lateral jsonb_array_elements(i.crm_changes) with ordinality c(change, n)
    where i.is_pushed order by i.lead_id, c.n
    returning lead_id, id`,
  );
  for (const { lead_id, id } of rows) queued.set(lead_id, [...(queued.get(lead_id) ?? []), id]);
  return queued;
}

/** Counts for the dashboard; days are those of the organization's zone. */
export async function leadStats(db: Db, scope: OwnerScope, timeZone: string): Promise<DashboardStats> {
  const isOwn = (column: SQL) => (scope === "everyone" ? sql`true` : sql`${column} = ${scope.salesRepId}`);
  return queryOnly<DashboardStats>(
    db,
    sql`select count(*)::int as "totalLeads",
       count(*) filter (where last_contacted_at >= ${rangeStartSql("today", timeZone)})::int as "contactedToday",
       count(*) filter (where next_follow_up_date is not null and status <> 'converted')::int as "pendingFollowUp",
       count(*) filter (where status = 'new')::int as "newLeads",
       count(*) filter (where status = 'contacted')::int as "contactedLeads",
       count(*) filter (where status = 'interested')::int as "interestedLeads",
       count(*) filter (where status = 'not_interested')::int as "notInterestedLeads",
       (select count(*)::int from call_logs where not confirmed and ${isOwn(sql`user_id`)}) as "needsOutcome"
     from leads where ${isOwn(sql`assigned_to`)}`,
  );
}

export interface AllLeadsStats {
  total: number;
  assigned: number;
  unassigned: number;
  converted: number;
}

/** Counts of all leads, from the stored metrics by consultant and status. */
export async function allLeadsStats(db: Db): Promise<AllLeadsStats> {
  return queryOnly<AllLeadsStats>(
    db,
    sql`select coalesce(sum(n), 0)::int as total,
       coalesce(sum(n) filter (where user_id <> 0), 0)::int as assigned,
       coalesce(sum(n) filter (where user_id = 0), 0)::int as unassigned,
       coalesce(sum(n) filter (where label = 'converted'), 0)::int as converted
     from ${currentMetricsSql(["lead_owner"])} f`,
  );
}

/** State and zone of a lead's CRM contact, and the zones of its number joined with '&'; undefined if the lead does not exist. */
export async function findLeadRegion(
  db: Db,
  leadId: number,
): Promise<{ crmState: string | null; crmTimeZone: string | null; timeZone: string | null } | undefined> {
  const [place] = await db
    .select({
      crmState: sql<string | null>`${leads.extra} ->> 'state'`,
      crmTimeZone: sql<string | null>`${leads.extra} ->> 'timeZone'`,
      timeZone: leads.timeZone,
    })
    .from(leads)
    .where(eq(leads.id, leadId));
  return place;
}

/** Fields that came with a lead and have no column, sorted by name; undefined if the lead does not exist. */
export async function listExtraFields(db: Db, leadId: number): Promise<ExtraField[] | undefined> {
  const rows = await query<{ fields: ExtraField[] }>(
    db,
    sql`select ${extraItemsSql} as fields from leads l where l.id = ${leadId}`,
  );
  return rows[0]?.fields;
}

/**
 * Settings for a transaction that writes many leads together with its progress. A crash of PostgreSQL may undo both together, so the work
 * is repeated from there. The larger pending list leaves cleaning the trigram index to `createSearchTidier` unless that falls far behind.
 */
export const manyLeadsSettings = `set local synchronous_commit = off; set local gin_pending_list_limit = '32MB'`;

/** New leads before the index is cleaned, as cleaning scans much of it. */
const worthwhile = 1_500;

/**
 * Keeps searches fast while many leads are written. New entries of the trigram index collect in a pending list that every search reads;
 * this moves them into the index on another connection, so that the writer does not have to. Call `tidy` after new leads are written and
 * while their transaction does something else: leads written during the cleaning are indexed one by one, at three times the cost. `tidy`
 * does not wait; `ended` waits for the last run.
 */
export function createSearchTidier(context: { database: Database; log: Pick<Logger, "warn"> }): {
  tidy: (written: number) => void;
  ended: () => Promise<void>;
} {
  let waiting = 0;
  let running: Promise<void> | null = null;
  return {
    tidy(written) {
      waiting += written;
      if (running || waiting < worthwhile) return;
      waiting = 0;
      running = context.database.pool
        .query("select gin_clean_pending_list('leads_search_idx')")
        .then(
          () => undefined,
          // Without it the writers clean the list themselves, more slowly.
          (err: unknown) => context.log.warn({ err }, "trigram index not cleaned"),
        )
        .finally(() => {
          running = null;
        });
    },
    ended: async () => {
      await running;
    },
  };
}
