import { useNavigate } from "@tanstack/react-router";
import { formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import type { RowsAddress } from "../../../lib/rows.ts";
import { FigureTable } from "../../../ui/figure-table.tsx";
import { RowsLink } from "../../../ui/rows-link.tsx";
import { barSeries, type ChartPoint } from "../chart-series.ts";
import { formatPercent } from "../format-figures.ts";
import { contactRateOf } from "../performance-rows.ts";
import { figureTexts, reportTexts } from "../texts.ts";
import { ChartCard } from "./chart-card.tsx";
import { ChartLegend } from "./chart-legend.tsx";
import { LateChart } from "./late-chart.tsx";

interface CallsChartProps {
  title: string;
  subtitle?: string | null;
  /** What the bars are: the table's first heading. */
  head: string;
  layout: "columns" | "rows";
  points: readonly ChartPoint[];
  /** The calls of a bar, or of all where there is no key; those that were answered. */
  rowsOf: (key: string | null, outcome: "answered" | undefined) => RowsAddress | undefined;
}

const outcomeOf = (series: (typeof barSeries)[number]) => (series === "answered" ? series : undefined);
const rateText = (figures: { calls: number; answered: number }) => {
  const rate = contactRateOf(figures);
  return rate === null ? "—" : formatPercent(rate);
};

/** Calls and their answered part, by hour or by person, as a chart and as a table. */
export function CallsChart({ title, subtitle = null, head, layout, points, rowsOf }: CallsChartProps) {
  const t = useTexts(reportTexts);
  const figure = useTexts(figureTexts);
  const navigate = useNavigate();
  const sum = (key: (typeof barSeries)[number]) => points.reduce((total, point) => total + point[key], 0);
  const total = { calls: sum("calls"), answered: sum("answered") };
  return (
    <ChartCard
      title={title}
      subtitle={subtitle}
      emptyHint={total.calls === 0 ? t("noDataCalls") : null}
      legend={
        <ChartLegend
          entries={barSeries.map((key) => ({
            series: key,
            total: total[key],
            rows: rowsOf(null, outcomeOf(key)),
          }))}
        />
      }
      chart={
        <LateChart
          label={t("chartKeys", { title })}
          series={barSeries}
          layout={layout}
          points={points}
          onOpen={({ key }, series) => {
            const rows = rowsOf(key, outcomeOf(series));
            if (rows) void navigate(rows);
          }}
        />
      }
      table={
        <FigureTable
          caption={title}
          rows={points}
          keyOf={({ key }) => key}
          totalLabel={figure("total")}
          columns={[
            { key: "head", label: head, cell: ({ label }) => label },
            ...barSeries.map((key) => ({
              key,
              label: figure(key),
              isNumber: true,
              total: formatNumber(total[key]),
              cell: (point: ChartPoint) => (
                <RowsLink rows={point[key] > 0 ? rowsOf(point.key, outcomeOf(key)) : undefined}>
                  {formatNumber(point[key])}
                </RowsLink>
              ),
            })),
            {
              key: "contactRate",
              label: figure("contactRate"),
              isNumber: true,
              total: rateText(total),
              cell: rateText,
            },
          ]}
        />
      }
    />
  );
}
