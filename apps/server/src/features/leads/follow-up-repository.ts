import { type FollowUpGroup, followUpGroups } from "@portal/contract/routes/assignment";
import { and, eq, gte, lte, ne, sql } from "drizzle-orm";
import type { Db } from "../../platform/db/client.ts";
import { prepared } from "../../platform/db/prepared.ts";
import { leads } from "../../platform/db/schema/leads.ts";
import { dateSql, midnightSql } from "../../platform/db/sql/filters.ts";
import { joinRep, type LeadRow, leadColumns, type OwnerScope } from "./lead-repository.ts";

/** Most rows that a group answers. */
const shownMost = 200;

/**
 * Each group of follow-ups of leads `l` by the organisation's days: what was due before today, today, on the seven days after it, and after
 * those. `zone` is SQL, as `at`, their date.
 */
export function followUpGroupsSql(zone: string, at = "l.next_follow_up_date"): Record<FollowUpGroup, string> {
  const dayStart = (days: number) => midnightSql(dateSql(zone, -days), zone);
  return {
    overdue: `${at} < ${dayStart(0)}`,
    today: `${at} >= ${dayStart(0)} and ${at} < ${dayStart(1)}`,
    week: `${at} >= ${dayStart(1)} and ${at} < ${dayStart(8)}`,
    later: `${at} >= ${dayStart(8)}`,
  };
}

/** The same, and what is due by its time: one that came over a day ago is an overdue date like others. `$1` is the organisation's zone. */
const groupSql: Record<FollowUpGroup | "due", string> = {
  ...followUpGroupsSql("$1::text"),
  due: "$1::text is not null and l.next_follow_up_at between now() - interval '1 day' and now()",
};

/** Leads with a follow-up; clients are done. `$2` is the consultant or null. */
const due = `l.next_follow_up_date is not null and l.status <> 'converted' and ($2::int is null or l.assigned_to = $2)`;

const repOf = (scope: OwnerScope) => (scope === "everyone" ? null : scope.salesRepId);

/** How many follow-ups each group has. */
export async function countFollowUps(
  db: Db,
  { scope, timeZone }: { scope: OwnerScope; timeZone: string },
): Promise<Record<FollowUpGroup, number>> {
  const counts = followUpGroups.map(
    (group) => `count(*) filter (where ${groupSql[group]})::int as "${group}"`,
  );
  const { rows } = await db.$client.query<Record<FollowUpGroup, number>>(
    `select ${counts.join(", ")} from leads l where ${due}`,
    [timeZone, repOf(scope)],
  );
  const [row] = rows;
  if (!row) throw new Error("an aggregate without a row");
  return row;
}

/** The leads of a group, soonest first; one with a time stands by it. */
export async function listFollowUps(
  db: Db,
  input: { scope: OwnerScope; timeZone: string; group: FollowUpGroup | "due"; actorId: number },
): Promise<LeadRow[]> {
  const { rows } = await db.$client.query<LeadRow>(
    prepared(
      `select ${leadColumns("$3::int")} from leads l ${joinRep}
       where ${due} and ${groupSql[input.group]} order by coalesce(l.next_follow_up_at, l.next_follow_up_date), l.id limit ${shownMost}`,
      [input.timeZone, repOf(input.scope), input.actorId],
    ),
  );
  return rows;
}

/** A person's own follow-ups with a time, from a day ago to three hours from now. */
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
