import type { CalledFilter } from "@portal/contract/routes/all-leads";
import type { CallAnalytics } from "@portal/contract/routes/analytics";
import { Percent, Phone, PhoneCall, PhoneOff, Repeat, Sigma, Users } from "lucide-react";
import { formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { callRows, leadRows, type Viewer } from "../../../lib/rows.ts";
import { FigureCard, FigureCards } from "../../../ui/figure-card.tsx";
import type { AnalyticsSearch } from "../analytics-search.ts";
import { analyticsTexts } from "../texts.ts";

interface AnalyticsCardsProps {
  figures: CallAnalytics;
  filters: AnalyticsSearch;
  viewer: Viewer;
}

const percentOf = (part: number, whole: number) =>
  formatNumber(part / whole, { style: "percent", maximumFractionDigits: 1 });

/** How many leads were called how often; there is at least one lead. */
export function AnalyticsCards({ figures, filters: { range, status }, viewer }: AnalyticsCardsProps) {
  const t = useTexts(analyticsTexts);
  const { totalLeads, neverCalled, called1Time, called3Times, totalCalls } = figures;
  const contacted = totalLeads - neverCalled;
  const rowsOf = (called: CalledFilter) => leadRows(viewer, { status, called, calledIn: range });
  return (
    <div className="grid gap-2 sm:gap-4">
      <FigureCards>
        <FigureCard
          label={t("neverCalled")}
          value={formatNumber(neverCalled)}
          icon={PhoneOff}
          rows={rowsOf("no")}
        />
        <FigureCard
          label={t("calledOnce")}
          value={formatNumber(called1Time)}
          icon={Phone}
          rows={rowsOf("once")}
        />
        <FigureCard
          label={t("calledOften")}
          value={formatNumber(called3Times)}
          icon={PhoneCall}
          rows={rowsOf("often")}
        />
        <FigureCard
          label={t("totalLeads")}
          value={formatNumber(totalLeads)}
          note={t("contacted", { percent: percentOf(contacted, totalLeads) })}
          icon={Users}
          rows={leadRows(viewer, { status })}
        />
      </FigureCards>
      <FigureCards columns={3}>
        <FigureCard
          label={t("contactRate")}
          value={percentOf(contacted, totalLeads)}
          note={t("contactRateHint")}
          icon={Percent}
          rows={rowsOf("yes")}
        />
        <FigureCard
          label={t("followUpRate")}
          value={percentOf(called3Times, totalLeads)}
          note={t("followUpRateHint")}
          icon={Repeat}
          rows={rowsOf("often")}
        />
        <FigureCard
          label={t("averageCalls")}
          value={formatNumber(totalCalls / totalLeads, { maximumFractionDigits: 1 })}
          note={t("averageCallsHint", { count: totalCalls, calls: formatNumber(totalCalls) })}
          icon={Sigma}
          rows={callRows({
            range,
            direction: "outbound",
            leadStatus: status,
            owner: viewer.role === "admin" ? undefined : viewer.id,
          })}
        />
      </FigureCards>
    </div>
  );
}
