import type { DashboardStats } from "@portal/contract/entities/lead";
import type { Db, Tx } from "../../db/client.ts";
import { prepared, preparedList } from "../../db/prepared.ts";
import { leads } from "../../db/schema/leads.ts";
import { columnsOf } from "../../db/sql/columns.ts";
import { leadContactFactsSql } from "../../db/sql/contact-facts.ts";
import type { OwnerScope } from "./data-lead-filter.ts";
import { fetchLeads, type LeadPage, type PageRow } from "./data-lead-pages.ts";

type Columns = Pick<
  typeof leads.$inferSelect,
  | (
      | "id"
      | "name"
      | "firstName"
      | "lastName"
      | "email"
      | "phone"
      | "company"
      | "industry"
      | "status"
      | "leadSource"
    )
  | ("priority" | "notes" | "dealValue" | "ghlContactId" | "aiRecordingMessageId" | "nextFollowUpDate")
  | (
      | "lastContactedAt"
      | "assignedAt"
      | "assignedTo"
      | "createdAt"
      | "convertedAt"
      | "consentAt"
      | "consentSource"
    )
  | "crmSync"
>;
/** Instants as the database writes them. */
type AsText<T> = { [Key in keyof T]: Date extends T[Key] ? string | Exclude<T[Key], Date> : T[Key] };

/** A lead without what depends on who looks and when. */
export interface SystemLeadRow extends AsText<Columns> {
  salesRepName: string | null;
}

/** A lead as those who work on it see it. */
export interface LeadRow extends SystemLeadRow {
  phoneE164: string | null;
  callOptOut: string | null;
  textOptOut: string | null;
  numberFault: string | null;
  timeZone: string | null;
  leadOnCall: boolean;
  lastCallSlot: string | null;
  lastTextSlot: string | null;
  unreadTexts: number;
}

const columns = `l.id, l.name, l.first_name as "firstName", l.last_name as "lastName", l.email, l.company, l.industry, l.status,
  l.lead_source as "leadSource", l.priority, l.notes, l.deal_value::float8 as "dealValue", l.ghl_contact_id as "ghlContactId",
  l.ai_recording_message_id as "aiRecordingMessageId", l.next_follow_up_date as "nextFollowUpDate",
  l.last_contacted_at as "lastContactedAt", l.assigned_at as "assignedAt", l.assigned_to as "assignedTo", u.name as "salesRepName",
  l.created_at as "createdAt", l.converted_at as "convertedAt", l.consent_source as "consentSource", l.crm_sync as "crmSync"`;

/** What a `SystemLeadRow` selects of leads `l` and their consultants `u`. */
export const systemLeadColumns = `${columns}, l.phone, l.consent_at as "consentAt"`;

/** What a `LeadRow` selects of them; `actor` is the placeholder of the id of whoever looks. */
export const leadColumns = (actor: string) => `${columns}, ${leadContactFactsSql(actor)},
  (select count(*)::int from messages m where m.lead_id = l.id and m.direction = 'inbound' and m.read_at is null) as "unreadTexts"`;

/** A page of leads as `actorId` sees them. */
export function listLeads(db: Db, page: LeadPage & { actorId: number }): Promise<(LeadRow & PageRow)[]> {
  return fetchLeads<LeadRow & PageRow>(db, page, (place) => leadColumns(`${place(page.actorId)}::int`));
}

/** One lead as this person sees it, or undefined. */
export async function findLead(
  db: Db,
  { leadId, actorId }: { leadId: number; actorId: number },
): Promise<LeadRow | undefined> {
  const { rows } = await db.$client.query<LeadRow>(
    preparedList(
      `select ${leadColumns("$2::int")} from leads l left join users u on u.id = l.assigned_to where l.id = $1`,
      [leadId, actorId],
    ),
  );
  return rows[0];
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
