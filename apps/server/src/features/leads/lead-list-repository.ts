import type { LeadStatus, Priority } from "@portal/contract/entities/lead";
import type {
  AttemptFilter,
  FollowUpFilter,
  LastContactFilter,
  LeadSort,
  LocalTimeFilter,
} from "@portal/contract/entities/lead-list";
import { type FirstCallBand, firstCallBands } from "@portal/contract/entities/report";
import type { CalledFilter } from "@portal/contract/routes/all-leads";
import type { QueryResultRow } from "pg";
import { type ContactHours, nextInHours } from "../../domain/contact-window.ts";
import { phoneZones } from "../../domain/phone-zones.ts";
import { likePattern, searchTerms } from "../../domain/search-text.ts";
import type { Db } from "../../platform/db/client.ts";
import { literal } from "../../platform/db/copy.ts";
import { prepared } from "../../platform/db/prepared.ts";
import {
  inRangeSql,
  type ListRange,
  onDaySql,
  type PastRange,
  rangeStartSql,
} from "../../platform/db/sql/filters.ts";
import { followUpGroupsSql } from "./follow-up-repository.ts";
import { joinRep, type OwnerScope } from "./lead-repository.ts";

export type { LeadSort } from "@portal/contract/entities/lead-list";

export interface LeadFilter {
  search?: string | undefined;
  status?: LeadStatus | undefined;
  priority?: Priority | undefined;
  assignment?: "assigned" | "unassigned" | undefined;
  /** Where the lead came from, as it is kept; '' for nowhere known. */
  source?: string | undefined;
  /** From anywhere but there; '' is nowhere known. */
  notSources?: string[] | undefined;
  created?: ListRange | undefined;
  converted?: ListRange | undefined;
  /** Days of the organisation's clock, YYYY-MM-DD: one, or the first and the last. */
  convertedOn?: { day: string; until?: string | undefined } | undefined;
  /** How soon it was first called. */
  firstCall?: FirstCallBand | undefined;
  /** How often the lead was called, within a range or ever: logged outbound calls. */
  called?: CalledFilter | undefined;
  calledIn?: PastRange | undefined;
  /** Tries to reach the lead by phone. */
  attempts?: AttemptFilter | undefined;
  lastContact?: LastContactFilter | undefined;
  followUp?: FollowUpFilter | undefined;
  /** Inbound texts that nobody has read. */
  unread?: boolean | undefined;
  /** The hours that the clock in the lead's area shows now. */
  localTime?: LocalTimeFilter | undefined;
  /** Only these leads. */
  ids?: number[] | undefined;
}

export interface LeadQuery {
  scope: OwnerScope;
  filter: LeadFilter;
  /** The organisation's zone, in which the ranges begin. */
  timeZone: string;
}

/** Gives a value its placeholder in a statement. */
export type Param = (value: unknown) => string;

/** A statement's values, in the order in which they got their placeholders. */
function collectValues(): { values: unknown[]; param: Param } {
  const values: unknown[] = [];
  return { values, param: (value) => `$${values.push(value)}` };
}

/** Sources are counted by so many of their first letters. */
const sourceLetters = 200;

function sourceSql(source: string, param: Param): string {
  if (source === "") return "(l.lead_source is null or l.lead_source = '')";
  return source.length < sourceLetters
    ? `l.lead_source = ${param(source)}`
    : `left(l.lead_source, ${sourceLetters}) = ${param(source)}`;
}

const timesSql = { once: "= 1", twice: "= 2", often: "> 2" };

/** How often a lead was called: kept of all time, counted since an instant (SQL). */
function calledSql(called: CalledFilter, since: string | undefined): string {
  const calls = since
    ? `call_logs c where c.lead_id = l.id and c.direction = 'outbound' and c.call_date >= ${since}`
    : "lead_calls k where k.lead_id = l.id";
  if (called === "yes") return `exists (select 1 from ${calls})`;
  if (called === "no") return `not exists (select 1 from ${calls})`;
  return since
    ? `(select count(*) from ${calls}) ${timesSql[called]}`
    : `exists (select 1 from ${calls} and k.calls ${timesSql[called]})`;
}

/** A first call in one band of minutes and no earlier one; a call before the lead was made here counts as at once. */
function firstCallSql(band: FirstCallBand): string {
  const seconds = "greatest(date_part('epoch', k.first_call_at - l.created_at), 0)";
  const index = firstCallBands.indexOf(band);
  const bounds = [
    index > 0 && `${seconds} > ${Number(firstCallBands[index - 1]) * 60}`,
    band !== "later" && `${seconds} <= ${Number(band) * 60}`,
  ].filter(Boolean);
  return `exists (select 1 from lead_calls k where k.lead_id = l.id and ${bounds.join(" and ")})`;
}

const attemptsSql: Record<AttemptFilter, string> = {
  none: "l.attempts = 0",
  one: "l.attempts = 1",
  two: "l.attempts = 2",
  more: "l.attempts > 2",
};

