import type { PerformanceReport } from "@portal/contract/entities/report";
import { currentLocale } from "../../lib/format.ts";
import type { TableSort } from "../../ui/figure-table.tsx";
import { type PerformanceColumn, performanceColumns } from "./report-search.ts";

/** A consultant's figures with their contact rate in percent, null without calls. */
export type PerformanceRow = PerformanceReport["consultants"][number] & { contactRate: number | null };

const defaultSort = { by: "calls", isDescending: true } as const;

/** The order that the address asks for: '-calls' has the most calls first. */
export function readSort(sort: string | undefined): TableSort & { by: PerformanceColumn } {
  const by = performanceColumns.find((column) => sort === column || sort === `-${column}`);
  return by ? { by, isDescending: sort === `-${by}` } : defaultSort;
}

/** What stands in the address once a column's heading is pressed: names begin with A, figures with the largest; again turns it round. */
export function nextSort(current: TableSort, by: string): string {
  const isDescending = current.by === by ? !current.isDescending : by !== "name";
  return isDescending ? `-${by}` : by;
}

export const contactRateOf = ({ calls, answered }: { calls: number; answered: number }): number | null =>
  calls > 0 ? (answered * 100) / calls : null;

/** The consultants in an order; equal ones by name, those without a rate last. */
export function performanceRows(
  { consultants }: PerformanceReport,
  { by, isDescending }: TableSort & { by: PerformanceColumn },
): PerformanceRow[] {
  const byName = new Intl.Collator(currentLocale());
  const sign = isDescending ? -1 : 1;
  return consultants
    .map((consultant) => ({ ...consultant, contactRate: contactRateOf(consultant) }))
    .sort((a, b) => {
      if (by === "name") return sign * byName.compare(a.name, b.name);
      const [left, right] = [a[by], b[by]];
      if (left !== right && (left === null || right === null)) return left === null ? 1 : -1;
      return sign * ((left ?? 0) - (right ?? 0)) || byName.compare(a.name, b.name);
    });
}

/** Everybody's figures added up. */
export function performanceTotal(rows: readonly PerformanceRow[]) {
  const sum = (key: Exclude<PerformanceColumn, "name" | "contactRate">) =>
    rows.reduce((total, row) => total + row[key], 0);
  return {
    leads: sum("leads"),
    calls: sum("calls"),
    answered: sum("answered"),
    talkSeconds: sum("talkSeconds"),
    texts: sum("texts"),
    conversions: sum("conversions"),
    conversionValue: sum("conversionValue"),
  };
}
