import type { LeadStatus, Priority } from "@portal/contract/entities/lead";
import { type FirstCallBand, firstCallBands } from "@portal/contract/entities/report";
import type { CalledFilter } from "@portal/contract/routes/all-leads";
import { onDaySql } from "../../db/sql/on-day.ts";
import { inRangeSql, type ListRange, type PastRange, rangeStartSql } from "../../db/sql/range-start.ts";
import { likePattern, searchTerms } from "../../values/search-text.ts";

/** Whose leads: one consultant's, or everyone's. */
export type OwnerScope = { salesRepId: number } | "everyone";

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
export type Place = (value: unknown) => string;

/** A statement's values, in the order in which they got their placeholders. */
export function collectValues(): { values: unknown[]; place: Place } {
  const values: unknown[] = [];
  return { values, place: (value) => `$${values.push(value)}` };
}

/** Sources are counted by so many of their first letters. */
const sourceLetters = 200;

function sourceSql(source: string, place: Place): string {
  if (source === "") return "(l.lead_source is null or l.lead_source = '')";
  return source.length < sourceLetters
    ? `l.lead_source = ${place(source)}`
    : `left(l.lead_source, ${sourceLetters}) = ${place(source)}`;
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

/** Conditions on leads `l`, by whether the lists' own indexes are sorted under them. */
export interface LeadConditions {
  indexed: string[];
  others: string[];
  /** One for each word of the search. */
  words: string[];
  /** Whether the index that is walked by age holds all that is asked of a lead. */
  isCovered: boolean;
}

/** What a query asks of leads `l`. */
export function conditionsOf({ scope, filter, timeZone }: LeadQuery, place: Place): LeadConditions {
  const indexed: string[] = [];
  const others: string[] = [];
  const { status, priority } = filter;
  if (scope !== "everyone") indexed.push(`l.assigned_to = ${place(scope.salesRepId)}`);
  else if (filter.assignment === "unassigned") indexed.push("l.assigned_to is null");
  const states = [
    status && `l.status = ${place(status)}`,
    priority && `l.priority = ${place(priority)}`,
  ].filter((condition) => condition !== undefined);
  const isByState = states.length === 2 && indexed.length === 0;
  (isByState ? indexed : others).push(...states);
  if (scope !== "everyone" && filter.assignment === "unassigned") others.push("false");
  if (filter.assignment === "assigned") others.push("l.assigned_to is not null");
  if (filter.source !== undefined) others.push(sourceSql(filter.source, place));
  if (filter.notSources)
    others.push(
      `left(coalesce(l.lead_source, ''), ${sourceLetters}) <> all(${place(filter.notSources)}::text[])`,
    );
  const zone = () => `${place(timeZone)}::text`;
  const since = (range: PastRange) => rangeStartSql(range, zone());
  if (filter.created) others.push(inRangeSql("l.created_at", filter.created, zone()));
  if (filter.converted) others.push(inRangeSql("l.converted_at", filter.converted, zone()));
  if (filter.convertedOn) {
    const { day, until } = filter.convertedOn;
    others.push(onDaySql("l.converted_at", place(day), zone(), until ? place(until) : undefined));
  }
  if (filter.called) others.push(calledSql(filter.called, filter.calledIn && since(filter.calledIn)));
  if (filter.firstCall) others.push(firstCallSql(filter.firstCall));
  if (filter.ids) others.push(`l.id = any(${place(filter.ids)}::int[])`);
  const words = searchTerms(filter.search ?? "").map((term) => `l.search like ${place(likePattern(term))}`);
  return { indexed, others, words, isCovered: isByState && others.length === 0 };
}
