import type { CalledFilter } from "@portal/contract/routes/all-leads";
import type { CallAnalytics } from "@portal/contract/routes/analytics";
import { useTexts } from "../../../lib/i18n.ts";
import { leadRows, type Viewer } from "../../../lib/rows.ts";
import { BarList } from "../../../ui/bar-list.tsx";
import { TitledCard } from "../../../ui/titled-card.tsx";
import type { AnalyticsSearch } from "../analytics-search.ts";
import { analyticsTexts } from "../texts.ts";

interface DistributionCardProps {
  figures: CallAnalytics;
  filters: AnalyticsSearch;
  viewer: Viewer;
}

/** All leads by how often they were called, in the colours of the badges. */
export function DistributionCard({ figures, filters: { range, status }, viewer }: DistributionCardProps) {
  const t = useTexts(analyticsTexts);
  const rowsOf = (called: CalledFilter) => leadRows(viewer, { status, called, calledIn: range });
  const { neverCalled, called1Time, called2Times, called3Times } = figures;
  return (
    <TitledCard title={t("distribution")}>
      <BarList
        label={t("distribution")}
        bars={[
          {
            key: "0",
            label: t("neverCalled"),
            count: neverCalled,
            tone: "danger",
            rows: rowsOf("no"),
          },
          { key: "1", label: t("calledOnce"), count: called1Time, tone: "warning", rows: rowsOf("once") },
          { key: "2", label: t("calledTwice"), count: called2Times, tone: "info", rows: rowsOf("twice") },
          { key: "3", label: t("calledOften"), count: called3Times, tone: "success", rows: rowsOf("often") },
        ]}
      />
    </TitledCard>
  );
}
