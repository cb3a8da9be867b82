import type { CallsReport as Report, ReportRange } from "@portal/contract/entities/report";
import { Clock, Percent, PhoneCall, Timer } from "lucide-react";
import { formatDuration, formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { callRows, previousOf } from "../../../lib/rows.ts";
import { BarList } from "../../../ui/bar-list.tsx";
import { FigureCard, FigureCards } from "../../../ui/figure-card.tsx";
import { formatPercent, minutesOf } from "../format-figures.ts";
import { callsQuery } from "../queries.ts";
import { figureTexts, reportTexts } from "../texts.ts";
import { HeatCard } from "./heat-card.tsx";
import { HoursChart } from "./hours-chart.tsx";
import { OutcomeBars } from "./outcome-bars.tsx";
import { ReportCard } from "./report-card.tsx";
import { ReportView } from "./report-view.tsx";
import { TrendNote } from "./trend-note.tsx";

/** Report type `calls`: when one calls, and when one reaches somebody. */
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
  const t = useTexts(figureTexts);
  const { range } = report.period;
  const answered = callRows({ range, outcome: "answered" });
  const previous = previousOf(range);
  const callsBefore = previous ? callRows({ range: previous }) : undefined;
  const answeredBefore = previous ? callRows({ range: previous, outcome: "answered" }) : undefined;
  const { value: average } = report.averageTalkSeconds;
  return (
    <FigureCards>
      <FigureCard
        label={t("totalCalls")}
        value={formatNumber(report.totalCalls.value ?? 0)}
        note={<TrendNote figure={report.totalCalls} rows={callsBefore} />}
        icon={PhoneCall}
        rows={callRows({ range })}
      />
      <FigureCard
        label={t("contactRate")}
        value={report.contactRate.value === null ? "—" : formatPercent(report.contactRate.value)}
        note={<TrendNote figure={report.contactRate} rows={answeredBefore} />}
        icon={Percent}
        rows={answered}
      />
      <FigureCard
        label={t("talkTime")}
        value={t("minutes", { minutes: formatNumber(minutesOf(report.talkSeconds.value ?? 0)) })}
        note={<TrendNote figure={report.talkSeconds} rows={callsBefore} />}
        icon={Clock}
        rows={callRows({ range })}
      />
      <FigureCard
        label={t("averageTalk")}
        value={average === null ? "—" : <span title={t("averageTalkHint")}>{formatDuration(average)}</span>}
        note={<TrendNote figure={report.averageTalkSeconds} rows={answeredBefore} />}
        icon={Timer}
        rows={answered}
      />
    </FigureCards>
  );
}

function Directions({ report: { outbound, inbound, period } }: { report: Report }) {
  const t = useTexts(reportTexts);
  const figure = useTexts(figureTexts);
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
          rows: callRows({ range, direction }),
        }))}
      />
    </ReportCard>
  );
}
