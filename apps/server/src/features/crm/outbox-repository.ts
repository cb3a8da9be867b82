import type { Db } from "../../platform/db/client.ts";
import type { OutboxRow } from "../crm-outbox/repository.ts";

const failuresMax = 50;
const changesMax = 50;

/** A change as lists show it. */
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

const changeColumns = `o.id, o.lead_id as "leadId", l.name as "leadName", l.assigned_to as "assignedTo", o.field, o.state, o.error,
  o.attempts, o.created_at as "createdAt", o.sent_at as "sentAt"`;

interface OutboxFigures {
  pending: number;
  failed: number;
  sentToday: number;
  oldestPendingAt: Date | null;
}

/** How the changes stand of one consultant's leads, or of all (null). */
export async function readOutbox(db: Db, salesRepId: number | null): Promise<OutboxFigures> {
  const { rows } = await db.$client.query<OutboxFigures>(
    `select open.*, sent.* from
       (select count(*) filter (where o.state = 'pending')::int as pending,
          count(*) filter (where o.state = 'failed')::int as failed,
          min(o.created_at) filter (where o.state = 'pending') as "oldestPendingAt"
          from crm_outbox o join leads l on l.id = o.lead_id
         where o.state in ('pending', 'failed') and ($1::int is null or l.assigned_to = $1)) open,
       (select count(*)::int as "sentToday" from crm_outbox o join leads l on l.id = o.lead_id
         where o.state = 'sent' and o.sent_at > clock_timestamp() - interval '24 hours'
           and ($1::int is null or l.assigned_to = $1)) sent`,
    [salesRepId],
  );
  const [figures] = rows;
  if (!figures) throw new Error("an aggregate without a row");
  return figures;
}

export async function listFailures(db: Db, salesRepId: number | null): Promise<ChangeView[]> {
  const { rows } = await db.$client.query<ChangeView>(
    `select ${changeColumns} from crm_outbox o join leads l on l.id = o.lead_id
      where o.state = 'failed' and ($1::int is null or l.assigned_to = $1) order by o.id desc limit $2`,
    [salesRepId, failuresMax],
  );
  return rows;
}

export async function listChangesOfLead(db: Db, leadId: number): Promise<ChangeView[]> {
  const { rows } = await db.$client.query<ChangeView>(
    `select ${changeColumns} from crm_outbox o join leads l on l.id = o.lead_id
      where o.lead_id = $1 order by o.id desc nulls last limit $2`,
    [leadId, changesMax],
  );
  return rows;
}

/** Whose lead a change is of; undefined where there is no such change. */
export async function findChangeOwner(
  db: Db,
  changeId: number,
): Promise<{ assignedTo: number | null } | undefined> {
  const { rows } = await db.$client.query<{ assignedTo: number | null }>(
    `select l.assigned_to as "assignedTo" from crm_outbox o join leads l on l.id = o.lead_id where o.id = $1`,
    [changeId],
  );
  return rows[0];
}

export async function findLeadOwner(
  db: Db,
  leadId: number,
): Promise<{ assignedTo: number | null } | undefined> {
  const { rows } = await db.$client.query<{ assignedTo: number | null }>(
    `select assigned_to as "assignedTo" from leads where id = $1`,
    [leadId],
  );
  return rows[0];
}
