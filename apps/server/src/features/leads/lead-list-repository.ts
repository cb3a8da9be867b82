import type { LeadStatus, Priority } from "@portal/contract/entities/lead";
import type {
  AttemptFilter,
  FollowUpFilter,
  LanguageFilter,
  LastContactFilter,
  LeadSort,
  LocalTimeFilter,
} from "@portal/contract/entities/lead-list";
import { type FirstCallBand, firstCallBands } from "@portal/contract/entities/report";
import type { CalledFilter } from "@portal/contract/routes/all-leads";
import type { SQL } from "drizzle-orm";
import { type ContactHours, nextInHours } from "../../domain/contact-window.ts";
import { phoneZones } from "../../domain/phone-zones.ts";
import { likePattern, searchTerms } from "../../domain/search-text.ts";
import type { Db } from "../../platform/db/client.ts";
import { allOf, query, queryOnly, sql } from "../../platform/db/query.ts";
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
  /** Source as stored; '' for leads without one. */
  source?: string | undefined;
  /** All sources but these; '' stands for leads without one. */
  notSources?: string[] | undefined;
  created?: ListRange | undefined;
  converted?: ListRange | undefined;
  /** Days in the organization's zone, YYYY-MM-DD: one day, or the first and the last. */
  convertedOn?: { day: string; until?: string | undefined } | undefined;
  /** Time from creation to the first call. */
  firstCall?: FirstCallBand | undefined;
  /** Number of logged outbound calls, in `calledIn` or ever. */
  called?: CalledFilter | undefined;
  calledIn?: PastRange | undefined;
  /** Number of attempts to reach the lead by phone. */
  attempts?: AttemptFilter | undefined;
  lastContact?: LastContactFilter | undefined;
  followUp?: FollowUpFilter | undefined;
  /** With unread inbound SMS. */
  unread?: boolean | undefined;
  /** Time of day now in the lead's area. */
  localTime?: LocalTimeFilter | undefined;
  /** The confirmed language, or the guessed one if none is confirmed. */
  language?: LanguageFilter | undefined;
  ids?: number[] | undefined;
}

export interface LeadQuery {
  scope: OwnerScope;
  filter: LeadFilter;
  /** The organization's zone, in which ranges begin. */
  timeZone: string;
}

/** The index on sources holds this many characters. */
const sourceLetters = 200;

function sourceSql(source: string): SQL {
  if (source === "") return sql`(l.lead_source is null or l.lead_source = '')`;
  return source.length < sourceLetters
    ? sql`l.lead_source = ${source}`
    : sql`left(l.lead_source, ${sql.constant(sourceLetters)}) = ${source}`;
}

const timesSql: Record<CalledFilter, SQL> = {
  yes: sql`> 0`,
  no: sql`= 0`,
  once: sql`= 1`,
  twice: sql`= 2`,
  often: sql`> 2`,
};

/** Number of calls: the lead's counter for all time, or counted in `call_logs` since an instant (SQL). */
function calledSql(called: CalledFilter, since: SQL | undefined): SQL {
  if (!since) return sql`l.attempts ${timesSql[called]}`;
  const calls = sql`call_logs c where c.lead_id = l.id and c.direction = 'outbound' and c.call_date >= ${since}`;
  if (called === "yes") return sql`exists (select 1 from ${calls})`;
  if (called === "no") return sql`not exists (select 1 from ${calls})`;
  return sql`(select count(*) from ${calls}) ${timesSql[called]}`;
}

/** First calls in one band of minutes. A call before the lead was created here counts as immediate. */
function firstCallSql(band: FirstCallBand): SQL {
  const seconds = sql`greatest(date_part('epoch', l.first_attempt_at - l.created_at), 0)`;
  const index = firstCallBands.indexOf(band);
  const bounds = allOf(
    index > 0 && sql`${seconds} > ${sql.constant(Number(firstCallBands[index - 1]) * 60)}`,
    band !== "later" && sql`${seconds} <= ${sql.constant(Number(band) * 60)}`,
  );
  return sql`(l.first_attempt_at is not null and ${bounds})`;
}

const attemptsSql: Record<AttemptFilter, SQL> = {
  none: sql`l.attempts = 0`,
  one: sql`l.attempts = 1`,
  two: sql`l.attempts = 2`,
  more: sql`l.attempts > 2`,
};

function lastContactSql(filter: LastContactFilter, timeZone: string): SQL {
  if (filter === "never") return sql`l.last_contacted_at is null`;
  if (filter === "older") return sql`l.last_contacted_at < ${rangeStartSql("month", timeZone)}`;
  return sql`l.last_contacted_at >= ${rangeStartSql(filter, timeZone)}`;
}

const attemptKey = sql`coalesce(l.last_attempt_at, '-infinity'::timestamptz)`;
const followUpKey = sql`coalesce(l.next_follow_up_date, 'infinity'::timestamptz)`;

/** Groups of follow-ups, without clients. Uses the index's expression, in which a missing date is the last of all dates. */
function followUpSql(filter: FollowUpFilter, timeZone: string): SQL {
  if (filter === "none") return sql`l.next_follow_up_date is null`;
  const isDated = sql`l.status <> 'converted' and l.next_follow_up_date is not null`;
  if (filter === "any") return isDated;
  return sql`${isDated} and ${followUpGroupsSql(timeZone, followUpKey)[filter]}`;
}

