import type { CallsReport as Report, ReportRange } from "@portal/contract/entities/report";
import { Clock, Percent, PhoneCall, Timer } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { callsLink, previousOf } from "../../../lib/drill-down.ts";
import { formatDuration, formatNumber } from "../../../lib/format.ts";
import { formatPercent } from "../../../lib/format-percent.ts";
import { useLanguage, useMessages } from "../../../lib/i18n.ts";
import { BarList } from "../../../ui/bar-list.tsx";
import { DrillDownLink } from "../../../ui/drill-down-link.tsx";
import { StatCard, StatCards } from "../../../ui/stat-card.tsx";
import { CallsChart } from "./calls-chart.tsx";
import { callsByHour, formatHour, formatWeekday, minutesOf } from "./format-metrics.ts";
import { metricMessages, reportMessages } from "./messages.ts";
import { callsQuery } from "./queries.ts";
import { OutcomeBars } from "./report-bars.tsx";
import { ReportCard, ReportView, TrendNote } from "./report-view.tsx";

/** Report type `calls`: when calls are made, and when leads answer. */
export function CallsReport({ range }: { range: ReportRange }) {
  return (
    <ReportView query={callsQuery(range)}>
      {(report) => (
        <>
          <CallCards report={report} />
          <HeatCard hours={report.hours} range={report.period.range} />
          <HoursChart hours={report.hours} range={report.period.range} />
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:gap-5 lg:grid-cols-2">
            <OutcomeBars outcomes={report.outcomes} range={report.period.range} />
            <Directions report={report} />
          </div>
        </>
      )}
    </ReportView>
  );
}

function CallCards({ report }: { report: Report }) {
  const t = useMessages(metricMessages);
  const { range } = report.period;
  const answered = callsLink({ range, outcome: "answered" });
  const previous = previousOf(range);
  const callsBefore = previous ? callsLink({ range: previous }) : undefined;
  // Calls with a reported duration are not part of the average.
  const timed = (of: typeof range | NonNullable<typeof previous>) =>
    callsLink({ range: of, outcome: "answered", time: "measured" });
  const answeredBefore = previous ? callsLink({ range: previous, outcome: "answered" }) : undefined;
  const { value: average } = report.averageTalkSeconds;
  const { value: answerRate } = report.answerRate;
  const waiting = report.outcomes.find(({ outcome }) => outcome === null)?.calls ?? 0;
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
        label={t("answerRate")}
        value={
          answerRate === null ? "—" : <span title={t("answerRateHint")}>{formatPercent(answerRate)}</span>
        }
        note={
          <>
            <TrendNote figure={report.answerRate} rows={answeredBefore} />
            {waiting > 0 ? (
              <DrillDownLink
                rows={callsLink({ range, outcome: "none" })}
                className="relative z-10 block pointer-coarse:py-2"
              >
                {t("answerRateWaiting", { count: waiting })}
              </DrillDownLink>
            ) : null}
          </>
        }
        icon={Percent}
        rows={answered}
      />
      <StatCard
        label={t("talkTime")}
        value={t("minutes", { minutes: formatNumber(minutesOf(report.talkSeconds.value ?? 0)) })}
        note={<TrendNote figure={report.talkSeconds} rows={callsBefore} />}
        icon={Clock}
        rows={callsLink({ range })}
      />
      <StatCard
        label={t("averageTalk")}
        value={average === null ? "—" : <span title={t("averageTalkHint")}>{formatDuration(average)}</span>}
        note={<TrendNote figure={report.averageTalkSeconds} rows={previous ? timed(previous) : undefined} />}
        icon={Timer}
        rows={timed(range)}
      />
    </StatCards>
  );
}

function Directions({ report: { outbound, inbound, period } }: { report: Report }) {
  const t = useMessages(reportMessages);
  const figure = useMessages(metricMessages);
  const { range } = period;
  return (
    <ReportCard title={figure("directions")} emptyHint={outbound + inbound === 0 ? t("noDataCalls") : null}>
      <BarList
        label={figure("directions")}
        bars={(["outbound", "inbound"] as const).map((direction) => ({
          key: direction,
          label: figure(direction),
          count: direction === "outbound" ? outbound : inbound,
          tone: direction === "outbound" ? "primary" : "violet",
          rows: callsLink({ range, direction }),
        }))}
      />
    </ReportCard>
  );
}

interface HoursChartProps {
  hours: Report["hours"];
  range: ReportRange;
}

