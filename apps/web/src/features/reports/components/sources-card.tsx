import type { LeadsReport } from "@portal/contract/entities/report";
import { formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { leadRows, type Viewer } from "../../../lib/rows.ts";
import { FigureTable } from "../../../ui/figure-table.tsx";
import { RowsLink } from "../../../ui/rows-link.tsx";
import { formatPercent } from "../format-figures.ts";
import { type SourceRow, sourceRows } from "../source-rows.ts";
import { figureTexts, reportTexts } from "../texts.ts";
import { ReportCard } from "./report-card.tsx";

/** Where the period's leads came from, and how many of each became clients. */
export function SourcesCard({ report, viewer }: { report: LeadsReport; viewer: Viewer }) {
  const t = useTexts(reportTexts);
  const figure = useTexts(figureTexts);
  const rows = sourceRows(report);
  const created = report.period.range;
  const most = Math.max(1, ...rows.map(({ leads }) => leads));
  const leadsOf = ({ source }: SourceRow, status?: "converted") => {
    if (source === undefined) return leadRows(viewer, { sources: "others", created });
    return leadRows(viewer, { source, created, status });
  };
  return (
    <ReportCard title={figure("sources")} emptyHint={rows.length === 0 ? t("noDataLeads") : null}>
      <FigureTable
        caption={figure("sources")}
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          {
            key: "source",
            label: figure("source"),
            cell: (row) => (
              <span className="grid min-w-36 gap-1.5">
                <RowsLink rows={leadsOf(row)}>{row.name}</RowsLink>
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
            cell: (row) => <RowsLink rows={leadsOf(row)}>{formatNumber(row.leads)}</RowsLink>,
          },
          {
            key: "percent",
            label: figure("percent"),
            isNumber: true,
            cell: ({ share }) => formatPercent(share),
          },
          {
            key: "converted",
            label: figure("converted"),
            isNumber: true,
            cell: (row) =>
              row.converted === null ? (
                "—"
              ) : (
                <RowsLink rows={row.converted === 0 ? undefined : leadsOf(row, "converted")}>
                  {formatNumber(row.converted)}
                </RowsLink>
              ),
          },
        ]}
      />
    </ReportCard>
  );
}
