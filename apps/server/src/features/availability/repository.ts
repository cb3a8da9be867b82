import type { Availability, WorkingHours } from "@portal/contract/entities/availability";
import { and, eq, gt, isNull, or } from "drizzle-orm";
import type { Absence, Reachability } from "../../domain/reachability.ts";
import type { Db, Tx } from "../../platform/db/client.ts";
import { query, sql } from "../../platform/db/query.ts";
import { absences } from "../../platform/db/schema/people.ts";
import { users } from "../../platform/db/schema/users.ts";

/** The data that decide whether a user can be reached. */
export interface ReachabilityRow extends Reachability {
  userId: number;
  /** The substitute for the user's incoming calls; null if there is none, or that account is closed. */
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

/** The availability of these users, with the absences that had not ended before `since`; without it, those of the last sixty days. */
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

/** The same for one user; an account that does not exist has no hours. */
export async function findReachability(
  db: Db,
  userId: number,
  since: Date | null = null,
): Promise<ReachabilityRow> {
  const [row] = await listReachability(db, { userIds: [userId], since });
  return row ?? { userId, hours: null, absences: [], standIn: null };
}

/** Locks an account until the transaction ends, so that changes of its availability run one after the other. */
export async function lockAvailability(tx: Tx, userId: number): Promise<void> {
  await query(tx, sql`select 1 from users where id = ${userId} for no key update`);
}

export async function updateHours(
  tx: Tx,
  { userId, ...patch }: { userId: number; workingHours?: WorkingHours | null; standInId?: number | null },
): Promise<void> {
  await tx
    .update(users)
    .set({ ...patch, updatedAt: new Date() })
    .where(eq(users.id, userId));
}

/** Inserts an absence from now until an instant or without an end. */
export async function insertAbsence(
  tx: Tx,
  values: { userId: number; startedAt: Date; until: Date | null },
): Promise<void> {
  await tx.insert(absences).values(values);
}

/** Changes the end of the current absence; false if there is none. */
export async function moveAbsenceEnd(
  tx: Tx,
  { userId, now, until }: { userId: number; now: Date; until: Date | null },
): Promise<boolean> {
  const moved = await tx
    .update(absences)
    .set({ until })
    .where(and(eq(absences.userId, userId), or(isNull(absences.until), gt(absences.until, now))))
    .returning({ id: absences.id });
  return moved.length > 0;
}

/** Whether calls can go to this user: a consultant with an active account. */
export async function isActiveConsultant(tx: Tx, userId: number): Promise<boolean> {
  return (
    (await tx.$count(
      users,
      and(eq(users.id, userId), eq(users.role, "consultant"), isNull(users.disabledAt)),
    )) > 0
  );
}
