import type { allLeadSorts } from "@portal/contract/routes/all-leads";
import type { Database, Db } from "../../db/client.ts";
import { prepared } from "../../db/prepared.ts";
import { literal } from "../../db/sql/literal.ts";
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
    by: "lower(left(l.name, 200)), l.id",
    key: "lower(left(l.name, 200))",
    beyond: (at, id) => `(lower(left(l.name, 200)), l.id) > (${at}::text, ${id}::int)`,
  },
  name_desc: {
    by: "lower(left(l.name, 200)) desc, l.id desc",
    key: "lower(left(l.name, 200))",
    beyond: (at, id) => `(lower(left(l.name, 200)), l.id) < (${at}::text, ${id}::int)`,
  },
};

/** A first look goes through so many leads of the list, a walk through so many. */
const glance = 500;
const walk = 5_000;
/** Leads among which a search counts where it did not have to find all. */
const counted = 1_000;

export interface LeadPage extends LeadQuery {
  sort: LeadSort;
  after: { at: string; id: number } | null;
  limit: number;
}

export interface PageRow {
  id: number;
  /** The sort key with PostgreSQL's own precision. */
  keysetAt: string;
  /** All leads of the query from the page's first on, where finding the page told. */
  found: number | null;
}

/** What is selected of leads `l`, and what joins them for it. */
export interface Columns {
  select: string;
  join: string;
}

const where = (conditions: string[]) => conditions.join(" and ") || "true";

/** How a page is found: among the first leads of the list, by the index of words, or as the planner sees fit. */
type How = { reach: number } | "by-words" | "planned";

/** Whom to ask: pages that an index walks straight to are quick enough for the connection that all share. */
type Source = Pick<Database, "db" | "lookUp">;
const quickPage = 100;

async function ask<Row extends PageRow>(
  { db, lookUp }: Source,
  page: LeadPage,
  columns: (place: Place) => Columns,
  how: How,
): Promise<Row[]> {
  const { values, place } = collectValues();
  const { by, key, beyond } = sorts[page.sort];
  const { indexed, others, words } = conditionsOf(page, place);
  if (page.after) indexed.push(beyond(place(page.after.at), place(page.after.id)));
  const all = where([...indexed, ...others, ...words]);
  const limited = `order by ${by} limit ${Math.trunc(page.limit)}`;
  const { select, join } = columns(place);
  const selected = `select l.id, ${key} as "keysetAt", ${select}`;
  const byIds = (ids: string) => ({
    found: "p.found",
    from: `(${ids} ${limited}) p join leads l on l.id = p.id`,
    rest: `order by ${by}`,
  });
  const { found, from, rest } =
    how === "planned"
      ? { found: "null::int", from: "leads l", rest: `where ${all} ${limited}` }
      : how === "by-words"
        ? // All that have the words, then the sort: the limit would tempt the planner to walk on.
          byIds(`select l.id, l.found from (select l.id, l.name, l.created_at, count(*) over ()::int as found from leads l
            where ${all} offset 0) l`)
        : byIds(`select l.id, null::int as found from (select l.* from leads l where ${where(indexed)} order by ${by}
            limit ${how.reach}) l where ${where([...others, ...words])}`);
  const text = `${selected}, ${found} as found from ${from} ${join} ${rest}`;
  const isQuick = how === "planned" && others.length + words.length === 0 && page.limit <= quickPage;
  if (isQuick) return lookUp<Row>(prepared(text, values));
  const { rows } = await db.$client.query<Row>(prepared(text, values));
  return rows;
}

/** What a first look at a query told: which part of the leads has its words. */
const looks = new Map<string, { share: number; until: number }>();
const looksKept = 1_000;
const lookMs = 60_000;
let size = { leads: 0, until: 0 };

/** About how many leads there are, as the last vacuum counted them. */
async function roughSize(db: Db): Promise<number> {
  if (size.until < Date.now()) {
    const { rows } = await db.$client.query<{ leads: number }>(
      "select reltuples::float8 as leads from pg_class where oid = 'leads'::regclass",
    );
    size = { leads: rows[0]?.leads ?? 0, until: Date.now() + lookMs };
  }
  return size.leads;
}

