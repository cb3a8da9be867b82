import type { Db } from "../../db/client.ts";
import { fetchLeads, type LeadPage, type PageRow } from "./data-lead-pages.ts";
import { leadColumns } from "./lead-columns.ts";
import { joinRep, type LeadTextRow, systemLeadText } from "./lead-text.ts";

export type AllLeadsRow = LeadTextRow & PageRow;

/** A page of all leads. */
export function listAllLeads(db: Db, page: LeadPage): Promise<AllLeadsRow[]> {
  return fetchLeads<AllLeadsRow>(db, page, () => systemLeadText);
}

/** A lead as its line of CSV. */
export type LeadLineRow = PageRow & { line: string };

/** A page of an export. */
export function listLeadLines(db: Db, page: LeadPage): Promise<LeadLineRow[]> {
  const line = Object.values(leadColumns).join(" || ',' || ");
  return fetchLeads(db, page, () => ({ select: `${line} as line`, join: joinRep }));
}

export interface AllLeadsStats {
  total: number;
  assigned: number;
  unassigned: number;
  converted: number;
}

/** Figures of all leads, from those that are kept by consultant and status. */
export async function allLeadsStats(db: Db): Promise<AllLeadsStats> {
  const { rows } = await db.$client.query<AllLeadsStats>(
    `select coalesce(sum(n), 0)::int as total,
       coalesce(sum(n) filter (where user_id <> 0), 0)::int as assigned,
       coalesce(sum(n) filter (where user_id = 0), 0)::int as unassigned,
       coalesce(sum(n) filter (where label = 'converted'), 0)::int as converted
     from current_figures where kind = 'lead_owner'`,
  );
  const [stats] = rows;
  if (!stats) throw new Error("an aggregate without a row");
  return stats;
}
