import type { FollowUpGroup } from "@portal/contract/routes/assignment";
import type { Db } from "../../platform/db/client.ts";
import { prepared } from "../../platform/db/prepared.ts";
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

/** The same; `$1` is the organisation's zone. */
const groupSql = followUpGroupsSql("$1::text");

/** Leads with a follow-up; clients are done. `$2` is the consultant or null. */
const due = `l.next_follow_up_date is not null and l.status <> 'converted' and ($2::int is null or l.assigned_to = $2)`;

const repOf = (scope: OwnerScope) => (scope === "everyone" ? null : scope.salesRepId);

/** How many follow-ups each group has. */
export async function countFollowUps(
  db: Db,
  { scope, timeZone }: { scope: OwnerScope; timeZone: string },
): Promise<Record<FollowUpGroup, number>> {
  const counts = Object.entries(groupSql).map(
    ([group, sql]) => `count(*) filter (where ${sql})::int as "${group}"`,
  );
  const { rows } = await db.$client.query<Record<FollowUpGroup, number>>(
    `select ${counts.join(", ")} from leads l where ${due}`,
    [timeZone, repOf(scope)],
  );
  const [row] = rows;
  if (!row) throw new Error("an aggregate without a row");
  return row;
}

/** The leads of a group, soonest first. */
export async function listFollowUps(
  db: Db,
  input: { scope: OwnerScope; timeZone: string; group: FollowUpGroup; actorId: number },
): Promise<LeadRow[]> {
  const { rows } = await db.$client.query<LeadRow>(
    prepared(
      `select ${leadColumns("$3::int")} from leads l ${joinRep}
       where ${due} and ${groupSql[input.group]} order by l.next_follow_up_date, l.id limit ${shownMost}`,
      [input.timeZone, repOf(input.scope), input.actorId],
    ),
  );
  return rows;
}
