import type { DashboardStats } from "@portal/contract/entities/lead";
import type { Db, Tx } from "../../db/client.ts";
import { prepared } from "../../db/prepared.ts";
import { leads } from "../../db/schema/leads.ts";
import type { LookUp } from "../../db/shared-connection.ts";
import { columnsOf } from "../../db/sql/columns.ts";
import { touchedFactsSql } from "../../db/sql/contact-facts.ts";
import type { GateRules } from "../gate/decide-contact.ts";
import type { OwnerScope } from "./data-lead-filter.ts";
import { gateWriter, isTouched, type TouchedFacts } from "./gate-text.ts";
import { nothingKnown, type OwnLeadRow, ownLeadRow, readLeadRow, writeOwnLead } from "./lead-text.ts";

const touchedSql = `select l.id, ${touchedFactsSql("$2::int")} from leads l where l.id = any($1::int[])`;

/** What calls and texts tell of the leads that somebody touched lately; nothing is asked of any other. */
export async function findTouched(
  lookUp: LookUp,
  ids: number[],
  actorId: number,
): Promise<Map<number, TouchedFacts>> {
  if (ids.length === 0) return new Map();
  const facts = await lookUp<TouchedFacts & { id: number }>(prepared(touchedSql, [ids, actorId]));
  return new Map(facts.map(({ id, ...touched }) => [id, touched]));
}

/** Leads that were read one by one or in small number, as JSON (`Lead`) as `actorId` sees them. */
export async function writeLeads(
  { lookUp, gate }: { lookUp: LookUp; gate: GateRules },
  rows: OwnLeadRow[],
  actorId: number,
): Promise<string[]> {
  const leads = rows.map((row) => ({ row, text: readLeadRow(row) }));
  const ids = leads.filter(({ text }) => isTouched(text)).map(({ row }) => row.id);
  const touched = await findTouched(lookUp, ids, actorId);
  const write = gateWriter(gate);
  return leads.map(({ row, text }) => {
    const number = row.stopped || row.dead || row.onCall ? row : nothingKnown;
    return writeOwnLead(text, row.repName, write(text, number, touched.get(row.id)));
  });
}

const { select, join } = ownLeadRow("$2::int");
const oneLead = `select ${select} from leads l ${join} where l.id = $1`;

/** One lead as this person sees it, as JSON, or undefined. */
export async function findLead(
  context: { lookUp: LookUp; gate: GateRules },
  { leadId, actorId }: { leadId: number; actorId: number },
): Promise<string | undefined> {
  const rows = await context.lookUp<OwnLeadRow>(prepared(oneLead, [leadId, actorId]));
  const [lead] = await writeLeads(context, rows, actorId);
  return lead;
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
