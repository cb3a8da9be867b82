import type { Db } from "../../db/client.ts";
import { fetchLeads, type LeadPage, type PageRow } from "./data-lead-pages.ts";

/** An instant as the API writes them. */
const iso = (instant: string) => `to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A lead `l` of consultant `u` as the contract's `systemLeadSchema` has it, as JSON text. */
const leadJson = `(select row_to_json(j)::text from (select l.id, l.name, l.first_name as "firstName", l.last_name as "lastName",
  l.email, l.phone, l.company, l.industry, l.status, l.status as "leadStatus", l.lead_source as "leadSource", l.priority, l.notes,
  l.deal_value::float8 as "dealValue", l.ghl_contact_id as "ghlContactId",
  case when l.ai_recording_message_id <> '' then '/api/ai-recording/' || l.id end as "aiRecordingUrl",
  ${iso("l.next_follow_up_date")} as "nextFollowUpDate",
  ${iso("l.last_contacted_at")} as "lastContactDate", ${iso("l.last_contacted_at")} as "lastContactedAt",
  ${iso("l.assigned_at")} as "assignedDate", ${iso("l.assigned_at")} as "assignedAt",
  l.assigned_to as "assignedTo", u.name as "salesRepName", ${iso("l.created_at")} as "createdAt",
  ${iso("l.converted_at")} as "convertedAt", ${iso("l.consent_at")} as "consentAt", l.consent_source as "consentSource",
  l.crm_sync as "crmSync") j)`;

/** A lead as `systemLeadSchema`, written as JSON by PostgreSQL. */
export interface SystemLeadRow extends PageRow {
  json: string;
}

/** A page of all leads. */
export function listAllLeads(db: Db, page: LeadPage): Promise<SystemLeadRow[]> {
  return fetchLeads<SystemLeadRow>(db, page, () => `l.id, ${leadJson} as json`);
}

export interface AllLeadsStats {
  total: number;
  assigned: number;
  unassigned: number;
  converted: number;
}

/** Figures of all leads, from those that are kept by consultant and status. */
export async function allLeadsStats(db: Db): Promise<AllLeadsStats> {
  const { rows } = await db.$client.query<AllLeadsStats>(
    `select coalesce(sum(n), 0)::int as total,
       coalesce(sum(n) filter (where user_id <> 0), 0)::int as assigned,
       coalesce(sum(n) filter (where user_id = 0), 0)::int as unassigned,
       coalesce(sum(n) filter (where label = 'converted'), 0)::int as converted
     from current_figures where kind = 'lead_owner'`,
  );
  const [stats] = rows;
  if (!stats) throw new Error("an aggregate without a row");
  return stats;
}
