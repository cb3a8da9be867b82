import type { allLeadSorts } from "@portal/contract/routes/all-leads";
import type { Db } from "../../db/client.ts";
import { searchTerms } from "../../values/search-text.ts";
import { collectValues, conditionsOf, type LeadQuery, type Place } from "./data-lead-filter.ts";

export type LeadSort = (typeof allLeadSorts)[number];

/** Each sort in its index's own words (`desc` alone means nulls first), its key as text, and what comes after a key. */
const sorts: Record<LeadSort, { by: string; key: string; beyond(at: string, id: string): string }> = {
  newest: {
    by: "l.created_at desc nulls last, l.id desc nulls last",
    key: "l.created_at::text",
    beyond: (at, id) => `(l.created_at, l.id) < (${at}::timestamptz, ${id}::int)`,
  },
  oldest: {
    by: "l.created_at asc nulls first, l.id asc nulls first",
    key: "l.created_at::text",
    beyond: (at, id) => `(l.created_at, l.id) > (${at}::timestamptz, ${id}::int)`,
  },
  name: {
    by: "lower(l.name), l.id",
    key: "lower(l.name)",
    beyond: (at, id) => `(lower(l.name), l.id) > (${at}::text, ${id}::int)`,
  },
  name_desc: {
    by: "lower(l.name) desc, l.id desc",
    key: "lower(l.name)",
    beyond: (at, id) => `(lower(l.name), l.id) < (${at}::text, ${id}::int)`,
  },
};

/** A search looks through so many leads in the list's order: a few tell whether the words are common, then the rest. */
const glance = 200;
const walk = 5_000;

export interface LeadPage extends LeadQuery {
  sort: LeadSort;
  after: { at: string; id: number } | null;
  limit: number;
}

export interface PageRow {
  id: number;
  /** The sort key with PostgreSQL's own precision. */
  keysetAt: string;
}

const where = (conditions: string[]) => conditions.join(" and ") || "true";

type How = { reach: number } | "by-words" | "planned";

async function ask<Row extends PageRow>(
  db: Db,
  page: LeadPage,
  columns: (place: Place) => string,
  how: How,
): Promise<Row[]> {
  const { values, place } = collectValues();
  const { by, key, beyond } = sorts[page.sort];
  const { indexed, others, words } = conditionsOf(page, place);
  if (page.after) indexed.push(beyond(place(page.after.at), place(page.after.id)));
  const limited = `order by ${by} limit ${place(page.limit)}::int`;
  const all = where([...indexed, ...others, ...words]);
  const found =
    how === "planned"
      ? `select * from leads l where ${all} ${limited}`
      : how === "by-words"
        ? // All that have the words, then the sort: the limit would tempt the planner to walk on.
          `select * from (select * from leads l where ${all} offset 0) l ${limited}`
        : `select * from (select * from leads l where ${where(indexed)} order by ${by} limit ${how.reach}) l
           where ${where([...others, ...words])} ${limited}`;
  const { rows } = await db.$client.query<Row>(
    `select ${key} as "keysetAt", ${columns(place)}
     from (${found}) l left join users u on u.id = l.assigned_to order by ${by}`,
    values,
  );
  return rows;
}

/**
 * A page of leads with `columns` of leads `l` and their consultants `u`, the lead's `id` among them. A search whose words are common finds a page among the first
 * few thousand leads of the list, without looking anywhere else; rare words, numbers and addresses are found by the index of words.
 */
export async function fetchLeads<Row extends PageRow>(
  db: Db,
  page: LeadPage,
  columns: (place: Place) => string,
): Promise<Row[]> {
  const terms = searchTerms(page.filter.search ?? "");
  if (terms.length === 0) return ask<Row>(db, page, columns, "planned");
  if (!terms.some((term) => /[\d@]/.test(term))) {
    const first = await ask<Row>(db, page, columns, { reach: glance });
    if (first.length === page.limit) return first;
    const further = first.length > 0 ? await ask<Row>(db, page, columns, { reach: walk }) : first;
    if (further.length === page.limit) return further;
  }
  // The index knows groups of three letters: a shorter word is looked for lead by lead.
  const isIndexed = terms.some((term) => /[a-z0-9]{3}/.test(term));
  return ask<Row>(db, page, columns, isIndexed ? "by-words" : "planned");
}

/** How many leads a query holds. */
export async function countLeads(db: Db, query: LeadQuery): Promise<number> {
  const { values, place } = collectValues();
  const { indexed, others, words } = conditionsOf(query, place);
  const { rows } = await db.$client.query<{ count: number }>(
    `select count(*)::int as count from leads l where ${where([...indexed, ...others, ...words])}`,
    values,
  );
  return rows[0]?.count ?? 0;
}

/**
 * How many leads a query holds among the first few thousand of the list, up to `cap`: what an index tells in any number of leads.
 * `isMore` where those were not all.
 */
export async function countLeadsUpTo(
  db: Db,
  query: LeadQuery,
  cap: number,
): Promise<{ n: number; isMore: boolean }> {
  const { values, place } = collectValues();
  const { indexed, others, words } = conditionsOf(query, place);
  const conditions = [...others, ...words];
  const reach = conditions.length === 0 ? cap : walk;
  const { rows } = await db.$client.query<{ n: number; seen: number }>(
    `select count(*) filter (where ${where(conditions)})::int as n, count(*)::int as seen
     from (select * from leads l where ${where(indexed)} order by ${sorts.newest.by} limit ${reach}) l`,
    values,
  );
  const { n, seen } = rows[0] ?? { n: 0, seen: 0 };
  return { n, isMore: seen === reach };
}
