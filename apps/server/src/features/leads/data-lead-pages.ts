import type { allLeadSorts } from "@portal/contract/routes/all-leads";
import type { Database } from "../../db/client.ts";
import { prepared } from "../../db/prepared.ts";
import { numberFacts } from "../../db/sql/contact-facts.ts";
import { literal } from "../../db/sql/literal.ts";
import { collectValues, conditionsOf, type LeadQuery, type Place } from "./data-lead-filter.ts";
import type { Columns, NumberFacts } from "./lead-text.ts";

export type LeadSort = (typeof allLeadSorts)[number];

/** Each sort in its index's own words (`desc` alone means nulls first), its key, and what comes after a key. */
export const sorts: Record<LeadSort, { by: string; key: string; beyond(at: string, id: string): string }> = {
  newest: {
    by: "l.created_at desc nulls last, l.id desc nulls last",
    key: "l.created_at",
    beyond: (at, id) => `(l.created_at, l.id) < (${at}::timestamptz, ${id}::int)`,
  },
  oldest: {
    by: "l.created_at asc nulls first, l.id asc nulls first",
    key: "l.created_at",
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

export interface LeadPage extends LeadQuery {
  sort: LeadSort;
  after: { at: string; id: number } | null;
  limit: number;
}

/** The leads of a page, in the list's order, and what is not told by their own rows. */
export interface FoundLeads {
  ids: string[];
  /** The transactions that wrote their rows. */
  versions: string[];
  /** Where the leads after them begin: the sort key of the last one with PostgreSQL's own precision; null where none are left. */
  next: { at: string; id: number } | null;
  /** All leads of the query from the page's first on, where finding the page told. */
  found: number | null;
  /** The life of the database whose transactions those are: when it was started, and how many connections to it broke. */
  life: string;
  /** Names of their consultants. */
  repNames: Map<number, string>;
  /** Of those who work on them: ids of the leads of which each fact about the number is true. */
  numbers: Record<keyof NumberFacts, Set<string>>;
}

export const where = (conditions: string[]) => conditions.join(" and ") || "true";

/** How a page is found: among the first leads of the list, by the index of words, or as the planner sees fit. */
export type How = { reach: number } | "by-words" | "planned";

/** Whom to ask: pages that an index walks straight to are quick enough for the connection that all share. */
export type Source = Pick<Database, "db" | "lookUp" | "connectionsLost">;
const quickPage = 100;

/** The columns of `l` that some SQL names: of a lead that is only walked past, reading all of them takes half as long again. */
const namedIn = (sql: string[]) => [...new Set(sql.join(" ").match(/\bl\.\w+/g))].join(", ");

/** The page `p`, and one lead more where there are more; `l` are the leads of the query. */
function pageSql(page: LeadPage, place: Place, how: How): { sql: string; isIndexed: boolean } {
  const { by, key, beyond } = sorts[page.sort];
  const { indexed, others, words } = conditionsOf(page, place);
  if (page.after) indexed.push(beyond(place(page.after.at), place(page.after.id)));
  const all = where([...indexed, ...others, ...words]);
  const limited = `order by ${by} limit ${Math.trunc(page.limit) + 1}`;
  const select = (version: string, found: string) =>
    `select l.id, ${version} as version, ${key} as at, l.assigned_to, l.phone_e164, ${found} as found`;
  const asked = [by, ...others, ...words];
  const sql =
    how === "planned"
      ? `${select("l.xmin", "null::int")} from leads l where ${all} ${limited}`
      : how === "by-words"
        ? // All that have the words, then the sort: the limit would tempt the planner to walk on.
          `${select("l.version", "l.found")} from (select l.xmin as version, ${namedIn([...asked, "l.assigned_to, l.phone_e164"])},
               count(*) over ()::int as found from leads l where ${all} offset 0) l ${limited}`
        : // The walk names what its index may hold by itself: only the leads of the page are read.
          `${select("l.xmin", "null::int")} from (select l.id as met from (select ${namedIn(asked)} from leads l where ${where(indexed)}
               order by ${by} limit ${how.reach}) l where ${where([...others, ...words])} ${limited}) w
             join leads l on l.id = w.met order by ${by}`;
  return { sql, isIndexed: how === "planned" && others.length + words.length === 0 };
}

type FoundRow = Record<keyof NumberFacts, string | null> & {
  ids: string | null;
  versions: string | null;
  at: string | null;
  found: number | null;
  startedAt: string;
  reps: string | null;
};

const listOf = (text: string | null | undefined) => text?.split(",") ?? [];

/** Finds a page in one way. `actor` is who works on the leads. */
export async function askForPage(
  { db, lookUp, connectionsLost }: Source,
  page: LeadPage,
  actor: number | null,
  how: How,
): Promise<FoundLeads> {
  const { values, place } = collectValues();
  const { sql, isIndexed } = pageSql(page, place, how);
  const numbers = Object.entries(actor === null ? {} : numberFacts(`${place(actor)}::int`)).map(
    ([name, told]) => `, (select string_agg(l.id::text, ',') from p l where ${told}) as "${name}"`,
  );
  const text = `with p as materialized (${sql})
    select string_agg(id::text, ',') as ids, string_agg(version::text, ',') as versions, (array_agg(at))[${Math.trunc(page.limit)}]::text as at,
      max(found) as found, pg_postmaster_start_time()::text as "startedAt",
      (select json_object_agg(u.id, u.name) from users u where u.id in (select assigned_to from p))::text as reps${numbers.join("")}
    from p`;
  const isQuick = isIndexed && page.limit <= quickPage;
  const statement = prepared(text, values);
  const lost = connectionsLost();
  const [row] = isQuick
    ? await lookUp<FoundRow>(statement)
    : (await db.$client.query<FoundRow>(statement)).rows;
  const ids = listOf(row?.ids);
  const isMore = ids.length > page.limit;
  if (isMore) ids.pop();
  const names: Record<string, string> = JSON.parse(row?.reps ?? "{}");
  return {
    ids,
    versions: listOf(row?.versions),
    next: isMore ? { at: row?.at ?? "", id: Number(ids.at(-1)) } : null,
    found: row?.found ?? null,
    life: `${row?.startedAt} ${lost}`,
    repNames: new Map(Object.entries(names).map(([id, name]) => [Number(id), name])),
    numbers: {
      stopped: new Set(listOf(row?.stopped)),
      dead: new Set(listOf(row?.dead)),
      onCall: new Set(listOf(row?.onCall)),
    },
  };
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
    end: ordered({ select: `l.id, (${key})::text as "at"`, join: "" }, `offset ${page.limit - 1} limit 1`),
  };
}