const localHours: Record<LocalTimeFilter, ContactHours> = {
  day: { from: 8, until: 20 },
  morning: { from: 8, until: 12 },
  afternoon: { from: 12, until: 17 },
  evening: { from: 17, until: 21 },
};

/** Every zone value of a lead's area as stored: several are joined with '&'. */
const areaZones = Object.keys(phoneZones);
const singleZones = [...new Set(areaZones.flatMap((zones) => zones.split("&")))];

/**
 * Leads for which it is now within these hours in every zone of their area, and in the zone of their CRM contact if it has one. The index's
 * expression comes first, because at night few leads or none match.
 */
function localTimeSql(filter: LocalTimeFilter, now = new Date()): SQL {
  const isWithin = (zones: string) =>
    nextInHours(now, zones, localHours[filter])?.getTime() === now.getTime();
  const contactZone = sql`l.extra ->> 'timeZone'`;
  const singles = singleZones.filter(isWithin);
  const all = [...new Set([...areaZones.filter(isWithin), ...singles])];
  return sql`coalesce(l.time_zone, ${contactZone}) = any(${sql.param(all)}::text[])
    and (${contactZone} is null or ${contactZone} = any(${sql.param(singles)}::text[]))`;
}

function languageSql(filter: LanguageFilter): SQL {
  const language = sql`coalesce(l.language, l.language_guess)`;
  return filter === "unknown" ? sql`${language} is null` : sql`${language} = ${filter}`;
}

/** Filters that match few leads, or that an index is sorted by, are evaluated through that index; the others while scanning the list. */
const isSelective = ({ attempts, lastContact, followUp, unread }: LeadFilter) => ({
  attempts: attempts !== undefined && attempts !== "more",
  lastContact: lastContact === "today" || lastContact === "week",
  followUp: followUp !== undefined && followUp !== "none" && followUp !== "any",
  unread: unread === true,
});

/** Conditions on leads `l`: those that the lists' indexes are sorted by, and the others. */
export interface LeadConditions {
  indexed: SQL[];
  others: SQL[];
  /** One for each search term. */
  terms: SQL[];
}

function conditionsOf({ scope, filter, timeZone }: LeadQuery): LeadConditions {
  const indexed: SQL[] = [];
  const others: SQL[] = [];
  const { status, priority } = filter;
  if (scope !== "everyone") indexed.push(sql`l.assigned_to = ${scope.salesRepId}`);
  else if (filter.assignment === "unassigned") indexed.push(sql`l.assigned_to is null`);
  const states = [status && sql`l.status = ${status}`, priority && sql`l.priority = ${priority}`].filter(
    (condition) => condition !== undefined,
  );
  const isByState = states.length === 2 && indexed.length === 0;
  (isByState ? indexed : others).push(...states);
  if (scope !== "everyone" && filter.assignment === "unassigned") others.push(sql`false`);
  if (filter.assignment === "assigned") others.push(sql`l.assigned_to is not null`);
  if (filter.source !== undefined) others.push(sourceSql(filter.source));
  if (filter.notSources)
    others.push(
      sql`left(coalesce(l.lead_source, ''), ${sql.constant(sourceLetters)}) <> all(${sql.param(filter.notSources)}::text[])`,
    );
  if (filter.created) others.push(inRangeSql(sql`l.created_at`, filter.created, timeZone));
  if (filter.converted) others.push(inRangeSql(sql`l.converted_at`, filter.converted, timeZone));
  if (filter.convertedOn) others.push(onDaySql(sql`l.converted_at`, { ...filter.convertedOn, timeZone }));
  if (filter.called)
    others.push(calledSql(filter.called, filter.calledIn && rangeStartSql(filter.calledIn, timeZone)));
  if (filter.firstCall) others.push(firstCallSql(filter.firstCall));
  const selective = isSelective(filter);
  const put = (isSought: boolean, condition: SQL) => (isSought ? indexed : others).push(condition);
  if (filter.attempts) put(selective.attempts, attemptsSql[filter.attempts]);
  if (filter.lastContact) put(selective.lastContact, lastContactSql(filter.lastContact, timeZone));
  if (filter.followUp) put(selective.followUp, followUpSql(filter.followUp, timeZone));
  if (filter.unread) put(selective.unread, sql`l.unread_messages > 0`);
  if (filter.language) others.push(languageSql(filter.language));
  if (filter.localTime) others.push(localTimeSql(filter.localTime));
  if (filter.ids) others.push(sql`l.id = any(${sql.param(filter.ids)}::int[])`);
  const terms = searchTerms(filter.search ?? "").map((term) => sql`l.search like ${likePattern(term)}`);
  return { indexed, others, terms };
}

interface Sort {
  by: SQL;
  key: SQL;
  type: SQL;
  /** Comparison operator for the rows that follow a key and an id. */
  beyond: SQL;
}

