import type { Db } from "../../platform/db/client.ts";
import { query, queryFirst, queryOnly, sql } from "../../platform/db/query.ts";
import type { OutboxRow } from "../crm-outbox/repository.ts";

const failuresMax = 50;
const changesMax = 50;

/** A change for lists. */
export interface ChangeView {
  id: number;
  leadId: number;
  leadName: string;
  assignedTo: number | null;
  field: OutboxRow["field"];
  state: OutboxRow["state"];
  error: string | null;
  attempts: number;
  createdAt: Date;
  sentAt: Date | null;
}

const changeColumns = sql`o.id, o.lead_id as "leadId", l.name as "leadName", l.assigned_to as "assignedTo", o.field, o.state, o.error,
  o.attempts, o.created_at as "createdAt", o.sent_at as "sentAt"`;

interface OutboxFigures {
  pending: number;
  failed: number;
  sentToday: number;
  oldestPendingAt: Date | null;
}

/** Counts of changes for one consultant's leads, or for all (null). Changes of leads whose contact was deleted are left out. */
export async function readOutbox(db: Db, salesRepId: number | null): Promise<OutboxFigures> {
  return queryOnly<OutboxFigures>(
    db,
    sql`select open.*, sent.* from
       (select count(*) filter (where o.state = 'pending')::int as pending,
          count(*) filter (where o.state = 'failed')::int as failed,
          min(o.created_at) filter (where o.state = 'pending') as "oldestPendingAt"
          from crm_outbox o join leads l on l.id = o.lead_id
         where o.state in ('pending', 'failed') and l.crm_deleted_at is null and (${salesRepId}::int is null or l.assigned_to = ${salesRepId})) open,
       (select count(*)::int as "sentToday" from crm_outbox o join leads l on l.id = o.lead_id
         where o.state = 'sent' and o.sent_at > clock_timestamp() - interval '24 hours'
           and (${salesRepId}::int is null or l.assigned_to = ${salesRepId})) sent`,
  );
}

export async function listFailures(db: Db, salesRepId: number | null): Promise<ChangeView[]> {
  return query<ChangeView>(
    db,
    sql`select ${changeColumns} from crm_outbox o join leads l on l.id = o.lead_id
      where o.state = 'failed' and l.crm_deleted_at is null and (${salesRepId}::int is null or l.assigned_to = ${salesRepId}) order by o.id desc limit ${failuresMax}`,
  );
}

export async function listChangesOfLead(db: Db, leadId: number): Promise<ChangeView[]> {
  return query<ChangeView>(
    db,
    sql`select ${changeColumns} from crm_outbox o join leads l on l.id = o.lead_id
      where o.lead_id = ${leadId} order by o.id desc nulls last limit ${changesMax}`,
  );
}

/** The owner of the lead of a change; undefined if the change does not exist. */
export async function findChangeOwner(
  db: Db,
  changeId: number,
): Promise<{ assignedTo: number | null } | undefined> {
  return queryFirst<{ assignedTo: number | null }>(
    db,
    sql`select l.assigned_to as "assignedTo" from crm_outbox o join leads l on l.id = o.lead_id where o.id = ${changeId}`,
  );
}

export async function findLeadOwner(
  db: Db,
  leadId: number,
): Promise<{ assignedTo: number | null } | undefined> {
  return queryFirst<{ assignedTo: number | null }>(
    db,
    sql`select assigned_to as "assignedTo" from leads where id = ${leadId}`,
  );
}
