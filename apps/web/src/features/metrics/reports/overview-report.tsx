import type { OverviewReport as Report, ReportRange } from "@portal/contract/entities/report";
import { Clock, PhoneCall, PhoneIncoming } from "lucide-react";
import { callsLink, previousOf, type Viewer } from "../../../lib/drill-down.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { StatCard, StatCards } from "../../../ui/stat-card.tsx";
import { ActivityChart } from "./activity-chart.tsx";
import { minutesOf } from "./format-metrics.ts";
import { metricMessages } from "./messages.ts";
import { shownStatuses } from "./metric-values.ts";
import { overviewQuery } from "./queries.ts";
import { OutcomeBars, StatusBars } from "./report-bars.tsx";
import { RateCard, TrendNote } from "./report-card.tsx";
import { ReportView } from "./report-view.tsx";

interface ReportProps {
  range: ReportRange;
  viewer: Viewer;
}

/** Report type `overview`: what was recorded of this page, with true figures. */
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
