import { firstCallMinutes, type TodayKind } from "@portal/contract/entities/today";
import type { SQL } from "drizzle-orm";
import type { Db } from "../../platform/db/client.ts";
import { query, sql } from "../../platform/db/query.ts";
import { organisationSettings } from "../../platform/db/schema/organisation.ts";
import { followUpPlannedSql, type TryFacts, tryHistorySql } from "../../platform/db/sql/call-logs.ts";
import { joinRep, type LeadRow, leadColumns } from "../leads/lead-repository.ts";

/** Maximum number of leads that are read for each kind, most recent first. */
const kindMost = 200;
/** Higher for retries, because most leads that were called recently are not due. */
const triedMost = 1_000;

/** A lead that may be listed on Today, with the data for the order. */
export interface TodayRow extends LeadRow, TryFacts {
  /** When the follow-up was last changed; null if nobody changed it. */
  plannedAt: Date | null;
  textAt: Date | null;
  missedAt: Date | null;
  /** Kinds by which the lead was found. */
  kinds: TodayKind[];
}

const missed = sql`m.settled_at is null and m.result in ('missed', 'voicemail')`;
const isWorkable = sql`l.status not in ('converted', 'not_interested')`;
const talked = sql`t.lead_id = l.id and t.direction = 'inbound' and t.outcome = 'answered'`;

/** Ids of a consultant's leads by kind, each found through an index, at most `kindMost` or `triedMost`. */
function candidatesSql({ userId, dayEnd }: { userId: number; dayEnd: Date }): SQL {
  const own = sql`l.assigned_to = ${userId}`;
  const kinds: [kind: TodayKind, where: SQL, order: SQL, most: number][] = [
    [
      "promise",
      sql`l.status <> 'converted' and l.next_follow_up_at < ${dayEnd}`,
      sql`l.next_follow_up_at desc`,
      kindMost,
    ],
    [
      "follow_up",
      sql`l.status <> 'converted' and l.next_follow_up_date < ${dayEnd} and l.next_follow_up_at is null`,
      sql`l.next_follow_up_date desc`,
      kindMost,
    ],
    ["text", sql`l.status <> 'converted' and l.unread_messages > 0`, sql`l.last_activity_at desc`, kindMost],
    [
      "missed_call",
      sql`l.status <> 'converted' and l.id in (select m.lead_id from inbound_calls m where ${missed})`,
      sql`l.last_activity_at desc`,
      kindMost,
    ],
    [
      "new_lead",
      sql`l.status = 'new' and l.attempts = 0 and not exists (select 1 from call_logs t where ${talked})`,
      sql`l.assigned_at desc`,
      kindMost,
    ],
    [
      "retry",
      sql`l.attempts > 0 and ${isWorkable} and (l.last_attempt_outcome in ('no_answer', 'busy', 'voicemail', 'not_connected')
        or l.retry_from > l.last_attempt_at)`,
      sql`l.last_attempt_at desc nulls last`,
      triedMost,
    ],
  ];
  return sql.join(
    kinds.map(
      ([kind, where, order, most]) =>
        sql`(select l.id, ${kind} as kind from leads l where ${own} and ${where} order by ${order} limit ${sql.constant(most)})`,
    ),
    sql` union all `,
  );
}

/** Returns a consultant's leads that may be listed on Today, and the kinds of which there are more. */
export async function listTodayRows(
  db: Db,
  input: { userId: number; dayEnd: Date },
): Promise<{ rows: TodayRow[]; more: TodayKind[] }> {
  const rows = await query<TodayRow>(
    db,
    sql`select ${leadColumns(input.userId)}, ${tryHistorySql}, found.kinds,
       case when l.next_follow_up_date < ${input.dayEnd} then ${followUpPlannedSql} end as "plannedAt",
       case when l.unread_messages > 0 then (select min(m.created_at) from messages m
         where m.lead_id = l.id and m.direction = 'inbound' and m.read_at is null) end as "textAt",
       case when 'missed_call' = any(found.kinds) then (select min(m.started_at) from inbound_calls m
         where m.lead_id = l.id and ${missed}) end as "missedAt"
     from (select id, array_agg(kind) as kinds from (${candidatesSql(input)}) c group by id) found
       join leads l on l.id = found.id ${joinRep}`,
  );
  const isFull = (kind: TodayKind) =>
    rows.filter(({ kinds }) => kinds.includes(kind)).length >= (kind === "retry" ? triedMost : kindMost);
  return {
    rows,
    more: (["promise", "text", "missed_call", "new_lead", "retry", "follow_up"] as const).filter(isFull),
  };
}

/** Returns the target for the first call to a new lead, in minutes of the consultant's working time. */
export async function readFirstCallMinutes(db: Db): Promise<number> {
  const [row] = await db.select().from(organisationSettings);
  return row?.firstCallMinutes ?? firstCallMinutes.usual;
}
