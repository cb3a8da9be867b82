import { type FollowUpGroup, followUpGroups } from "@portal/contract/routes/assignment";
import { and, eq, gte, lte, ne, type SQL } from "drizzle-orm";
import type { Db } from "../../platform/db/client.ts";
import { query, queryOnly, sql } from "../../platform/db/query.ts";
import { leads } from "../../platform/db/schema/leads.ts";
import { dateSql, midnightSql } from "../../platform/db/sql/filters.ts";
import { joinRep, type LeadRow, leadColumns, type OwnerScope } from "./lead-repository.ts";

/** Maximum number of rows of a group. */
const shownMost = 200;

const followUpDate = sql`l.next_follow_up_date`;

/**
 * Each group of follow-ups of leads `l` by the organization's days: what was due before today, today, on the seven days after it, and after
 * those. `at` is their date.
 */
export function followUpGroupsSql(timeZone: string, at = followUpDate): Record<FollowUpGroup, SQL> {
  const dayStart = (days: number) => midnightSql(dateSql(timeZone, -days), timeZone);
  return {
    overdue: sql`${at} < ${dayStart(0)}`,
    today: sql`${at} >= ${dayStart(0)} and ${at} < ${dayStart(1)}`,
    week: sql`${at} >= ${dayStart(1)} and ${at} < ${dayStart(8)}`,
    later: sql`${at} >= ${dayStart(8)}`,
  };
}

/** A follow-up whose time has come within the last day; an older one counts as overdue like any other date. */
const isDueNow = sql`l.next_follow_up_at between now() - interval '1 day' and now()`;

/** Leads with a follow-up, without clients. */
function dueOf(scope: OwnerScope): SQL {
  const due = sql`l.next_follow_up_date is not null and l.status <> 'converted'`;
  return scope === "everyone" ? due : sql`${due} and l.assigned_to = ${scope.salesRepId}`;
}

/** Number of follow-ups in each group. */
export async function countFollowUps(
  db: Db,
  { scope, timeZone }: { scope: OwnerScope; timeZone: string },
): Promise<Record<FollowUpGroup, number>> {
  const groups = followUpGroupsSql(timeZone);
  const counts = followUpGroups.map(
    (group) => sql`count(*) filter (where ${groups[group]})::int as ${sql.identifier(group)}`,
  );
  return queryOnly<Record<FollowUpGroup, number>>(
    db,
    sql`select ${sql.join(counts, sql`, `)} from leads l where ${dueOf(scope)}`,
  );
}

/** Leads of a group, soonest first; a follow-up with a time sorts by its time. */
export async function listFollowUps(
  db: Db,
  input: { scope: OwnerScope; timeZone: string; group: FollowUpGroup | "due"; actorId: number },
): Promise<LeadRow[]> {
  const { scope, timeZone, group, actorId } = input;
  const isIn = group === "due" ? isDueNow : followUpGroupsSql(timeZone)[group];
  return query<LeadRow>(
    db,
    sql`select ${leadColumns(actorId)} from leads l ${joinRep} where ${dueOf(scope)} and ${isIn}
      order by coalesce(l.next_follow_up_at, l.next_follow_up_date), l.id limit ${sql.constant(shownMost)}`,
    { prepared: true },
  );
}

/** A user's own follow-ups with a time, from a day ago to three hours from now. */
export async function listTimedFollowUps(
  db: Db,
  userId: number,
): Promise<{ leadId: number; name: string; at: Date | null }[]> {
  return db
    .select({ leadId: leads.id, name: leads.name, at: leads.nextFollowUpAt })
    .from(leads)
    .where(
      and(
        eq(leads.assignedTo, userId),
        ne(leads.status, "converted"),
        gte(leads.nextFollowUpAt, sql`now() - interval '1 day'`),
        lte(leads.nextFollowUpAt, sql`now() + interval '3 hours'`),
      ),
    )
    .orderBy(leads.nextFollowUpAt, leads.id)
    .limit(shownMost);
}
