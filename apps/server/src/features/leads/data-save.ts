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

/** The value of a field where it is among the changes `$4`, else as it stands. */
const sets = fields
  .map((field) => {
    const value = `($4::jsonb ->> '${field}')`;
    const cast = leads[field].getSQLType() === "text" ? value : `${value}::timestamptz`;
    return `${names[field]} = case when $4::jsonb ? '${field}' then ${cast} else l.${names[field]} end`;
  })
  .join(", ");

const { select, join } = ownLeadRow("$3::int");
const saveSql = `with changed as (
    update leads l set ${sets}, updated_at = clock_timestamp(),
      crm_sync = case when $6::json is not null and l.ghl_contact_id is not null and l.crm_deleted_at is null then 'pending' else l.crm_sync end
    where l.id = $1 and l.xmin = $2::text::xid returning l.*),
  events as (${insertLeadEventsSql(
    "select c.id, $3::int, 'changed', e from changed c, jsonb_array_elements($5::jsonb) e",
  )}),
  outbox as (insert into crm_outbox (lead_id, field, value, user_id)
    select c.id, o.field, o.value, $3::int
    from changed c, rows from (json_to_recordset($6::json) as (field text, value jsonb)) with ordinality as o(field, value, n)
    where c.ghl_contact_id is not null and c.crm_deleted_at is null order by n returning lead_id)
  select ${select}, exists (select 1 from outbox) as queued from changed l ${join}`;

/** A lead as it was saved; `queued` where changes wait for the CRM. */
type SavedLead = OwnLeadRow & { queued: boolean };

/**
 * Writes changes with their timeline and the CRM's outbox in one statement, where the lead is still the version that they were judged by:
 * undefined where it is not. Answers the lead as `actorId` sees it, and whether changes wait for the CRM.
 */
export async function saveLead(
  db: Db,
  input: {
    leadId: number;
    version: string;
    actorId: number;
    changes: Partial<Pick<Lead, Field>>;
    events: object[];
    crmChanges: object[];
  },
): Promise<SavedLead | undefined> {
  const { rows } = await db.$client.query<SavedLead>(
    prepared(saveSql, [
      input.leadId,
      input.version,
      input.actorId,
      JSON.stringify(input.changes),
      JSON.stringify(input.events),
      input.crmChanges.length > 0 ? JSON.stringify(input.crmChanges) : null,
    ]),
  );
  return rows[0];
}
