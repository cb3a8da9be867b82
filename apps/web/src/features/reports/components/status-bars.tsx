import type { LeadsReport, ReportRange } from "@portal/contract/entities/report";
import { useTexts } from "../../../lib/i18n.ts";
import { leadLabelTexts } from "../../../lib/lead-label-texts.ts";
import { statusTones } from "../../../lib/lead-tones.ts";
import { leadRows, type Viewer } from "../../../lib/rows.ts";
import { BarList } from "../../../ui/bar-list.tsx";
import { reportTexts } from "../texts.ts";
import { ReportCard } from "./report-card.tsx";

interface StatusBarsProps {
  title: string;
  statuses: LeadsReport["statuses"];
  range: ReportRange;
  viewer: Viewer;
}

/** The period's leads by the state they have now, with percents of them all. */
export function StatusBars({ title, statuses, range, viewer }: StatusBarsProps) {
  const t = useTexts(reportTexts);
  const name = useTexts(leadLabelTexts);
  return (
    <ReportCard
      title={title}
      emptyHint={statuses.every(({ leads }) => leads === 0) ? t("noDataLeads") : null}
    >
      <BarList
        label={title}
        bars={statuses.map(({ status, leads }) => ({
          key: status,
          label: name(status),
          count: leads,
          tone: statusTones[status],
          rows: leadRows(viewer, { status, created: range }),
        }))}
      />
    </ReportCard>
  );
}
