import type { ActivityPoint, OverviewReport, ReportRange } from "@portal/contract/entities/report";
import { useNavigate } from "@tanstack/react-router";
import { callsLink, conversionsLink, smsLink, type Viewer } from "../../../lib/drill-down.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { DrillDownLink } from "../../../ui/drill-down-link.tsx";
import { type MetricsColumn, MetricsTable } from "../../../ui/metrics-table.tsx";
import { ChartCard, ChartLegend, LateChart } from "./chart-card.tsx";
import { formatFullStep, formatStep, lastDayOf } from "./format-metrics.ts";
import { metricMessages, reportMessages } from "./messages.ts";
import type { SeriesKey } from "./series-swatch.tsx";

const series = ["calls", "answered", "texts", "conversions"] as const satisfies readonly SeriesKey[];

interface ActivityChartProps {
  activity: OverviewReport["activity"];
  range: ReportRange;
  viewer: Viewer;
}

/** Calls, answered calls, texts and conversions day by day; of long periods by week or month. */
export function ActivityChart({ activity: { step, points }, range, viewer }: ActivityChartProps) {
  const t = useMessages(reportMessages);
  const figure = useMessages(metricMessages);
  const navigate = useNavigate();
  const totalOf = (key: SeriesKey) => points.reduce((sum, point) => sum + point[key], 0);
  const daysOf = (day: string) => ({ day, until: step === "day" ? undefined : lastDayOf(day, step) });
  const rowsOf = (day: string, key: SeriesKey) => {
    if (key === "texts") return smsLink({ range, ...daysOf(day) });
    if (key === "conversions") return conversionsLink(viewer, range, daysOf(day));
    return callsLink({ range, outcome: key === "answered" ? "answered" : undefined, ...daysOf(day) });
  };
  const nameOf = (day: string) => {
    const name = formatFullStep(day, step);
    return step === "week" ? figure("weekFrom", { day: name }) : name;
  };
  const columns: MetricsColumn<ActivityPoint>[] = [
    {
      key: "day",
      label: figure("date"),
      cell: ({ day }) => <span className="whitespace-nowrap">{nameOf(day)}</span>,
    },
    ...series.map((key) => ({
      key,
      label: figure(key),
      isNumber: true,
      total: formatNumber(totalOf(key)),
      cell: (point: ActivityPoint) => (
        <DrillDownLink rows={point[key] > 0 ? rowsOf(point.day, key) : undefined}>
          {formatNumber(point[key])}
        </DrillDownLink>
      ),
    })),
  ];
  const rows = {
    calls: callsLink({ range }),
    answered: callsLink({ range, outcome: "answered" }),
    texts: smsLink({ range }),
    conversions: conversionsLink(viewer, range),
  };
  return (
    <ChartCard
      title={figure("activity")}
      subtitle={step === "day" ? null : figure(step === "week" ? "activityByWeek" : "activityByMonth")}
      emptyHint={series.every((key) => totalOf(key) === 0) ? t("noDataActivity") : null}
      legend={
        <ChartLegend entries={series.map((key) => ({ series: key, total: totalOf(key), rows: rows[key] }))} />
      }
      chart={
        <LateChart
          label={t("chartKeys", { title: figure("activity") })}
          series={series}
          layout="columns"
          points={points.map(({ day, ...figures }) => ({
            key: day,
            label: formatStep(day, step),
            fullLabel: nameOf(day),
            ...figures,
          }))}
          onOpen={({ key }, of) => {
            const rows = rowsOf(key, of);
            if (rows) void navigate(rows);
          }}
        />
      }
      table={
        <MetricsTable
          caption={figure("activity")}
          columns={columns}
          rows={points}
          keyOf={({ day }) => day}
          totalLabel={figure("total")}
        />
      }
    />
  );
}
