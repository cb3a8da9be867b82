import type { LeadsReport as Report, ReportRange } from "@portal/contract/entities/report";
import { Timer, Trophy, UserPlus } from "lucide-react";
import { conversionsLink, leadsLink, previousOf, type Viewer } from "../../../lib/drill-down.ts";
import { formatNumber } from "../../../lib/format.ts";
import { formatPercent, percentagesOf } from "../../../lib/format-percent.ts";
import { messagesOf, useMessages } from "../../../lib/i18n.ts";
import { DrillDownLink } from "../../../ui/drill-down-link.tsx";
import { MetricsTable } from "../../../ui/metrics-table.tsx";
import { StatCard, StatCards } from "../../../ui/stat-card.tsx";
import { formatSpan, funnelStatuses } from "./format-metrics.ts";
import { metricMessages, reportMessages } from "./messages.ts";
import { leadsQuery } from "./queries.ts";
import { FirstCallBars, StatusBars } from "./report-bars.tsx";
import { RateCard, ReportCard, ReportView, TrendNote } from "./report-view.tsx";

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

/** Sources of the period's leads, and how many of each became clients. */
function SourcesCard({ report, viewer }: { report: Report; viewer: Viewer }) {
  const t = useMessages(reportMessages);
  const figure = useMessages(metricMessages);
  const rows = sourceRows(report);
  const created = report.period.range;
  const most = Math.max(1, ...rows.map(({ leads }) => leads));
  const leadsOf = ({ source }: SourceRow, status?: "converted") => {
    if (source === undefined) return leadsLink(viewer, { sources: "others", created });
    return leadsLink(viewer, { source, created, status });
  };
  return (
    <ReportCard
      title={figure("sources")}
      subtitle={created === "all" ? null : figure("ofCreated")}
      emptyHint={rows.length === 0 ? t("noDataLeads") : null}
    >
      <MetricsTable
        caption={figure("sources")}
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          {
            key: "source",
            label: figure("source"),
            cell: (row) => (
              <span className="grid min-w-36 gap-1.5">
                <DrillDownLink rows={leadsOf(row)}>{row.name}</DrillDownLink>
                <span aria-hidden className="block h-1.5 max-w-64 rounded-full bg-muted">
                  <span
                    className="block h-full min-w-1 rounded-full bg-primary"
                    style={{ width: `${(row.leads * 100) / most}%` }}
                  />
                </span>
              </span>
            ),
          },
          {
            key: "leads",
            label: figure("leads"),
            isNumber: true,
            cell: (row) => <DrillDownLink rows={leadsOf(row)}>{formatNumber(row.leads)}</DrillDownLink>,
          },
          {
            key: "percent",
            label: figure("percent"),
            isNumber: true,
            cell: ({ share }) => formatPercent(share, { inColumn: true }),
          },
          {
            key: "converted",
            label: figure("converted"),
            isNumber: true,
            cell: (row) =>
              row.converted === null ? (
                "—"
              ) : (
                <DrillDownLink rows={row.converted === 0 ? undefined : leadsOf(row, "converted")}>
                  {formatNumber(row.converted)}
                </DrillDownLink>
              ),
          },
        ]}
      />
    </ReportCard>
  );
}

interface SourceRow {
  key: string;
  name: string;
  /** The source as stored; null for none, undefined for all others together. */
  source: string | null | undefined;
  leads: number;
  share: number;
  /** Null if unknown. */
  converted: number | null;
}

/** The sources with their percentage of all leads; all others together come last. */
export function sourceRows({ sources, otherSources }: Report): SourceRow[] {
  const t = messagesOf(metricMessages);
  const rows: Omit<SourceRow, "share">[] = sources.map(({ source, ...counted }) => ({
    key: source === null ? "none" : `of ${source}`,
    name: source ?? t("noSource"),
    source,
    ...counted,
  }));
  if (otherSources > 0) {
    const others = { name: t("otherSources"), source: undefined, leads: otherSources, converted: null };
    rows.push({ key: "others", ...others });
  }
  const shares = percentagesOf(rows.map(({ leads }) => leads));
  return rows.map((row, index) => ({ ...row, share: shares[index] ?? 0 }));
}
