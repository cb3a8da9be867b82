import type { LeadsReport } from "@portal/contract/entities/report";
import { leadsLink, type Viewer } from "../../../lib/drill-down.ts";
import { formatNumber } from "../../../lib/format.ts";
import { formatPercent, percentagesOf } from "../../../lib/format-percent.ts";
import { messagesOf, useMessages } from "../../../lib/i18n.ts";
import { DrillDownLink } from "../../../ui/drill-down-link.tsx";
import { MetricsTable } from "../../../ui/metrics-table.tsx";
import { metricMessages, reportMessages } from "./messages.ts";
import { ReportCard } from "./report-card.tsx";

/** Sources of the period's leads, and how many of each became clients. */
export function SourcesCard({ report, viewer }: { report: LeadsReport; viewer: Viewer }) {
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
export function sourceRows({ sources, otherSources }: LeadsReport): SourceRow[] {
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
