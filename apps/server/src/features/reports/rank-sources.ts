import { limits } from "@portal/contract/limits";
import type { Database } from "../../db/client.ts";
import type { ListRange } from "../../db/sql/range-start.ts";
import { type FigureRow, sumFigures } from "./data-figures.ts";
import { findPeriod } from "./data-period.ts";
import type { ReportScope } from "./data-sources.ts";

/** Sources of the leads created in a period, most leads first: those that a report names, and the further ones. '' is none. */
export function rankSources(
  rows: FigureRow[],
  part: FigureRow["part"],
): { named: FigureRow[]; further: FigureRow[] } {
  const all = rows
    .filter((row) => row.part === part && row.kind === "lead_source")
    .sort((a, b) => b.n - a.n || (a.label < b.label ? -1 : 1));
  return { named: all.slice(0, limits.reportSources), further: all.slice(limits.reportSources) };
}

/** The sources that the report of a scope and a range names; '' is none. */
export async function namedSources(
  { db }: Database,
  {
    scope,
    created,
    timeZone,
  }: { scope: ReportScope; created: Exclude<ListRange, "today"> | undefined; timeZone: string },
): Promise<string[]> {
  const before = created === "previous-week" || created === "previous-month";
  const range = created === undefined ? "all" : created.endsWith("week") ? "week" : "month";
  const period = await findPeriod(db, { range, timeZone });
  const rows = await sumFigures(db, { kinds: ["lead_source"], scope, period, bucket: "none", before });
  return rankSources(rows, before ? "before" : "now").named.map(({ label }) => label);
}
