import { anyRep, type RepFilter } from "@portal/contract/entities/fields";
import type { ReportRange } from "@portal/contract/entities/report";
import { formatMoney, formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { callRows, convertedByRows, leadsOfRows, type RowsAddress, textRows } from "../../../lib/rows.ts";
import { Badge } from "../../../ui/badge.tsx";
import { type FigureColumn, FigureTable, type TableSort } from "../../../ui/figure-table.tsx";
import { RowsLink } from "../../../ui/rows-link.tsx";
import { formatPercent, minutesOf } from "../format-figures.ts";
import { contactRateOf, type PerformanceRow, performanceTotal } from "../performance-rows.ts";
import type { PerformanceColumn } from "../report-search.ts";
import { figureTexts } from "../texts.ts";

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
  contactRate: formatPercent,
  talkSeconds: (seconds) => formatNumber(minutesOf(seconds)),
  texts: formatNumber,
  conversions: formatNumber,
  conversionValue: formatMoney,
};

/** Where the rows of a consultant's figure are, or those of all of them together. */
function rowsOf(key: PerformanceColumn, rep: RepFilter, range: ReportRange) {
  const places: Partial<Record<PerformanceColumn, RowsAddress>> = {
    leads: leadsOfRows(rep),
    calls: callRows({ range, rep }),
    answered: callRows({ range, rep, outcome: "answered" }),
    talkSeconds: callRows({ range, rep }),
    contactRate: callRows({ range, rep, outcome: "answered" }),
    texts: textRows({ range, rep, direction: "outbound" }),
    conversions: convertedByRows(rep, range),
    conversionValue: convertedByRows(rep, range),
  };
  return places[key];
}

/** Consultants with their figures, in any column's order. */
export function PerformanceTable({ rows, range, sort, onSort }: PerformanceTableProps) {
  const t = useTexts(figureTexts);
  const total = performanceTotal(rows);
  const labels: Record<Exclude<PerformanceColumn, "name">, string> = {
    leads: t("leads"),
    calls: t("calls"),
    answered: t("answered"),
    contactRate: t("contactRate"),
    talkSeconds: t("talkMinutes"),
    texts: t("texts"),
    conversions: t("conversions"),
    conversionValue: t("value"),
  };
  const totals = { ...total, contactRate: contactRateOf(total) };
  const figure = (key: keyof typeof labels, value: number | null, rep: RepFilter) =>
    value === null ? (
      "—"
    ) : (
      <RowsLink rows={value > 0 ? rowsOf(key, rep, range) : undefined}>{formats[key](value)}</RowsLink>
    );
  const columns: FigureColumn<PerformanceRow>[] = [
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
    <FigureTable
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