function lastContactSql(filter: LastContactFilter, zone: () => string): string {
  if (filter === "never") return "l.last_contacted_at is null";
  if (filter === "older") return `l.last_contacted_at < ${rangeStartSql("month", zone())}`;
  return `l.last_contacted_at >= ${rangeStartSql(filter, zone())}`;
}

const attemptKey = "coalesce(l.last_attempt_at, '-infinity'::timestamptz)";
const followUpKey = "coalesce(l.next_follow_up_date, 'infinity'::timestamptz)";

/** The groups of the follow-ups leave clients out, who are done. By the index's own expression, where none is the last of all dates. */
function followUpSql(filter: FollowUpFilter, zone: () => string): string {
  if (filter === "none") return "l.next_follow_up_date is null";
  const isDated = "l.status <> 'converted' and l.next_follow_up_date is not null";
  return `${isDated} and ${followUpGroupsSql(zone(), followUpKey)[filter]}`;
}

const localHours: Record<LocalTimeFilter, ContactHours> = {
  day: { from: 8, until: 20 },
  morning: { from: 8, until: 12 },
  afternoon: { from: 12, until: 17 },
  evening: { from: 17, until: 21 },
};

/** Every zone that a lead's area has, as it is kept: several are joined with '&'. */
const areaZones = Object.keys(phoneZones);
const singleZones = [...new Set(areaZones.flatMap((zones) => zones.split("&")))];

/** The clock of the lead's area, and of the contact in the CRM where that has a zone, shows these hours now: all of them, where there are several. */
function localTimeSql(filter: LocalTimeFilter, param: Param, now = new Date()): string {
  const isWithin = (zones: string) =>
    nextInHours(now, zones, localHours[filter])?.getTime() === now.getTime();
  const contactZone = "l.extra ->> 'timeZone'";
  return `coalesce(l.time_zone, ${contactZone}) is not null
    and (l.time_zone is null or l.time_zone = any(${param(areaZones.filter(isWithin))}::text[]))
    and (${contactZone} is null or ${contactZone} = any(${param(singleZones.filter(isWithin))}::text[]))`;
}

/** Filters that few leads pass, or in whose order an index is kept, are looked for; the others are met on the way through the list. */
const isSelective = ({ attempts, lastContact, followUp, unread }: LeadFilter) => ({
  attempts: attempts !== undefined && attempts !== "more",
  lastContact: lastContact === "today" || lastContact === "week",
  followUp: followUp !== undefined && followUp !== "none",
  unread: unread === true,
});

/** Conditions on leads `l`, by whether the lists' own indexes are sorted under them. */
export interface LeadConditions {
  indexed: string[];
  others: string[];
  /** One for each term of the search. */
  terms: string[];
}

/** What a query asks of leads `l`. */
function conditionsOf({ scope, filter, timeZone }: LeadQuery, param: Param): LeadConditions {
  const indexed: string[] = [];
  const others: string[] = [];
  const { status, priority } = filter;
  if (scope !== "everyone") indexed.push(`l.assigned_to = ${param(scope.salesRepId)}`);
  else if (filter.assignment === "unassigned") indexed.push("l.assigned_to is null");
  const states = [
    status && `l.status = ${param(status)}`,
    priority && `l.priority = ${param(priority)}`,
  ].filter((condition) => condition !== undefined);
  const isByState = states.length === 2 && indexed.length === 0;
  (isByState ? indexed : others).push(...states);
  if (scope !== "everyone" && filter.assignment === "unassigned") others.push("false");
  if (filter.assignment === "assigned") others.push("l.assigned_to is not null");
  if (filter.source !== undefined) others.push(sourceSql(filter.source, param));
  if (filter.notSources)
    others.push(
      `left(coalesce(l.lead_source, ''), ${sourceLetters}) <> all(${param(filter.notSources)}::text[])`,
    );
  const zone = () => `${param(timeZone)}::text`;
  const since = (range: PastRange) => rangeStartSql(range, zone());
  if (filter.created) others.push(inRangeSql("l.created_at", filter.created, zone()));
  if (filter.converted) others.push(inRangeSql("l.converted_at", filter.converted, zone()));
  if (filter.convertedOn) {
    const { day, until } = filter.convertedOn;
    others.push(onDaySql("l.converted_at", param(day), zone(), until ? param(until) : undefined));
  }
  if (filter.called) others.push(calledSql(filter.called, filter.calledIn && since(filter.calledIn)));
  if (filter.firstCall) others.push(firstCallSql(filter.firstCall));
  const selective = isSelective(filter);
  const put = (isSought: boolean, condition: string) => (isSought ? indexed : others).push(condition);
  if (filter.attempts) put(selective.attempts, attemptsSql[filter.attempts]);
  if (filter.lastContact) put(selective.lastContact, lastContactSql(filter.lastContact, zone));
  if (filter.followUp) put(selective.followUp, followUpSql(filter.followUp, zone));
  if (filter.unread) put(selective.unread, "l.unread_messages > 0");
  if (filter.localTime) others.push(localTimeSql(filter.localTime, param));
  if (filter.ids) others.push(`l.id = any(${param(filter.ids)}::int[])`);
  const terms = searchTerms(filter.search ?? "").map((term) => `l.search like ${param(likePattern(term))}`);
  return { indexed, others, terms };
}

