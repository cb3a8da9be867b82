import type { CalledFilter } from "@portal/contract/routes/all-leads";
import type { CallAnalytics } from "@portal/contract/routes/analytics";
import { Percent, Phone, PhoneCall, PhoneOff, Repeat, Sigma, Users } from "lucide-react";
import { callsLink, leadsLink, type Viewer } from "../../../lib/drill-down.ts";
import { formatNumber } from "../../../lib/format.ts";
import { formatMean, formatPercent } from "../../../lib/format-percent.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { StatCard, StatCards } from "../../../ui/stat-card.tsx";
import type { AnalyticsSearch } from "./analytics-search.ts";
import { analyticsMessages } from "./messages.ts";

interface AnalyticsCardsProps {
  figures: CallAnalytics;
  filters: AnalyticsSearch;
  viewer: Viewer;
}

const percentOf = (part: number, whole: number) => formatPercent((part * 100) / whole);

/** How many leads were called how often; requires at least one lead. */
export function AnalyticsCards({ figures, filters: { range, status }, viewer }: AnalyticsCardsProps) {
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