/** For each sort the ORDER BY of its index (`desc` alone means nulls first), its key, and the comparison for the rows after a key. */
const sorts: Record<LeadSort, Sort> = {
  newest: {
    by: sql`l.created_at desc nulls last, l.id desc nulls last`,
    key: sql`l.created_at`,
    beyond: sql`<`,
    type: sql`timestamptz`,
  },
  oldest: {
    by: sql`l.created_at asc nulls first, l.id asc nulls first`,
    key: sql`l.created_at`,
    beyond: sql`>`,
    type: sql`timestamptz`,
  },
  name: {
    by: sql`lower(left(l.name, 200)), l.id`,
    key: sql`lower(left(l.name, 200))`,
    beyond: sql`>`,
    type: sql`text`,
  },
  name_desc: {
    by: sql`lower(left(l.name, 200)) desc, l.id desc`,
    key: sql`lower(left(l.name, 200))`,
    beyond: sql`<`,
    type: sql`text`,
  },
  attempt: {
    by: sql`${attemptKey}, l.id`,
    key: attemptKey,
    beyond: sql`>`,
    type: sql`timestamptz`,
  },
  attempt_desc: {
    by: sql`${attemptKey} desc, l.id desc`,
    key: attemptKey,
    beyond: sql`<`,
    type: sql`timestamptz`,
  },
  follow_up: {
    by: sql`${followUpKey}, l.id`,
    key: followUpKey,
    beyond: sql`>`,
    type: sql`timestamptz`,
  },
};

export interface LeadPage extends LeadQuery {
  sort: LeadSort;
  after: { at: string; id: number } | null;
  limit: number;
}

/** Sort key of a row at PostgreSQL's full precision, where the next page begins. */
export interface KeysetRow {
  keysetAt: string;
}

const whereAll = ({ indexed, others, terms }: LeadConditions) => allOf(...indexed, ...others, ...terms);

function pageOf(page: LeadPage): LeadConditions {
  const conditions = conditionsOf(page);
  const { key, type, beyond } = sorts[page.sort];
  const { after } = page;
  if (after) conditions.indexed.push(sql`(${key}, l.id) ${beyond} (${after.at}::${type}, ${after.id}::int)`);
  return conditions;
}

/**
 * Leads of a page. `columns` selects from leads `l` and their consultants `u`. Searches and filters by local time are planned for their
 * parameters each time: a frequent term is found soon in list order, a rare one by the trigram index, and local time matches nearly all
 * leads or none.
 */
export async function findLeads<Row>(db: Db, page: LeadPage, columns: SQL): Promise<(Row & KeysetRow)[]> {
  const { by, key } = sorts[page.sort];
  const conditions = pageOf(page);
  return query<Row & KeysetRow>(
    db,
    sql`select ${columns}, (${key})::text as "keysetAt" from leads l ${joinRep}
    where ${whereAll(conditions)} order by ${by} limit ${sql.constant(Math.trunc(page.limit))}`,
    { prepared: conditions.terms.length === 0 && !page.filter.localTime },
  );
}

export async function countLeads(db: Db, asked: LeadQuery): Promise<number> {
  const { count } = await queryOnly<{ count: number }>(
    db,
    sql`select count(*)::int as count from leads l where ${whereAll(conditionsOf(asked))}`,
  );
  return count;
}

/** Number of leads that are scanned to count a filter without an index. */
const countedAmong = 5_000;

/**
 * Counts the leads of a query up to `cap`. For a filter without an index only the first leads of the list are scanned; `isMore` if there
 * are others after them.
 */
export async function countLeadsUpTo(
  db: Db,
  asked: LeadQuery,
  cap: number,
): Promise<{ n: number; isMore: boolean }> {
  const conditions = conditionsOf(asked);
  const { indexed, others, terms } = conditions;
  const isBounded = terms.length === 0 && others.length > 0;
  const among = isBounded ? countedAmong : Math.trunc(cap);
  const { n, seen } = await queryOnly<{ n: number; seen: number }>(
    db,
    sql`select count(*) filter (where ${allOf(...(isBounded ? others : []))})::int as n, count(*)::int as seen
     from (select l.* from leads l where ${isBounded ? allOf(...indexed) : whereAll(conditions)}
       order by ${sorts.newest.by} limit ${sql.constant(among)}) l`,
  );
  return { n, isMore: isBounded && seen === among };
}

/** Columns to select from leads `l`, and the joins they need. */
interface Columns {
  select: SQL;
  join: SQL;
}

/** A page's rows for COPY and the key of its last row. Read both in one snapshot, or the page may end elsewhere. */
export function copySql(page: LeadPage, columns: Columns): { rows: SQL; end: SQL } {
  const { by, key } = sorts[page.sort];
  const where = whereAll(pageOf(page));
  const ordered = ({ select, join }: Columns, limit: SQL) =>
    sql`select ${select} from leads l ${join} where ${where} order by ${by} ${limit}`;
  return {
    rows: ordered(columns, sql`limit ${page.limit}`),
    end: ordered(
      { select: sql`l.id, (${key})::text as "at"`, join: sql.empty() },
      sql`offset ${page.limit - 1} limit 1`,
    ),
  };
}
