import type { Db } from "../../db/client.ts";
import { prepared } from "../../db/prepared.ts";
import { searchTerms } from "../../values/search-text.ts";
import { collectValues, conditionsOf, type LeadQuery } from "./data-lead-filter.ts";
import { askForPage, type FoundLeads, type LeadPage, type Source, sorts, where } from "./data-lead-pages.ts";

/** A first look goes through so many leads of the list, a walk through so many. */
const glance = 500;
const walk = 5_000;
/** Leads among which a search counts where it did not have to find all. */
const counted = 1_000;

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

/** Leads of a covered walk that are passed over in the time in which the index of words finds one. */
const coveredPace = 3;

/** Whether walking meets a page of leads with the words, of which the leads have some share, sooner than their index, which finds all. */
async function isCommon(db: Db, page: LeadPage, share: number): Promise<boolean> {
  if (share === 0) return false;
  const isByAge = page.sort === "newest" || page.sort === "oldest";
  const isCovered = isByAge && conditionsOf(page, collectValues().place).isCovered;
  const walked = Math.min(page.limit / share, walk) / (isCovered ? coveredPace : 1);
  return walked < share * (await roughSize(db));
}

/**
 * The leads of a page. A search whose words are common finds a page among the first few thousand leads of the list, without looking
 * anywhere else; rare words, numbers and addresses are found by the index of words. A first look tells which, and is remembered for a
 * minute.
 */
export async function findLeads(source: Source, page: LeadPage, actor: number | null): Promise<FoundLeads> {
  const terms = searchTerms(page.filter.search ?? "");
  if (terms.length === 0) return askForPage(source, page, actor, "planned");
  // The index knows groups of three letters: a shorter word is looked for lead by lead.
  const byWords = terms.some((term) => /[a-z0-9]{3}/.test(term)) ? "by-words" : "planned";
  if (terms.some((term) => /[\d@]/.test(term))) return askForPage(source, page, actor, byWords);
  const key = JSON.stringify([page.scope, page.filter, page.sort]);
  let look = looks.get(key);
  if (!look || look.until < Date.now()) {
    const first = await askForPage(source, page, actor, { reach: glance });
    if (first.next) return first;
    look = { share: first.ids.length / glance, until: Date.now() + lookMs };
    if (looks.size >= looksKept) looks.clear();
    looks.set(key, look);
  }
  if (await isCommon(source.db, page, look.share)) {
    const met = await askForPage(source, page, actor, { reach: walk });
    if (met.next) return met;
    look.share = met.ids.length / walk;
  }
  return askForPage(source, page, actor, byWords);
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
