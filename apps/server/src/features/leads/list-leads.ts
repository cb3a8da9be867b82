import type { Lead } from "@portal/contract/entities/lead";
import type { RouteRequest } from "@portal/contract/route";
import type { exportLeads, SystemLead } from "@portal/contract/routes/all-leads";
import type { listLeads } from "@portal/contract/routes/leads";
import type { Database, Db } from "../../platform/db/client.ts";
import { copyCsv, csvCell } from "../../platform/db/copy.ts";
import { execute, queryFirst, sql } from "../../platform/db/query.ts";
import { extraFieldsSql, extraLinesSql } from "../../platform/db/sql/leads.ts";
import { filterValue, type ListSource } from "../../platform/http/list.ts";
import type { ContactPolicyRules } from "../contact-policy/decide-contact.ts";
import {
  copySql,
  countLeadsUpTo,
  findLeads,
  type KeysetRow,
  type LeadFilter,
  type LeadPage,
  type LeadQuery,
  type LeadSort,
} from "./lead-list-repository.ts";
import {
  joinRep,
  type LeadRow,
  leadColumns,
  type SystemLeadRow,
  systemLeadColumns,
} from "./lead-repository.ts";
import { presentLead, presentSystemLead } from "./present.ts";

type Listed<Row extends { id: number }, Item> = ListSource<Row & KeysetRow, Item>;
type SortedQuery = LeadQuery & { sort: LeadSort };

/** What all lists of leads have in common. */
const sourceOf = (db: Db, query: LeadQuery) => ({
  keysetOf: ({ keysetAt, id }: KeysetRow & { id: number }) => ({ at: keysetAt, id }),
  count: (cap: number) => countLeadsUpTo(db, query, cap),
});

/** All leads of a query with the fields that everybody may see. */
export const allLeads = (db: Db, query: SortedQuery): Listed<SystemLeadRow, SystemLead> => ({
  ...sourceOf(db, query),
  fetch: (after, limit) => findLeads(db, { ...query, after, limit }, systemLeadColumns),
  present: presentSystemLead,
});

type ExportedRow = SystemLeadRow & { extraFields: Record<string, unknown> | null };

/** The leads of a query for an export, with the fields that have no column. */
export const exportedLeads = (
  db: Db,
  query: SortedQuery,
): Listed<ExportedRow, SystemLead & { extraFields: Record<string, unknown> }> => ({
  ...sourceOf(db, query),
  fetch: (after, limit) =>
    findLeads(db, { ...query, after, limit }, sql`${systemLeadColumns}, ${extraFieldsSql} as "extraFields"`),
  present: (row) => ({ ...presentSystemLead(row), extraFields: row.extraFields ?? {} }),
});

/** The leads of a query as `actorId` works on them. */
export const ownLeads = (
  db: Db,
  query: SortedQuery & { actorId: number },
  rules: ContactPolicyRules,
): Listed<LeadRow, Lead> => ({
  ...sourceOf(db, query),
  fetch: (after, limit) => findLeads(db, { ...query, after, limit }, leadColumns(query.actorId)),
  present: (row) => presentLead(row, rules),
});

type OwnFilters = RouteRequest<typeof listLeads>["query"];
export type AllFilters = Omit<RouteRequest<typeof exportLeads>["query"], "format">;

/** Filters that both lists share. */
const sharedFilters = (query: OwnFilters | AllFilters): LeadFilter => ({
  search: query.search,
  status: filterValue(query.status),
  priority: filterValue(query.priority),
  attempts: filterValue(query.attempts),
  lastContact: filterValue(query.lastContact),
  followUp: filterValue(query.followUp),
  localTime: filterValue(query.localTime),
  language: filterValue(query.language),
});

/** The filter of the leads page. */
export const leadFilterOf = (query: OwnFilters): LeadFilter => ({
  ...sharedFilters(query),
  source: query.source || undefined,
  unread: query.unread === "yes" || undefined,
});

/** The filter of All Leads. `notSources` are the sources that the report names when "all others" is asked for. */
export const allLeadsFilterOf = (filters: AllFilters, notSources: string[] | undefined): LeadFilter => ({
  ...sharedFilters(filters),
  assignment: filterValue(filters.assignment),
  source: filters.sources === "none" ? "" : filters.source || undefined,
  notSources,
  created: filterValue(filters.created),
  converted: filterValue(filters.converted),
  convertedOn: filters.convertedOn
    ? { day: filters.convertedOn, until: filters.convertedUntil || undefined }
    : undefined,
  firstCall: filters.firstCall || undefined,
  called: filterValue(filters.called),
  calledIn: filterValue(filters.calledIn),
  ids: filters.ids,
});

export const leadSortOf = (sort: OwnFilters["sort"]): LeadSort =>
  !sort || sort === "createdAt" ? "newest" : sort;

const { text, number, instant } = csvCell;

/** Cells of exported leads `l` and their consultants `u` in SQL, by column header. An import recognises these headers. */
export const csvColumns = {
  "Lead ID": sql`l.id::text`,
  Name: text(sql`l.name`),
  "First Name": text(sql`l.first_name`),
  "Last Name": text(sql`l.last_name`),
  Email: text(sql`l.email`),
  Phone: text(sql`l.phone`),
  Company: text(sql`l.company`),
  Industry: text(sql`l.industry`),
  Status: text(sql`l.status`),
  Priority: text(sql`l.priority`),
  "Lead Source": text(sql`l.lead_source`),
  "Deal Value": number(sql`l.deal_value`),
  Notes: text(sql`l.notes`),
  "Assigned To": text(sql`u.name`),
  Assigned: instant(sql`l.assigned_at`),
  Created: instant(sql`l.created_at`),
  "Last Contact": instant(sql`l.last_contacted_at`),
  "Next Follow-up": instant(sql`l.next_follow_up_date`),
  "Next Follow-up Time": text(sql`l.next_follow_up_time || ' ' || l.next_follow_up_zone`),
  Converted: instant(sql`l.converted_at`),
  "GHL Contact ID": text(sql`l.ghl_contact_id`),
  "Extra fields": sql`(select ${text(sql`extra.lines`)} from (select ${extraLinesSql} as lines) extra)`,
};

const lineColumns = { select: sql.join(Object.values(csvColumns), sql`, `), join: joinRep };
/** Leads read in one page: about 0.2 MB, of which two pages are in memory for a slow client. */
const leadsAPage = 750;

interface LinesPage {
  lines: Buffer;
  /** Key of the last row if the page is full, else null. */
  end: LeadPage["after"];
}

/**
 * Yields the lines of an export page by page. Each page is one snapshot, no connection is held between pages, and the next page is read
 * while one is sent.
 */
export async function* leadLines(
  { transaction }: Pick<Database, "transaction">,
  query: LeadQuery & { sort: LeadSort },
): AsyncGenerator<Buffer> {
  const read = (after: LeadPage["after"]): Promise<LinesPage> =>
    transaction(async (tx) => {
      const { rows, end } = copySql({ ...query, after, limit: leadsAPage }, lineColumns);
      await execute(tx, sql`set transaction isolation level repeatable read read only`);
      const last = await queryFirst<{ id: number; at: string }>(tx, end);
      return { lines: await copyCsv(tx, rows), end: last ?? null };
    });
  let next: Promise<LinesPage> | null = read(null);
  while (next) {
    const { lines, end }: LinesPage = await next;
    next = end && read(end);
    // A client that stops reading must not cause an unhandled rejection.
    next?.catch(() => undefined);
    yield lines;
  }
}
