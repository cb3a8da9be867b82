import { anyRep, type RepFilter } from "@portal/contract/entities/fields";
import type { PerformanceReport, ReportRange } from "@portal/contract/entities/report";
import {
  callsLink,
  convertedByLink,
  type DrillDownTarget,
  leadsOfLink,
  smsLink,
} from "../../../lib/drill-down.ts";
import { currentLocale, formatMoney, formatNumber } from "../../../lib/format.ts";
import { formatPercent } from "../../../lib/format-percent.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Badge } from "../../../ui/badge.tsx";
import { DrillDownLink } from "../../../ui/drill-down-link.tsx";
import { type MetricsColumn, MetricsTable, type TableSort } from "../../../ui/metrics-table.tsx";
import { minutesOf } from "./format-metrics.ts";
import { metricMessages } from "./messages.ts";
import { type PerformanceColumn, performanceColumns } from "./report-search.ts";

/** A consultant's figures with the answer rate in percent, null without calls. */
type PerformanceRow = PerformanceReport["consultants"][number] & { answerRate: number | null };

const defaultSort = { by: "calls", isDescending: true } as const;

/** The sort order in the address: '-calls' has the most calls first. */
export function readSort(sort: string | undefined): TableSort & { by: PerformanceColumn } {
  const by = performanceColumns.find((column) => sort === column || sort === `-${column}`);
  return by ? { by, isDescending: sort === `-${by}` } : defaultSort;
}

/** The sort order after a click on a column: names start with A, figures with the largest; a second click reverses it. */
export function nextSort(current: TableSort, by: string): string {
  const isDescending = current.by === by ? !current.isDescending : by !== "name";
  return isDescending ? `-${by}` : by;
}

export const answerRateOf = ({ calls, answered }: { calls: number; answered: number }): number | null =>
  calls > 0 ? (answered * 100) / calls : null;

/** The consultants in a sort order; equal ones by name, those without a rate last. */
export function performanceRows(
  { consultants }: PerformanceReport,
  { by, isDescending }: TableSort & { by: PerformanceColumn },
): PerformanceRow[] {
  const byName = new Intl.Collator(currentLocale());
  const sign = isDescending ? -1 : 1;
  return consultants
    .map((consultant) => ({ ...consultant, answerRate: answerRateOf(consultant) }))
    .sort((a, b) => {
      if (by === "name") return sign * byName.compare(a.name, b.name);
      const [left, right] = [a[by], b[by]];
      if (left !== right && (left === null || right === null)) return left === null ? 1 : -1;
      return sign * ((left ?? 0) - (right ?? 0)) || byName.compare(a.name, b.name);
    });
}

/** The totals of all consultants. */
function performanceTotal(rows: readonly PerformanceRow[]) {
  const sum = (key: Exclude<PerformanceColumn, "name" | "answerRate">) =>
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

interface PerformanceTableProps {
  rows: readonly PerformanceRow[];
  range: ReportRange;
  sort: TableSort;
  onSort: (by: string) => void;
}

const formats: Record<Exclude<PerformanceColumn, "name">, (value: number) => string> = {
  leads: formatNumber,
  calls: formatNumber,
  answered: formatNumber,
  answerRate: (percent) => formatPercent(percent, { inColumn: true }),
  talkSeconds: (seconds) => formatNumber(minutesOf(seconds)),
  texts: formatNumber,
  conversions: formatNumber,
  conversionValue: formatMoney,
};

/** Link to the rows of a consultant's figure, or of all consultants. */
function rowsOf(key: PerformanceColumn, rep: RepFilter, range: ReportRange) {
  const places: Partial<Record<PerformanceColumn, DrillDownTarget>> = {
    leads: leadsOfLink(rep),
    calls: callsLink({ range, rep }),
    answered: callsLink({ range, rep, outcome: "answered" }),
    talkSeconds: callsLink({ range, rep }),
    answerRate: callsLink({ range, rep, outcome: "answered" }),
    texts: smsLink({ range, rep, direction: "outbound" }),
    conversions: convertedByLink(rep, range),
    conversionValue: convertedByLink(rep, range),
  };
  return places[key];
}

/** Consultants with their figures, sortable by any column. */
export function PerformanceTable({ rows, range, sort, onSort }: PerformanceTableProps) {
  const t = useMessages(metricMessages);
  const total = performanceTotal(rows);
  const labels: Record<Exclude<PerformanceColumn, "name">, string> = {
    leads: t("leads"),
    calls: t("calls"),
    answered: t("answered"),
    answerRate: t("answerRate"),
    talkSeconds: t("talkMinutes"),
    texts: t("texts"),
    conversions: t("conversions"),
    conversionValue: t("value"),
  };
  const totals = { ...total, answerRate: answerRateOf(total) };
  const figure = (key: keyof typeof labels, value: number | null, rep: RepFilter) =>
    value === null ? (
      "—"
    ) : (
      <DrillDownLink rows={value > 0 ? rowsOf(key, rep, range) : undefined}>
        {formats[key](value)}
      </DrillDownLink>
    );
  const columns: MetricsColumn<PerformanceRow>[] = [
    {
      key: "name",
      label: t("consultant"),
      cell: ({ name, active }) => (
        <span className="inline-flex flex-wrap items-center gap-2">
          {name}
          {active ? null : <Badge title={t("closedHint")}>{t("closed")}</Badge>}
        </span>
      ),
    },
    ...(Object.keys(labels) as (keyof typeof labels)[]).map((key) => ({
      key,
      label: labels[key],
      isNumber: true,
      total: figure(key, totals[key], anyRep),
      cell: (row: PerformanceRow) => figure(key, row[key], row.userId),
    })),
  ];
  return (
    <MetricsTable
      caption={t("consultants")}
      columns={columns}
      rows={rows}
      keyOf={({ userId }) => userId}
      sort={sort}
      onSort={onSort}
      {...(rows.length > 1 && { totalLabel: t("total") })}
    />
  );
}
