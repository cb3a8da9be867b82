import type { Database, Db } from "../../db/client.ts";
import { copyCsv } from "../../db/copy-csv.ts";
import type { LeadQuery } from "./data-lead-filter.ts";
import { copySql, type LeadPage, type LeadSort } from "./data-lead-pages.ts";
import { leadColumns } from "./lead-columns.ts";
import { joinRep } from "./lead-text.ts";

const lineColumns = { select: Object.values(leadColumns).join(", "), join: joinRep };
/** Leads of an export that are read at once: about 1.3 MB. */
const leadsAPage = 5_000;

interface LinesPage {
  lines: Buffer;
  /** Its last row, where the page is full. */
  end: LeadPage["after"];
}

/**
 * The lines of an export, page by page: each page of one snapshot, with no connection held between them, and the next one is read while
 * one is sent.
 */
export async function* leadLines(
  { transaction }: Pick<Database, "transaction">,
  query: LeadQuery & { sort: LeadSort },
): AsyncGenerator<Buffer> {
  const read = (after: LeadPage["after"]): Promise<LinesPage> =>
    transaction(async (tx) => {
      const { rows, end } = copySql({ ...query, after, limit: leadsAPage }, lineColumns);
      await tx.$client.query("set transaction isolation level repeatable read read only");
      const last = await tx.$client.query<{ id: number; at: string }>(end);
      return { lines: await copyCsv(tx, rows), end: last.rows[0] ?? null };
    });
  let next: Promise<LinesPage> | null = read(null);
  while (next) {
    const { lines, end }: LinesPage = await next;
    next = end && read(end);
    // Whoever stops reading hears of no failure.
    next?.catch(() => undefined);
    yield lines;
  }
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