/** Calls by hour of the day. */
function HoursChart({ hours, range }: HoursChartProps) {
  const t = useMessages(metricMessages);
  return (
    <CallsChart
      title={t("byHour")}
      head={t("hour")}
      layout="columns"
      points={callsByHour(hours).map(({ hour, ...figures }) => ({
        key: String(hour),
        label: formatHour(hour),
        ...figures,
      }))}
      rowsOf={(hour, outcome) =>
        callsLink({ range, outcome, hour: hour === null ? undefined : Number(hour) })
      }
    />
  );
}

/** Colours from few to many calls; each cell also shows its number. */
const levels = [
  "bg-[color-mix(in_oklab,var(--primary)_12%,var(--surface))]",
  "bg-[color-mix(in_oklab,var(--primary)_28%,var(--surface))]",
  "bg-[color-mix(in_oklab,var(--primary)_44%,var(--surface))]",
  "bg-primary text-primary-foreground",
] as const;

type HourFigures = Report["hours"][number];

interface HeatCardProps {
  hours: readonly HourFigures[];
  range: ReportRange;
}

/** Calls by weekday and hour in the organization's zone; hours are rows, so that seven days fit on a phone. */
function HeatCard({ hours, range }: HeatCardProps) {
  const t = useMessages(reportMessages);
  const figure = useMessages(metricMessages);
  const isSpanish = useLanguage() === "es";
  // Weeks start on Monday in Spanish, on Sunday in English.
  const weekdays = isSpanish ? [1, 2, 3, 4, 5, 6, 7] : [7, 1, 2, 3, 4, 5, 6];
  const most = Math.max(1, ...hours.map(({ calls }) => calls));
  const byPlace = new Map(hours.map((figures) => [figures.weekday * 24 + figures.hour, figures]));
  return (
    <ReportCard
      title={figure("heat")}
      emptyHint={hours.length === 0 ? t("noDataCalls") : null}
      action={<HeatLegend />}
    >
      <table className="w-full table-fixed border-separate border-spacing-0.5 text-xs sm:border-spacing-1">
        <caption className="sr-only">{figure("heat")}</caption>
        <thead>
          <tr className="text-muted-foreground">
            <th scope="col" className="w-12 text-start font-medium sm:w-16">
              <span className="sr-only">{figure("hour")}</span>
            </th>
            {weekdays.map((weekday) => (
              <th key={weekday} scope="col" className="pb-1 font-medium">
                <abbr title={formatWeekday(weekday, "long")} className="no-underline">
                  {formatWeekday(weekday, "short")}
                </abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {callsByHour([...hours]).map(({ hour }) => (
            <tr key={hour}>
              <th scope="row" className="whitespace-nowrap text-start font-normal text-muted-foreground">
                {formatHour(hour)}
              </th>
              {weekdays.map((weekday) => (
                <HeatCell
                  key={weekday}
                  figures={byPlace.get(weekday * 24 + hour)}
                  most={most}
                  range={range}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ReportCard>
  );
}

interface HeatCellProps {
  figures: HourFigures | undefined;
  most: number;
  range: ReportRange;
}

function HeatCell({ figures, most, range }: HeatCellProps) {
  const t = useMessages(metricMessages);
  if (!figures || figures.calls === 0) {
    return (
      <td className="h-8 pointer-coarse:h-11 rounded-sm bg-muted/60 text-center text-muted-foreground">
        <span className="sr-only">0</span>
      </td>
    );
  }
  const { weekday, hour, calls, answered } = figures;
  const name = t("heatCell", {
    weekday: formatWeekday(weekday, "long"),
    hour: formatHour(hour),
    calls: formatNumber(calls),
    answered: formatNumber(answered),
  });
  return (
    <td className="h-8 p-0 text-center pointer-coarse:h-11">
      <DrillDownLink
        rows={callsLink({ range, weekday, hour })}
        aria-label={name}
        title={name}
        className={cn(
          "grid h-8 place-items-center pointer-coarse:h-11 font-medium tabular-nums hover:outline-2 hover:outline-ring",
          levels[Math.ceil((calls * levels.length) / most) - 1],
        )}
      >
        {formatNumber(calls, { notation: "compact" })}
      </DrillDownLink>
    </td>
  );
}

function HeatLegend() {
  const t = useMessages(metricMessages);
  return (
    <p className="flex items-center gap-1.5 text-muted-foreground text-xs">
      {t("fewer")}
      {levels.map((className) => (
        <span key={className} aria-hidden className={cn("size-3 rounded-xs border", className)} />
      ))}
      {t("more")}
    </p>
  );
}
