import type { FollowUpGroup } from "@portal/contract/routes/assignment";
import type { Db } from "../../db/client.ts";
import { prepared } from "../../db/prepared.ts";
import type { OwnerScope } from "./data-lead-filter.ts";
import { type OwnLeadRow, ownLeadRow } from "./lead-text.ts";

/** Most rows that a group answers. */
const shownMost = 200;

/** The start of the organisation's day so many days from today; `$1` is its zone. */
const dayStart = (days: number) =>
  `(date_trunc('day', now() at time zone $1) + interval '${days} days') at time zone $1`;

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
): Promise<OwnLeadRow[]> {
  const { select, join } = ownLeadRow("$3::int");
  const { rows } = await db.$client.query<OwnLeadRow>(
    prepared(
      `select ${select} from leads l ${join}
       where ${due} and ${groupSql[input.group]} order by l.next_follow_up_date, l.id limit ${shownMost}`,
      [input.timeZone, repOf(input.scope), input.actorId],
    ),
  );
  return rows;
}