/** Whether walking meets a page of leads with the words sooner than their index, which finds all of them. */
async function isCommon(db: Db, share: number, limit: number): Promise<boolean> {
  return share > 0 && Math.min(limit / share, walk) < share * (await roughSize(db));
}

/**
 * A page of leads with `columns`. A search whose words are common
 * finds a page among the first few thousand leads of the list, without looking anywhere else; rare words, numbers and addresses are
 * found by the index of words. A first look tells which, and is remembered for a minute.
 */
export async function fetchLeads<Row extends PageRow>(
  source: Source,
  page: LeadPage,
  columns: (place: Place) => Columns,
): Promise<Row[]> {
  const terms = searchTerms(page.filter.search ?? "");
  if (terms.length === 0) return ask<Row>(source, page, columns, "planned");
  // The index knows groups of three letters: a shorter word is looked for lead by lead.
  const byWords = terms.some((term) => /[a-z0-9]{3}/.test(term)) ? "by-words" : "planned";
  if (terms.some((term) => /[\d@]/.test(term))) return ask<Row>(source, page, columns, byWords);
  const key = JSON.stringify([page.scope, page.filter, page.sort]);
  let look = looks.get(key);
  if (!look || look.until < Date.now()) {
    const first = await ask<Row>(source, page, columns, { reach: glance });
    if (first.length === page.limit) return first;
    look = { share: first.length / glance, until: Date.now() + lookMs };
    if (looks.size >= looksKept) looks.clear();
    looks.set(key, look);
  }
  if (await isCommon(source.db, look.share, page.limit)) {
    const met = await ask<Row>(source, page, columns, { reach: walk });
    if (met.length === page.limit) return met;
    look.share = met.length / walk;
  }
  return ask<Row>(source, page, columns, byWords);
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

/** Queries that held more leads than are counted, until when that is taken for granted. */
const beyond = new Map<string, number>();

/**
 * How many leads a query holds among the first of the list, up to `cap` of them or fewer: what an index tells in any number of leads.
 * `isMore` where those were not all.
 */
export async function countLeadsUpTo(
  db: Db,
  query: LeadQuery,
  cap: number,
): Promise<{ n: number; isMore: boolean }> {
  const key = JSON.stringify([query.scope, query.filter, cap]);
  if ((beyond.get(key) ?? 0) > Date.now()) return { n: cap, isMore: true };
  const { values, place } = collectValues();
  const { indexed, others, words } = conditionsOf(query, place);
  const reach = words.length > 0 ? counted : others.length > 0 ? walk : cap;
  const { rows } = await db.$client.query<{ n: number; seen: number }>(
    prepared(
      `select count(*) filter (where ${where([...others, ...words])})::int as n, count(*)::int as seen
       from (select * from leads l where ${where(indexed)} order by ${sorts.newest.by} limit ${Math.trunc(reach)}) l`,
      values,
    ),
  );
  const { n, seen } = rows[0] ?? { n: 0, seen: 0 };
  if (n >= cap) {
    if (beyond.size >= looksKept) beyond.clear();
    beyond.set(key, Date.now() + lookMs);
  }
  return { n, isMore: seen === reach };
}

/**
 * SQL of a page as COPY takes it, with its values as literals, and of its last row: the page ends there for whoever reads both of one
 * snapshot.
 */
export function copySql(page: LeadPage, columns: Columns): { rows: string; end: string } {
  const { by, key, beyond } = sorts[page.sort];
  const { indexed, others, words } = conditionsOf(page, literal);
  if (page.after) indexed.push(beyond(literal(page.after.at), literal(page.after.id)));
  const ordered = ({ select, join }: Columns, limit: string) =>
    `select ${select} from leads l ${join} where ${where([...indexed, ...others, ...words])} order by ${by} ${limit}`;
  return {
    rows: ordered(columns, `limit ${page.limit}`),
    end: ordered({ select: `l.id, ${key} as "at"`, join: "" }, `offset ${page.limit - 1} limit 1`),
  };
}
