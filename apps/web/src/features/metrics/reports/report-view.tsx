import type { ReportMetric, ReportRange } from "@portal/contract/entities/report";
import { keepPreviousData, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { ArrowDownRight, ArrowRight, ArrowUpRight, Percent, Sprout } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../../../lib/cn.ts";
import { conversionsLink, type DrillDownTarget, previousOf, type Viewer } from "../../../lib/drill-down.ts";
import { formatPercent } from "../../../lib/format-percent.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { TitledCard } from "../../../ui/card.tsx";
import { DrillDownLink } from "../../../ui/drill-down-link.tsx";
import { EmptyState, ListFailed, Skeleton } from "../../../ui/list-states.tsx";
import { StatCard } from "../../../ui/stat-card.tsx";
import { formatChange, trendOf } from "./format-metrics.ts";
import { metricMessages, reportMessages } from "./messages.ts";

interface ReportViewProps<T, K extends readonly unknown[]> {
  query: UseQueryOptions<T, Error, T, K>;
  children: (report: T) => ReactNode;
}

/** A report, or that it is loading or failed; while another range loads the previous report stays, dimmed. */
export function ReportView<T, K extends readonly unknown[]>({ query, children }: ReportViewProps<T, K>) {
  const t = useMessages(reportMessages);
  const found = useQuery({ ...query, placeholderData: keepPreviousData });
  const data = found.data as T | undefined;
  if (data !== undefined) {
    const { isPlaceholderData } = found;
    return (
      <div
        aria-busy={isPlaceholderData || undefined}
        className={cn("grid grid-cols-[minmax(0,1fr)] gap-4 sm:gap-5", isPlaceholderData && "opacity-60")}
      >
        {children(data)}
      </div>
    );
  }
  if (!found.error) return <ReportSkeleton />;
  return <ListFailed found={found} title={t("failedTitle")} />;
}

function ReportSkeleton() {
  const t = useMessages(reportMessages);
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
      <div className="grid gap-4 sm:gap-5 lg:grid-cols-2">
        <Skeleton className="h-64 rounded-xl" />
        <Skeleton className="h-64 rounded-xl" />
      </div>
      <Skeleton className="h-80 rounded-xl" />
    </div>
  );
}

const looks = {
  up: { icon: ArrowUpRight, className: "text-success-text" },
  down: { icon: ArrowDownRight, className: "text-danger-text" },
  level: { icon: ArrowRight, className: "" },
};

interface TrendNoteProps {
  figure: ReportMetric;
  /** Link to the rows of the previous period. */
  rows?: DrillDownTarget | undefined;
}

/** '+12% from last period', or that there is nothing to compare with. */
export function TrendNote({ figure, rows }: TrendNoteProps) {
  const t = useMessages(reportMessages);
  const trend = trendOf(figure);
  if (!trend) return t("noTrend");
  const { icon: Icon, className } = looks[trend.direction];
  return (
    // Above the card's own link, which covers the whole card.
    <DrillDownLink
      rows={rows}
      title={rows && t("trendRows")}
      className={cn("relative z-10 inline-flex items-start gap-1 pointer-coarse:py-2", className)}
    >
      <Icon aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      {t("trend", { change: formatChange(trend.percent) })}
    </DrillDownLink>
  );
}

interface ReportCardProps {
  title: string;
  subtitle?: ReactNode;
  action?: ReactNode;
  /** What fills the part, shown while it has no data. */
  emptyHint?: string | null;
  children: ReactNode;
}

/** One part of a report, with a hint while it has no data. */
export function ReportCard({ emptyHint, action, children, ...card }: ReportCardProps) {
  const t = useMessages(reportMessages);
  if (!emptyHint) {
    return (
      <TitledCard {...card} action={action}>
        {children}
      </TitledCard>
    );
  }
  return (
    <TitledCard {...card}>
      <EmptyState isInside icon={Sprout} title={t("noData")} description={emptyHint} />
    </TitledCard>
  );
}

interface RateCardProps {
  figure: ReportMetric;
  range: ReportRange;
  viewer: Viewer;
}

/** Leads converted in the period, in percent of those created in it. */
export function RateCard({ figure, range, viewer }: RateCardProps) {
  const t = useMessages(metricMessages);
  const previous = previousOf(range);
  const before = previous ? conversionsLink(viewer, previous) : undefined;
  return (
    <StatCard
      label={t("conversionRate")}
      value={
        figure.value === null ? (
          "—"
        ) : (
          <span title={t("conversionRateHint")}>{formatPercent(figure.value)}</span>
        )
      }
      note={figure.value === null ? t("noLeadsToConvert") : <TrendNote figure={figure} rows={before} />}
      icon={Percent}
      rows={conversionsLink(viewer, range)}
    />
  );
}
