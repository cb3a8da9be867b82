import type { Lead } from "@portal/contract/entities/lead";
import type { SystemLead } from "@portal/contract/routes/all-leads";
import type { Db } from "../../platform/db/client.ts";
import { sql } from "../../platform/db/query.ts";
import { extraFieldsSql } from "../../platform/db/sql/leads.ts";
import type { ListSource } from "../../platform/http/list.ts";
import type { ContactPolicyRules } from "../contact-policy/decide-contact.ts";
import {
  countLeadsUpTo,
  findLeads,
  type KeysetRow,
  type LeadQuery,
  type LeadSort,
} from "./lead-list-repository.ts";
import { type LeadRow, leadColumns, type SystemLeadRow, systemLeadColumns } from "./lead-repository.ts";
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
