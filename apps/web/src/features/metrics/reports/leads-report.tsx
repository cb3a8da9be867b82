import type { LeadsReport as Report, ReportRange } from "@portal/contract/entities/report";
import { Timer, Trophy, UserPlus } from "lucide-react";
import { conversionsLink, leadsLink, previousOf, type Viewer } from "../../../lib/drill-down.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { StatCard, StatCards } from "../../../ui/stat-card.tsx";
import { formatSpan, funnelStatuses } from "./format-metrics.ts";
import { metricMessages } from "./messages.ts";
import { leadsQuery } from "./queries.ts";
import { FirstCallBars, StatusBars } from "./report-bars.tsx";
import { RateCard, TrendNote } from "./report-card.tsx";
import { ReportView } from "./report-view.tsx";
import { SourcesCard } from "./sources-card.tsx";

interface LeadsReportProps {
  range: ReportRange;
  viewer: Viewer;
}

/** Report type `leads`: sources, statuses and first calls of the leads created in the period. */
export function LeadsReport({ range, viewer }: LeadsReportProps) {
  const t = useMessages(metricMessages);
  return (
    <ReportView query={leadsQuery(range)}>
      {(report) => (
        <>
          <LeadCards report={report} viewer={viewer} />
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:gap-5 lg:grid-cols-2">
            <StatusBars
              title={t("statusFunnel")}
              statuses={funnelStatuses(report.statuses)}
              range={report.period.range}
              viewer={viewer}
            />
            <FirstCallBars firstCall={report.firstCall} range={report.period.range} viewer={viewer} />
          </div>
          <SourcesCard report={report} viewer={viewer} />
        </>
      )}
    </ReportView>
  );
}

function LeadCards({ report, viewer }: { report: Report; viewer: Viewer }) {
  const t = useMessages(metricMessages);
  const { range } = report.period;
  const previous = previousOf(range);
  const { medianSeconds, called, neverCalled } = report.firstCall;
  return (
    <StatCards>
      <StatCard
        label={t("newLeads")}
        value={formatNumber(report.leadsCreated.value ?? 0)}
        note={
          <TrendNote
            figure={report.leadsCreated}
            rows={previous ? leadsLink(viewer, { created: previous }) : undefined}
          />
        }
        icon={UserPlus}
        rows={leadsLink(viewer, { created: range })}
      />
      <StatCard
        label={t("conversions")}
        value={formatNumber(report.conversions.value ?? 0)}
        note={
          <TrendNote
            figure={report.conversions}
            rows={previous ? conversionsLink(viewer, previous) : undefined}
          />
        }
        icon={Trophy}
        rows={conversionsLink(viewer, range)}
      />
      <RateCard figure={report.conversionRate} range={range} viewer={viewer} />
      <StatCard
        label={t("firstCallMedian")}
        value={medianSeconds === null ? "—" : formatSpan(medianSeconds)}
        note={
          called === 0
            ? t("firstCallNone")
            : t("firstCallHint", {
                called: formatNumber(called),
                total: formatNumber(called + neverCalled),
              })
        }
        icon={Timer}
        rows={leadsLink(viewer, { created: range, called: "yes" })}
      />
    </StatCards>
  );
}
