import type { ReportMetric, ReportRange } from "@portal/contract/entities/report";
import { ArrowDownRight, ArrowRight, ArrowUpRight, Percent, Sprout } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../../../lib/cn.ts";
import { conversionsLink, type DrillDownTarget, previousOf, type Viewer } from "../../../lib/drill-down.ts";
import { formatPercent } from "../../../lib/format-percent.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { TitledCard } from "../../../ui/card.tsx";
import { DrillDownLink } from "../../../ui/drill-down-link.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { StatCard } from "../../../ui/stat-card.tsx";
import { formatChange, trendOf } from "./format-metrics.ts";
import { metricMessages, reportMessages } from "./messages.ts";

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
