import type { RepFilter } from "@portal/contract/entities/fields";
import type { Message } from "@portal/contract/entities/message";
import type { Db } from "../../db/client.ts";
import { byRepSql } from "../../db/sql/by-rep.ts";
import { onDaySql } from "../../db/sql/on-day.ts";
import { inRangeSql } from "../../db/sql/range-start.ts";

export interface TextFilter {
  /** Whose texts: those that one sent and those with the leads assigned to one; everyone's for an administrator. */
  scope: { userId: number } | "everyone";
  range?: "week" | "month" | undefined;
  /** One day of the organisation's clock, YYYY-MM-DD. */
  day?: string | undefined;
  /** The last of several days from `day`. */
  until?: string | undefined;
  /** Who sent it. */
  rep?: RepFilter | undefined;
  direction?: Message["direction"] | undefined;
  /** The organisation's zone, in which its days are counted. */
  timeZone: string;
}

export interface TextRow {
  id: number;
  leadId: number | null;
  leadName: string | null;
  assignedTo: number | null;
  number: string;
  direction: Message["direction"];
  status: Message["status"];
  body: string;
  attachments: number;
  createdAt: Date;
  senderName: string | null;
  /** The sort key with PostgreSQL's own precision. */
  keysetAt: string;
}

interface Keyset {
  at: string;
  id: number;
}

/** The selects of a filter, each with its own index; a text may stand in two, so they are to be joined by `union`. */
function selectsOf(
  filter: TextFilter,
  columns: string,
  after: Keyset | null,
): { sqls: string[]; values: unknown[] } {
  const values: unknown[] = [];
  const place = (value: unknown) => `$${values.push(value)}`;
  const zone = () => `${place(filter.timeZone)}::text`;
  // As the figures count: what was not delivered is none.
  const shared = ["text_label(m.direction, m.status) is not null"];
  if (filter.rep !== undefined) shared.push(byRepSql("m.user_id", filter.rep, place));
  if (filter.direction) shared.push(`m.direction = ${place(filter.direction)}`);
  if (filter.range) shared.push(inRangeSql("m.created_at", filter.range, zone()));
  if (filter.day)
    shared.push(
      onDaySql("m.created_at", place(filter.day), zone(), filter.until ? place(filter.until) : undefined),
    );
  if (after) shared.push(`(m.created_at, m.id) < (${place(after.at)}::timestamptz, ${place(after.id)}::int)`);
  const where = shared.join(" and ");
  if (filter.scope === "everyone")
    return { sqls: [`select ${columns} from messages m where ${where}`], values };
  const user = place(filter.scope.userId);
  return {
    sqls: [
      `select ${columns} from messages m where m.user_id = ${user} and ${where}`,
      `select ${columns} from leads l join messages m on m.lead_id = l.id where l.assigned_to = ${user} and ${where}`,
    ],
    values,
  };
}

/** Texts of the filter, newest first, after the keyset. */
export async function listTexts(
  db: Db,
  { filter, after, limit }: { filter: TextFilter; after: Keyset | null; limit: number },
): Promise<TextRow[]> {
  const { sqls, values } = selectsOf(filter, "m.*", after);
  const place = `limit $${values.push(limit)}`;
  // Everyone's are read backwards by an index whose nulls, of which there are none, come last.
  const newest = (nulls: string) => `order by m.created_at desc ${nulls}, m.id desc ${nulls}`;
  const nulls = filter.scope === "everyone" && filter.rep === undefined ? "nulls first" : "nulls last";
  const pages = sqls.map((sql) => `(${sql} ${newest(nulls)} ${place})`);
  const { rows } = await db.$client.query<TextRow>(
    `select m.id, m.lead_id as "leadId", l.name as "leadName", l.assigned_to as "assignedTo",
       case m.direction when 'inbound' then m.from_number else m.to_number end as "number", m.direction, m.status, m.body,
       m.attachments, m.created_at as "createdAt", u.name as "senderName", m.created_at::text as "keysetAt"
     from (${pages.join(" union ")}) m left join leads l on l.id = m.lead_id left join users u on u.id = m.user_id
     ${newest("nulls last")} ${place}`,
    values,
  );
  return rows;
}

/** How many texts the filter holds, counted up to `cap`. */
export async function countTexts(
  db: Db,
  { filter, cap }: { filter: TextFilter; cap: number },
): Promise<number> {
  const { sqls, values } = selectsOf(filter, "m.id", null);
  const limit = `limit $${values.push(cap)}`;
  const capped = sqls.map((sql) => `(${sql} ${limit})`);
  const { rows } = await db.$client.query<{ count: number }>(
    `select count(*)::int as count from (select * from (${capped.join(" union ")}) m ${limit}) capped`,
    values,
  );
  return rows[0]?.count ?? 0;
}
