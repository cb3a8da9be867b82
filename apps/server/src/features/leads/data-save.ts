import type { Db } from "../../db/client.ts";
import { prepared } from "../../db/prepared.ts";
import { leads } from "../../db/schema/leads.ts";
import type { LookUp } from "../../db/shared-connection.ts";
import { columnsOf } from "../../db/sql/columns.ts";
import { insertLeadEventsSql } from "../../db/sql/insert-history.ts";
import { type OwnLeadRow, ownLeadRow } from "./lead-text.ts";

type Lead = typeof leads.$inferSelect;
/** What of a lead is changed by hand. */
export type Field = "status" | "priority" | "notes" | "nextFollowUpDate" | "lastContactedAt";

/** What a change is judged by. */
export type KnownLead = Pick<Lead, "assignedTo" | Field>;

const fields: Field[] = ["status", "priority", "notes", "nextFollowUpDate", "lastContactedAt"];
const { names } = columnsOf(leads);
const known = [...fields, "assignedTo"].map((field) => `${names[field]} as "${field}"`).join(", ");

/** A lead as it stands now, with the version of its row. */
export async function findKnownLead(
  lookUp: LookUp,
  leadId: number,
): Promise<(KnownLead & { version: string }) | undefined> {
  const [lead] = await lookUp<KnownLead & { version: string }>(
    prepared(`select xmin::text as version, ${known} from leads where id = $1`, [leadId]),
  );
  return lead;
}

/** The value of a field where it is among the changes, else as it stands. */
const sets = fields
  .map((field) => {
    const value = `(i.changes ->> '${field}')`;
    const cast = leads[field].getSQLType() === "text" ? value : `${value}::timestamptz`;
    return `${names[field]} = case when i.changes ? '${field}' then ${cast} else l.${names[field]} end`;
  })
  .join(", ");

const { select, join } = ownLeadRow("l.actor_id");
const isPushed = "i.crm_changes is not null and l.ghl_contact_id is not null and l.crm_deleted_at is null";
/** Leads that somebody else holds are left out, as those that have changed: nobody waits for another one's lead. */
const saveSql = `with input as materialized (select i.* from json_to_recordset($1::json)
      as i(lead_id int, version text, actor_id int, changes jsonb, events jsonb, crm_changes jsonb)
    join leads l on l.id = i.lead_id and l.xmin = i.version::xid order by l.id for no key update of l skip locked),
  changed as (
    update leads l set ${sets}, updated_at = clock_timestamp(), crm_sync = case when ${isPushed} then 'pending' else l.crm_sync end
    from input i where l.id = i.lead_id returning l.*, i.actor_id, i.events, i.crm_changes),
  events as (${insertLeadEventsSql(
    "select c.id, c.actor_id, 'changed', e from changed c, jsonb_array_elements(c.events) e",
  )}),
  outbox as (insert into crm_outbox (lead_id, field, value, user_id)
    select c.id, o.change ->> 'field', nullif(o.change -> 'value', 'null'), c.actor_id
    from changed c, jsonb_array_elements(c.crm_changes) with ordinality as o(change, n)
    where c.ghl_contact_id is not null and c.crm_deleted_at is null order by c.id, n returning lead_id)
  select ${select}, exists (select 1 from outbox o where o.lead_id = l.id) as queued from changed l ${join}`;

/** What is written of a lead, judged by the version that was read. */
export interface LeadSave {
  leadId: number;
  version: string;
  actorId: number;
  changes: Partial<Pick<Lead, Field>>;
  events: object[];
  crmChanges: object[];
}

/** A lead as it was saved; `queued` where changes wait for the CRM. */
export type SavedLead = OwnLeadRow & { queued: boolean };

/**
 * Writes changes of different leads with their timelines and the CRM's outbox in one statement, each where the lead is still the version
 * that they were judged by: undefined where it is not, or where somebody is writing it. Answers each lead as its actor sees it.
 */
export async function saveLeads(db: Db, saves: readonly LeadSave[]): Promise<(SavedLead | undefined)[]> {
  const input = saves.map(({ leadId, version, actorId, changes, events, crmChanges }) => ({
    lead_id: leadId,
    version,
    actor_id: actorId,
    changes,
    events,
    crm_changes: crmChanges.length > 0 ? crmChanges : null,
  }));
  const { rows } = await db.$client.query<SavedLead>(prepared(saveSql, [JSON.stringify(input)]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return saves.map(({ leadId }) => byId.get(leadId));
}
