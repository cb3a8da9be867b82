import type { DashboardStats } from "@portal/contract/entities/lead";
import type { Database, Db, Tx } from "../../db/client.ts";
import { prepared } from "../../db/prepared.ts";
import { leads } from "../../db/schema/leads.ts";
import type { LookUp } from "../../db/shared-connection.ts";
import { columnsOf } from "../../db/sql/columns.ts";
import { touchedFactsSql } from "../../db/sql/contact-facts.ts";
import type { OwnerScope } from "./data-lead-filter.ts";
import { fetchLeads, type LeadPage, type PageRow } from "./data-lead-pages.ts";
import { leadText, type OwnLeadTextRow, type TouchedFacts, type WholeLeadTextRow } from "./lead-text.ts";

const touchedSql = `select l.id, ${touchedFactsSql("$2::int")} from leads l where l.id = any($1::int[])`;

/** Completes what is known of the leads that somebody touched lately; all others were looked up in no table but their own. */
export async function withTouched<Row extends OwnLeadTextRow>(
  lookUp: LookUp,
  rows: Row[],
  actorId: number,
): Promise<(Row & WholeLeadTextRow)[]> {
  const ids = rows.filter(({ isTouched }) => isTouched).map(({ id }) => id);
  const facts =
    ids.length > 0 ? await lookUp<TouchedFacts & { id: number }>(prepared(touchedSql, [ids, actorId])) : [];
  const byId = new Map(facts.map(({ id, ...touched }) => [id, touched]));
  const whole = rows as (Row & WholeLeadTextRow)[];
  for (const row of whole) if (row.isTouched) row.touched = byId.get(row.id);
  return whole;
}

/** A page of leads as `actorId` sees them. */
export async function listLeads(
  source: Pick<Database, "db" | "lookUp">,
  page: LeadPage & { actorId: number },
): Promise<(WholeLeadTextRow & PageRow)[]> {
  const rows = await fetchLeads<OwnLeadTextRow & PageRow>(source, page, (place) =>
    leadText(`${place(page.actorId)}::int`),
  );
  return withTouched(source.lookUp, rows, page.actorId);
}

const { select, join } = leadText("$2::int");
const oneLead = `select l.id, ${select} from leads l ${join} where l.id = $1`;

/** One lead as this person sees it, or undefined. */
export async function findLead(
  lookUp: LookUp,
  { leadId, actorId }: { leadId: number; actorId: number },
): Promise<WholeLeadTextRow | undefined> {
  const rows = await lookUp<OwnLeadTextRow>(prepared(oneLead, [leadId, actorId]));
  const [row] = await withTouched(lookUp, rows, actorId);
  return row;
}

// Money is a text to the driver.
const wholeRow = columnsOf(leads).list.replace('"deal_value"', '"deal_value"::float8');

/** The row itself, held until the transaction ends. */
export async function findLeadForUpdate(
  tx: Tx,
  leadId: number,
): Promise<typeof leads.$inferSelect | undefined> {
  const { rows } = await tx.$client.query<typeof leads.$inferSelect>(
    prepared(`select ${wholeRow} from leads where id = $1 for update`, [leadId]),
  );
  return rows[0];
}

/** Figures of the tiles. Today is the organisation's day. */
export async function leadStats(db: Db, scope: OwnerScope, timeZone: string): Promise<DashboardStats> {
  const rep = scope === "everyone" ? null : scope.salesRepId;
  const { rows } = await db.$client.query<DashboardStats>(
    `select count(*)::int as "totalLeads",
       count(*) filter (where last_contacted_at >= date_trunc('day', now() at time zone $2) at time zone $2)::int as "contactedToday",
       count(*) filter (where next_follow_up_date is not null and status <> 'converted')::int as "pendingFollowUp",
       count(*) filter (where status = 'new')::int as "newLeads",
       count(*) filter (where status = 'contacted')::int as "contactedLeads",
       count(*) filter (where status = 'interested')::int as "interestedLeads",
       count(*) filter (where status = 'not_interested')::int as "notInterestedLeads",
       (select count(*)::int from call_logs where not confirmed and ($1::int is null or user_id = $1)) as "needsOutcome"
     from leads where $1::int is null or assigned_to = $1`,
    [rep, timeZone],
  );
  const [stats] = rows;
  if (!stats) throw new Error("an aggregate without a row");
  return stats;
}
