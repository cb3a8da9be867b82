import type { Db } from "../../platform/db/client.ts";
import { query, sql } from "../../platform/db/query.ts";
import type { InboundRow } from "../telephony/inbound/repository.ts";
import type { DialerRow } from "./session-repository.ts";

/** A lead who called while their consultant was on an open line, with their newest call. */
export interface Caller extends Pick<InboundRow, "stage" | "result"> {
  leadId: number;
  name: string;
  calledAt: Date;
}

const shown = 5;

/**
 * Leads who called the consultant of a session on an open line since its start and did not reach anybody, as the consultant's own phone was
 * busy.
 */
export async function listCallers(
  db: Db,
  { userId, startedAt, lineMode }: Pick<DialerRow, "userId" | "startedAt" | "lineMode">,
): Promise<Caller[]> {
  if (lineMode !== "open_line") return [];
  return query<Caller>(
    db,
    sql`select * from (
       select distinct on (i.lead_id) i.lead_id as "leadId", l.name, i.started_at as "calledAt", i.stage, i.result
       from inbound_calls i join leads l on l.id = i.lead_id
       where i.owner_id = ${userId} and l.assigned_to = ${userId} and i.started_at >= ${startedAt}
         and i.settled_at is null and i.stage <> 'talking' and i.result is distinct from 'answered'
       order by i.lead_id, i.started_at desc) callers
     order by "calledAt" limit ${shown}`,
  );
}
