import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChartColumn, CloudOff } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { errorText } from "../../../lib/errors.ts";
import { useTexts } from "../../../lib/i18n.ts";
import type { Viewer } from "../../../lib/rows.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import type { AnalyticsSearch } from "../analytics-search.ts";
import { analyticsQuery } from "../queries.ts";
import { analyticsTexts } from "../texts.ts";
import { AnalyticsCards } from "./analytics-cards.tsx";
import { DistributionCard } from "./distribution-card.tsx";
import { FrequencyCard } from "./frequency-card.tsx";
import { NeverCalledCard } from "./never-called-card.tsx";

interface AnalyticsViewProps {
  filters: AnalyticsSearch;
  viewer: Viewer;
  onOpenLead: (lead: { id: number; name: string }) => void;
}

/** The figures of the filters as they load, fail, are none, or stand. */
export function AnalyticsView({ filters, viewer, onOpenLead }: AnalyticsViewProps) {
  const t = useTexts(analyticsTexts);
  const found = useQuery({ ...analyticsQuery(filters), placeholderData: keepPreviousData });
  const { data, isPlaceholderData } = found;
  if (!data) {
    if (!found.error) return <AnalyticsSkeleton />;
    return (
      <EmptyState
        icon={CloudOff}
        title={t("failedTitle")}
        description={errorText(found.error, t("failedText"))}
        actions={
          <Button pending={found.isFetching} onClick={() => void found.refetch()}>
            {t("retry")}
          </Button>
        }
      />
    );
  }
  if (data.totalLeads === 0) {
    return (
      <EmptyState
        icon={ChartColumn}
        title={t("emptyTitle")}
        description={t(filters.status ? "emptyFiltered" : "emptyText")}
      />
    );
  }
  return (
    <div
      aria-busy={isPlaceholderData || undefined}
      className={cn("grid grid-cols-[minmax(0,1fr)] gap-4 sm:gap-5", isPlaceholderData && "opacity-60")}
    >
      <AnalyticsCards figures={data} filters={filters} viewer={viewer} />
      <NeverCalledCard figures={data} hasRange={filters.range !== undefined} onOpenLead={onOpenLead} />
      <FrequencyCard figures={data} onOpenLead={onOpenLead} />
      <DistributionCard figures={data} filters={filters} viewer={viewer} />
    </div>
  );
}

function AnalyticsSkeleton() {
  const t = useTexts(analyticsTexts);
  return (
    <div aria-busy="true" className="grid gap-4 sm:gap-5">
      <p role="status" className="sr-only">
        {t("loading")}
      </p>
      <div className="grid grid-cols-2 gap-2 sm:gap-4 lg:grid-cols-4">
        {["a", "b", "c", "d"].map((key) => (
          <Skeleton key={key} className="h-26 rounded-xl" />
        ))}
      </div>
      <Skeleton className="h-72 rounded-xl" />
      <Skeleton className="h-72 rounded-xl" />
    </div>
  );
}
