import type { Availability, WorkingHours } from "@portal/contract/entities/availability";
import type { Absence, Reachability } from "../../domain/reachability.ts";
import type { Db } from "../../platform/db/client.ts";
import { query, sql } from "../../platform/db/query.ts";

/** What is known of whether a person can be reached. */
export interface ReachabilityRow extends Reachability {
  userId: number;
  /** Who takes their callers' calls meanwhile; null without one, or where that account is closed. */
  standIn: Availability["standIn"];
}

interface Stored {
  userId: number;
  hours: WorkingHours | null;
  standIn: Availability["standIn"];
  /** Instants in ms. */
  absences: [from: number, until: number | null][];
}

const absenceOf = ([from, until]: Stored["absences"][number]): Absence => ({
  from: new Date(from),
  until: until === null ? null : new Date(until),
});

/** Whether these people can be reached, with the times away that had not ended before `since`; without it those of sixty days. */
export async function listReachability(
  db: Db,
  { userIds, since = null }: { userIds: number[]; since?: Date | null },
): Promise<ReachabilityRow[]> {
  if (userIds.length === 0) return [];
  const rows = await query<Stored>(
    db,
    sql`select u.id as "userId", u.working_hours as hours,
       case when s.id is not null then json_build_object('id', s.id, 'name', s.name) end as "standIn",
       coalesce((select json_agg(json_build_array(round(extract(epoch from a.started_at) * 1000)::bigint,
           round(extract(epoch from a.until) * 1000)::bigint) order by a.started_at)
         from absences a where a.user_id = u.id
           and (a.until is null or a.until > coalesce(${since}::timestamptz, now() - interval '60 days'))), '[]') as absences
     from users u left join users s on s.id = u.stand_in_id and s.disabled_at is null
     where u.id = any(${sql.param(userIds)}::int[])`,
  );
  return rows.map(({ absences, ...row }) => ({ ...row, absences: absences.map(absenceOf) }));
}

/** The same of one person; of an account that does not exist, as of one without hours. */
export async function findReachability(
  db: Db,
  userId: number,
  since: Date | null = null,
): Promise<ReachabilityRow> {
  const [row] = await listReachability(db, { userIds: [userId], since });
  return row ?? { userId, hours: null, absences: [], standIn: null };
}
