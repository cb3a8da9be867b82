import type { ActivityPoint, OverviewReport, ReportRange } from "@portal/contract/entities/report";
import { useNavigate } from "@tanstack/react-router";
import { formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { callRows, conversionRows, type Viewer } from "../../../lib/rows.ts";
import { type FigureColumn, FigureTable } from "../../../ui/figure-table.tsx";
import { RowsLink } from "../../../ui/rows-link.tsx";
import type { SeriesKey } from "../chart-series.ts";
import { formatFullStep, formatStep, lastDayOf } from "../format-figures.ts";
import { figureTexts, reportTexts } from "../texts.ts";
import { ChartCard } from "./chart-card.tsx";
import { ChartLegend } from "./chart-legend.tsx";
import { LateChart } from "./late-chart.tsx";

const series = ["calls", "answered", "texts", "conversions"] as const satisfies readonly SeriesKey[];

interface ActivityChartProps {
  activity: OverviewReport["activity"];
  range: ReportRange;
  viewer: Viewer;
}

/** Calls, answered calls, texts and conversions day by day; of long periods by week or month. */
export function ActivityChart({ activity: { step, points }, range, viewer }: ActivityChartProps) {
  const t = useTexts(reportTexts);
  const figure = useTexts(figureTexts);
  const navigate = useNavigate();
  const totalOf = (key: SeriesKey) => points.reduce((sum, point) => sum + point[key], 0);
  const rowsOf = (day: string, answered: boolean) =>
    callRows({
      range,
      outcome: answered ? "answered" : undefined,
      day,
      until: step === "day" ? undefined : lastDayOf(day, step),
    });
  const nameOf = (day: string) => {
    const name = formatFullStep(day, step);
    return step === "week" ? figure("weekFrom", { day: name }) : name;
  };
  const columns: FigureColumn<ActivityPoint>[] = [
    {
      key: "day",
      label: figure("date"),
      cell: ({ day }) => <span className="whitespace-nowrap">{nameOf(day)}</span>,
    },
    ...(["calls", "answered"] as const).map((key) => ({
      key,
      label: figure(key),
      isNumber: true,
      total: formatNumber(totalOf(key)),
      cell: (point: ActivityPoint) => (
        <RowsLink rows={point[key] > 0 ? rowsOf(point.day, key === "answered") : undefined}>
          {formatNumber(point[key])}
        </RowsLink>
      ),
    })),
    ...(["texts", "conversions"] as const).map((key) => ({
      key,
      label: figure(key),
      isNumber: true,
      total: formatNumber(totalOf(key)),
      cell: (point: ActivityPoint) => formatNumber(point[key]),
    })),
  ];
  const rows = {
    calls: callRows({ range }),
    answered: callRows({ range, outcome: "answered" }),
    texts: undefined,
    conversions: conversionRows(viewer, range),
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
          onOpen={({ key }, of) => void navigate(rowsOf(key, of === "answered"))}
        />
      }
      table={
        <FigureTable
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
