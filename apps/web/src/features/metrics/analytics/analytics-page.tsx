import { type LeadStatus, leadStatuses } from "@portal/contract/entities/lead";
import type { CalledFilter } from "@portal/contract/routes/all-leads";
import { type CallAnalytics, getCallAnalytics } from "@portal/contract/routes/analytics";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ChartColumn, Percent, Phone, PhoneCall, PhoneOff, Repeat, Sigma, Users } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { callsLink, leadsLink, type Viewer } from "../../../lib/drill-down.ts";
import { formatNumber } from "../../../lib/format.ts";
import { formatMean, formatPercent } from "../../../lib/format-percent.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { leadLabelMessages } from "../../../lib/lead-label-messages.ts";
import { currentUserQuery, routeQuery } from "../../../lib/query-client.ts";
import { BarList } from "../../../ui/bar-list.tsx";
import { TitledCard } from "../../../ui/card.tsx";
import { EmptyState, ListFailed, Skeleton } from "../../../ui/list-states.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Select } from "../../../ui/select.tsx";
import { StatCard, StatCards } from "../../../ui/stat-card.tsx";
import { FrequencyCard, NeverCalledCard } from "./lead-cards.tsx";
import { analyticsMessages } from "./messages.ts";

/** Call Analytics: how often leads were called, and which to call next. */
export function AnalyticsPage() {
  const t = useMessages(analyticsMessages);
  const { data: viewer } = useQuery(currentUserQuery());
  const filters = parseAnalyticsSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  function change(next: AnalyticsSearch): void {
    void navigate({ to: ".", search: { ...filters, ...next }, resetScroll: false });
  }
  if (!viewer) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:gap-5">
      <PageHeader
        title={t("title")}
        subtitle={t(viewer.role === "admin" ? "scopeEveryone" : "scopeOwn")}
        actions={<Filters filters={filters} onChange={change} />}
      />
      <AnalyticsView filters={filters} viewer={viewer} />
    </div>
  );
}

interface FiltersProps {
  filters: AnalyticsSearch;
  onChange: (next: AnalyticsSearch) => void;
}

function Filters({ filters, onChange }: FiltersProps) {
  const t = useMessages(analyticsMessages);
  const status = useMessages(leadLabelMessages);
  return (
    <>
      <Select<(typeof analyticsRanges)[number]>
        aria-label={t("rangeFilter")}
        className="w-auto min-w-40"
        value={filters.range ?? "all"}
        onValueChange={(value) => onChange({ range: value === "all" ? undefined : value })}
        options={analyticsRanges.map((value) => ({ value, label: t(`range_${value}`) }))}
      />
      <Select<(typeof leadStatuses)[number] | "all">
        aria-label={t("statusFilter")}
        className="w-auto min-w-40"
        value={filters.status ?? "all"}
        onValueChange={(value) => onChange({ status: value === "all" ? undefined : value })}
        options={[
          { value: "all", label: t("allStatuses") },
          ...leadStatuses.map((value) => ({ value, label: status(value) })),
        ]}
      />
    </>
  );
}

interface AnalyticsViewProps {
  filters: AnalyticsSearch;
  viewer: Viewer;
}

/** The figures of the filters, or that they are loading, failed or none. */
function AnalyticsView({ filters, viewer }: AnalyticsViewProps) {
  const t = useMessages(analyticsMessages);
  const found = useQuery({ ...analyticsQuery(filters), placeholderData: keepPreviousData });
  const { data, isPlaceholderData } = found;
  if (!data) {
    if (!found.error) return <AnalyticsSkeleton />;
    return <ListFailed found={found} title={t("failedTitle")} />;
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
      <NeverCalledCard figures={data} hasRange={filters.range !== undefined} />
      <FrequencyCard figures={data} />
      <DistributionCard figures={data} filters={filters} viewer={viewer} />
    </div>
  );
}

