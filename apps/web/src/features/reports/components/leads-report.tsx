import type { LeadsReport as Report, ReportRange } from "@portal/contract/entities/report";
import { Timer, Trophy, UserPlus } from "lucide-react";
import { formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { conversionRows, leadRows, previousOf, type Viewer } from "../../../lib/rows.ts";
import { FigureCard, FigureCards } from "../../../ui/figure-card.tsx";
import { formatSpan } from "../format-figures.ts";
import { leadsQuery } from "../queries.ts";
import { funnelStatuses } from "../shown-figures.ts";
import { figureTexts } from "../texts.ts";
import { FirstCallBars } from "./first-call-bars.tsx";
import { RateCard } from "./rate-card.tsx";
import { ReportView } from "./report-view.tsx";
import { SourcesCard } from "./sources-card.tsx";
import { StatusBars } from "./status-bars.tsx";
import { TrendNote } from "./trend-note.tsx";

interface LeadsReportProps {
  range: ReportRange;
  viewer: Viewer;
}

/** Report type `leads`: where the period's leads came from, how far they got, how soon they were called. */
export function LeadsReport({ range, viewer }: LeadsReportProps) {
  const t = useTexts(figureTexts);
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
  const t = useTexts(figureTexts);
  const { range } = report.period;
  const previous = previousOf(range);
  const { medianSeconds, called, neverCalled } = report.firstCall;
  return (
    <FigureCards>
      <FigureCard
        label={t("newLeads")}
        value={formatNumber(report.leadsCreated.value ?? 0)}
        note={
          <TrendNote
            figure={report.leadsCreated}
            rows={previous ? leadRows(viewer, { created: previous }) : undefined}
          />
        }
        icon={UserPlus}
        rows={leadRows(viewer, { created: range })}
      />
      <FigureCard
        label={t("conversions")}
        value={formatNumber(report.conversions.value ?? 0)}
        note={
          <TrendNote
            figure={report.conversions}
            rows={previous ? conversionRows(viewer, previous) : undefined}
          />
        }
        icon={Trophy}
        rows={conversionRows(viewer, range)}
      />
      <RateCard figure={report.conversionRate} range={range} viewer={viewer} />
      <FigureCard
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
        rows={leadRows(viewer, { created: range, called: "yes" })}
      />
    </FigureCards>
  );
}
