import { useNavigate } from "@tanstack/react-router";
import type { DrillDownTarget } from "../../../lib/drill-down.ts";
import { formatNumber } from "../../../lib/format.ts";
import { formatPercent } from "../../../lib/format-percent.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { DrillDownLink } from "../../../ui/drill-down-link.tsx";
import { MetricsTable } from "../../../ui/metrics-table.tsx";
import { ChartCard, ChartLegend, LateChart } from "./chart-card.tsx";
import { metricMessages, reportMessages } from "./messages.ts";
import { answerRateOf } from "./performance-table.tsx";
import { barSeries, type ChartPoint } from "./series-swatch.tsx";

interface CallsChartProps {
  title: string;
  subtitle?: string | null;
  /** The table's first heading. */
  head: string;
  layout: "columns" | "rows";
  points: readonly ChartPoint[];
  /** Link to the calls of a bar, or of all bars (null); `answered` for only those. */
  rowsOf: (key: string | null, outcome: "answered" | undefined) => DrillDownTarget | undefined;
}

const outcomeOf = (series: (typeof barSeries)[number]) => (series === "answered" ? series : undefined);
const rateText = (figures: { calls: number; answered: number }) => {
  const rate = answerRateOf(figures);
  return rate === null ? "—" : formatPercent(rate, { inColumn: true });
};

/** Calls and answered calls, by hour or by consultant, as a chart and a table. */
export function CallsChart({ title, subtitle = null, head, layout, points, rowsOf }: CallsChartProps) {
  const t = useMessages(reportMessages);
  const figure = useMessages(metricMessages);
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
        <MetricsTable
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
                <DrillDownLink rows={point[key] > 0 ? rowsOf(point.key, outcomeOf(key)) : undefined}>
                  {formatNumber(point[key])}
                </DrillDownLink>
              ),
            })),
            {
              key: "answerRate",
              label: figure("answerRate"),
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
