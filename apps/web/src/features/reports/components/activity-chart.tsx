import type { ActivityPoint, OverviewReport, ReportRange } from "@portal/contract/entities/report";
import { useNavigate } from "@tanstack/react-router";
import { formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { callRows, conversionRows, textRows, type Viewer } from "../../../lib/rows.ts";
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
  const daysOf = (day: string) => ({ day, until: step === "day" ? undefined : lastDayOf(day, step) });
  const rowsOf = (day: string, key: SeriesKey) => {
    if (key === "texts") return textRows({ range, ...daysOf(day) });
    if (key === "conversions") return conversionRows(viewer, range, daysOf(day));
    return callRows({ range, outcome: key === "answered" ? "answered" : undefined, ...daysOf(day) });
  };
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
    ...series.map((key) => ({
      key,
      label: figure(key),
      isNumber: true,
      total: formatNumber(totalOf(key)),
      cell: (point: ActivityPoint) => (
        <RowsLink rows={point[key] > 0 ? rowsOf(point.day, key) : undefined}>
          {formatNumber(point[key])}
        </RowsLink>
      ),
    })),
  ];
  const rows = {
    calls: callRows({ range }),
    answered: callRows({ range, outcome: "answered" }),
    texts: textRows({ range }),
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
          onOpen={({ key }, of) => {
            const rows = rowsOf(key, of);
            if (rows) void navigate(rows);
          }}
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