/** Each sort as its index declares it (`desc` alone means nulls first), its key, and what comes after a key. */
const sorts: Record<LeadSort, { by: string; key: string; beyond(at: string, id: string): string }> = {
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
  attempt: {
    by: `${attemptKey}, l.id`,
    key: attemptKey,
    beyond: (at, id) => `(${attemptKey}, l.id) > (${at}::timestamptz, ${id}::int)`,
  },
  attempt_desc: {
    by: `${attemptKey} desc, l.id desc`,
    key: attemptKey,
    beyond: (at, id) => `(${attemptKey}, l.id) < (${at}::timestamptz, ${id}::int)`,
  },
  follow_up: {
    by: `${followUpKey}, l.id`,
    key: followUpKey,
    beyond: (at, id) => `(${followUpKey}, l.id) > (${at}::timestamptz, ${id}::int)`,
  },
};

export interface LeadPage extends LeadQuery {
  sort: LeadSort;
  after: { at: string; id: number } | null;
  limit: number;
}

/** What a lead of a page has beside its row: the sort key with PostgreSQL's own precision, where the leads after it begin. */
export interface KeysetRow {
  keysetAt: string;
}

const where = (conditions: string[]) => conditions.join(" and ") || "true";
const whereAll = ({ indexed, others, terms }: LeadConditions) => where([...indexed, ...others, ...terms]);

/**
 * The leads of a page. `columnsFor` names the columns to read of leads `l` and their consultants `u`. A search is planned each time by
 * its terms: a term that many leads have is met soon in the order of the list, a rare one is found by the trigram index.
 */
export async function findLeads<Row>(
  db: Db,
  page: LeadPage,
  columnsFor: (param: Param) => string,
): Promise<(Row & KeysetRow)[]> {
  const { values, param } = collectValues();
  const { by, key, beyond } = sorts[page.sort];
  const conditions = conditionsOf(page, param);
  if (page.after) conditions.indexed.push(beyond(param(page.after.at), param(page.after.id)));
  const text = `select ${columnsFor(param)}, (${key})::text as "keysetAt" from leads l ${joinRep}
    where ${whereAll(conditions)} order by ${by} limit ${Math.trunc(page.limit)}`;
  const query = conditions.terms.length > 0 ? { text, values } : prepared(text, values);
  const { rows } = await db.$client.query<Row & KeysetRow & QueryResultRow>(query);
  return rows;
}

/** How many leads a query holds. */
export async function countLeads(db: Db, query: LeadQuery): Promise<number> {
  const { values, param } = collectValues();
  const conditions = conditionsOf(query, param);
  const { rows } = await db.$client.query<{ count: number }>(
    `select count(*)::int as count from leads l where ${whereAll(conditions)}`,
    values,
  );
  return rows[0]?.count ?? 0;
}

/** So many leads of the list are looked through to count those of a filter that no index holds. */
const countedAmong = 5_000;

/**
 * How many leads a query holds, up to `cap` of them. Where a filter has no index, only the first leads of the list are looked through;
 * `isMore` where there are others behind them.
 */
export async function countLeadsUpTo(
  db: Db,
  query: LeadQuery,
  cap: number,
): Promise<{ n: number; isMore: boolean }> {
  const { values, param } = collectValues();
  const conditions = conditionsOf(query, param);
  const { indexed, others, terms } = conditions;
  const isBounded = terms.length === 0 && others.length > 0;
  const among = isBounded ? countedAmong : Math.trunc(cap);
  const { rows } = await db.$client.query<{ n: number; seen: number }>(
    `select count(*) filter (where ${where(isBounded ? others : [])})::int as n, count(*)::int as seen
     from (select l.* from leads l where ${isBounded ? where(indexed) : whereAll(conditions)}
       order by ${sorts.newest.by} limit ${among}) l`,
    values,
  );
  const { n, seen } = rows[0] ?? { n: 0, seen: 0 };
  return { n, isMore: isBounded && seen === among };
}

/** Columns to select of leads `l`, and what joins them for it. */
interface Columns {
  select: string;
  join: string;
}

/**
 * SQL of a page as COPY takes it, with its values as literals, and of its last row: the page ends there for whoever reads both of one
 * snapshot.
 */
export function copySql(page: LeadPage, columns: Columns): { rows: string; end: string } {
  const { by, key, beyond } = sorts[page.sort];
  const conditions = conditionsOf(page, literal);
  if (page.after) conditions.indexed.push(beyond(literal(page.after.at), literal(page.after.id)));
  const ordered = ({ select, join }: Columns, limit: string) =>
    `select ${select} from leads l ${join} where ${whereAll(conditions)} order by ${by} ${limit}`;
  return {
    rows: ordered(columns, `limit ${page.limit}`),
    end: ordered({ select: `l.id, (${key})::text as "at"`, join: "" }, `offset ${page.limit - 1} limit 1`),
  };
}
