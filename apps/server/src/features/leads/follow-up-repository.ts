import type { FollowUpGroup } from "@portal/contract/routes/assignment";
import type { Db } from "../../platform/db/client.ts";
import { prepared } from "../../platform/db/prepared.ts";
import { dateSql, midnightSql } from "../../platform/db/sql/filters.ts";
import { joinRep, type LeadRow, leadColumns, type OwnerScope } from "./lead-repository.ts";

/** Most rows that a group answers. */
const shownMost = 200;

/** The start of the organisation's day so many days from today; `$1` is its zone. */
const dayStart = (days: number) => midnightSql(dateSql("$1::text", -days), "$1::text");

/** Each group by the organisation's days: what was due before today, today, on the seven days after it, and after those. */
const groupSql: Record<FollowUpGroup, string> = {
  overdue: `l.next_follow_up_date < ${dayStart(0)}`,
  today: `l.next_follow_up_date >= ${dayStart(0)} and l.next_follow_up_date < ${dayStart(1)}`,
  week: `l.next_follow_up_date >= ${dayStart(1)} and l.next_follow_up_date < ${dayStart(8)}`,
  later: `l.next_follow_up_date >= ${dayStart(8)}`,
};

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