function AnalyticsSkeleton() {
  const t = useMessages(analyticsMessages);
  return (
    <div aria-busy="true" className="grid gap-4 sm:gap-5">
      <p role="status" className="sr-only">
        {t("loading")}
      </p>
      <div className="grid gap-2 sm:gap-4">
        <div className="grid grid-cols-2 gap-2 sm:gap-4 lg:grid-cols-4">
          {["a", "b", "c", "d"].map((key) => (
            <Skeleton key={key} className="h-25 rounded-xl sm:h-28" />
          ))}
        </div>
        <div className="grid gap-2 sm:grid-cols-3 sm:gap-4">
          {["a", "b", "c"].map((key) => (
            <Skeleton key={key} className="h-25 rounded-xl sm:h-28" />
          ))}
        </div>
      </div>
      <Skeleton className="h-72 rounded-xl" />
      <Skeleton className="h-72 rounded-xl" />
    </div>
  );
}

/** Figures of the filters, fetched on every mount and kept up to date by live events. */
function analyticsQuery({ range, status }: AnalyticsSearch) {
  return {
    ...routeQuery(getCallAnalytics, { query: { ...(range && { range }), ...(status && { status }) } }),
    staleTime: 0,
  };
}

interface DistributionCardProps {
  figures: CallAnalytics;
  filters: AnalyticsSearch;
  viewer: Viewer;
}

/** All leads by number of calls, in the colours of the badges. */
function DistributionCard({ figures, filters: { range, status }, viewer }: DistributionCardProps) {
  const t = useMessages(analyticsMessages);
  const rowsOf = (called: CalledFilter) => leadsLink(viewer, { status, called, calledIn: range });
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

interface AnalyticsCardsProps {
  figures: CallAnalytics;
  filters: AnalyticsSearch;
  viewer: Viewer;
}

const percentOf = (part: number, whole: number) => formatPercent((part * 100) / whole);

/** How many leads were called how often; requires at least one lead. */
function AnalyticsCards({ figures, filters: { range, status }, viewer }: AnalyticsCardsProps) {
  const t = useMessages(analyticsMessages);
  const { totalLeads, neverCalled, called1Time, called3Times, totalCalls } = figures;
  const contacted = totalLeads - neverCalled;
  const rowsOf = (called: CalledFilter) => leadsLink(viewer, { status, called, calledIn: range });
  return (
    <div className="grid gap-2 sm:gap-4">
      <StatCards>
        <StatCard
          label={t("neverCalled")}
          value={formatNumber(neverCalled)}
          icon={PhoneOff}
          rows={rowsOf("no")}
        />
        <StatCard
          label={t("calledOnce")}
          value={formatNumber(called1Time)}
          icon={Phone}
          rows={rowsOf("once")}
        />
        <StatCard
          label={t("calledOften")}
          value={formatNumber(called3Times)}
          icon={PhoneCall}
          rows={rowsOf("often")}
        />
        <StatCard
          label={t("totalLeads")}
          value={formatNumber(totalLeads)}
          note={t("contacted", { percent: percentOf(contacted, totalLeads) })}
          icon={Users}
          rows={leadsLink(viewer, { status })}
        />
      </StatCards>
      <StatCards columns={3}>
        <StatCard
          label={t("contactRate")}
          value={percentOf(contacted, totalLeads)}
          note={t("contactRateHint")}
          icon={Percent}
          rows={rowsOf("yes")}
        />
        <StatCard
          label={t("followUpRate")}
          value={percentOf(called3Times, totalLeads)}
          note={t("followUpRateHint")}
          icon={Repeat}
          rows={rowsOf("often")}
        />
        <StatCard
          label={t("averageCalls")}
          value={formatMean(totalCalls / totalLeads)}
          note={t("averageCallsHint", { count: totalCalls, calls: formatNumber(totalCalls) })}
          icon={Sigma}
          rows={callsLink({
            range,
            direction: "outbound",
            leadStatus: status,
            owner: viewer.role === "admin" ? undefined : viewer.id,
          })}
        />
      </StatCards>
    </div>
  );
}

const analyticsRanges = ["all", "today", "week", "month"] as const;

type AnalyticsRange = (typeof analyticsRanges)[number];

/** Filters of the call analytics in the address; absent ones mean all. */
interface AnalyticsSearch {
  readonly range?: Exclude<AnalyticsRange, "all"> | undefined;
  readonly status?: LeadStatus | undefined;
}

/** Parses the address; unknown values are dropped. */
function parseAnalyticsSearch(search: Record<string, unknown>): AnalyticsSearch {
  const range = analyticsRanges.find((known) => known === search.range);
  return {
    range: range === "all" ? undefined : range,
    status: leadStatuses.find((status) => status === search.status),
  };
}
