import type { Db } from "../../db/client.ts";

/** A lead of a session with its call and that call's log. */
export interface WorkedItem {
  leadId: number;
  name: string;
  company: string | null;
  state: string;
  reason: string | null;
  dialledAt: Date | null;
  result: string | null;
  /** The lead's phone rang or was found out of reach. */
  logged: boolean;
  outcome: string | null;
  seconds: number | null;
}

/** All leads of a session, in order. */
export async function listWorked(db: Db, sessionId: number): Promise<WorkedItem[]> {
  const { rows } = await db.$client.query<WorkedItem>(
    `select i.lead_id as "leadId", l.name, l.company, i.state, i.reason, i.dialled_at as "dialledAt", c.result,
       g.id is not null as logged, g.outcome, g.duration_seconds as seconds
     from dialer_items i join leads l on l.id = i.lead_id
       left join calls c on c.id = i.call_id left join call_logs g on g.call_id = i.call_id
     where i.session_id = $1 order by i.position`,
    [sessionId],
  );
  return rows;
}
