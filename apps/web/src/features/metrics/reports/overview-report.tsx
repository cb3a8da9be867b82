import type { ActivityPoint, OverviewReport as Report, ReportRange } from "@portal/contract/entities/report";
import { useNavigate } from "@tanstack/react-router";
import { Clock, PhoneCall, PhoneIncoming } from "lucide-react";
import { callsLink, conversionsLink, previousOf, smsLink, type Viewer } from "../../../lib/drill-down.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { DrillDownLink } from "../../../ui/drill-down-link.tsx";
import { type MetricsColumn, MetricsTable } from "../../../ui/metrics-table.tsx";
import { StatCard, StatCards } from "../../../ui/stat-card.tsx";
import { ChartCard, ChartLegend, LateChart } from "./chart-card.tsx";
import { formatFullStep, formatStep, lastDayOf, minutesOf, shownStatuses } from "./format-metrics.ts";
import { metricMessages, reportMessages } from "./messages.ts";
import { overviewQuery } from "./queries.ts";
import { OutcomeBars, StatusBars } from "./report-bars.tsx";
import { RateCard, ReportView, TrendNote } from "./report-view.tsx";
import type { SeriesKey } from "./series-swatch.tsx";

interface ReportProps {
  range: ReportRange;
  viewer: Viewer;
}

/** Report type `overview`, with the recorded figures of this page. */
export function OverviewReport({ range, viewer }: ReportProps) {
  const t = useMessages(metricMessages);
  return (
    <ReportView query={overviewQuery(range)}>
      {(report) => (
        <>
          <OverviewCards report={report} viewer={viewer} />
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:gap-5 lg:grid-cols-2">
            <StatusBars
              title={t("statuses")}
              statuses={shownStatuses(report.statuses)}
              range={report.period.range}
              viewer={viewer}
            />
            <OutcomeBars outcomes={report.outcomes} range={report.period.range} />
          </div>
          <ActivityChart activity={report.activity} range={report.period.range} viewer={viewer} />
        </>
      )}
    </ReportView>
  );
}

function OverviewCards({ report, viewer }: { report: Report; viewer: Viewer }) {
  const t = useMessages(metricMessages);
  const { range } = report.period;
  const previous = previousOf(range);
  const callsBefore = previous ? callsLink({ range: previous }) : undefined;
  return (
    <StatCards>
      <StatCard
        label={t("totalCalls")}
        value={formatNumber(report.totalCalls.value ?? 0)}
        note={<TrendNote figure={report.totalCalls} rows={callsBefore} />}
        icon={PhoneCall}
        rows={callsLink({ range })}
      />
      <StatCard
        label={t("answeredCalls")}
        value={formatNumber(report.answeredCalls.value ?? 0)}
        note={
          <TrendNote
            figure={report.answeredCalls}
            rows={previous ? callsLink({ range: previous, outcome: "answered" }) : undefined}
          />
        }
        icon={PhoneIncoming}
        rows={callsLink({ range, outcome: "answered" })}
      />
      <RateCard figure={report.conversionRate} range={range} viewer={viewer} />
      <StatCard
        label={t("talkTime")}
        value={t("minutes", { minutes: formatNumber(minutesOf(report.talkSeconds.value ?? 0)) })}
        note={<TrendNote figure={report.talkSeconds} rows={callsBefore} />}
        icon={Clock}
        rows={callsLink({ range })}
      />
    </StatCards>
  );
}

const series = ["calls", "answered", "texts", "conversions"] as const satisfies readonly SeriesKey[];

interface ActivityChartProps {
  activity: Report["activity"];
  range: ReportRange;
  viewer: Viewer;
}

/** Calls, answered calls, SMS and conversions by day; for long periods by week or month. */
function ActivityChart({ activity: { step, points }, range, viewer }: ActivityChartProps) {
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
