import type { CallsReport as Report, ReportRange } from "@portal/contract/entities/report";
import { Clock, Percent, PhoneCall, Timer } from "lucide-react";
import { callsLink, previousOf } from "../../../lib/drill-down.ts";
import { formatDuration, formatNumber } from "../../../lib/format.ts";
import { formatPercent } from "../../../lib/format-percent.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { BarList } from "../../../ui/bar-list.tsx";
import { DrillDownLink } from "../../../ui/drill-down-link.tsx";
import { StatCard, StatCards } from "../../../ui/stat-card.tsx";
import { CallsChart } from "./calls-chart.tsx";
import { callsByHour, formatHour, minutesOf } from "./format-metrics.ts";
import { HeatCard } from "./heat-card.tsx";
import { metricMessages, reportMessages } from "./messages.ts";
import { callsQuery } from "./queries.ts";
import { OutcomeBars } from "./report-bars.tsx";
import { ReportCard, TrendNote } from "./report-card.tsx";
import { ReportView } from "./report-view.tsx";

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
