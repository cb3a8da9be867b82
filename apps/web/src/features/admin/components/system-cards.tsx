import { useQuery } from "@tanstack/react-query";
import { Phone, TrendingUp, UserCheck, Users } from "lucide-react";
import { useMessages } from "../../../lib/i18n.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { StatCard, StatCards } from "../../../ui/stat-card.tsx";
import { formatCount, formatRate } from "../format-spanish.ts";
import { monitorMessages } from "../messages.ts";
import { systemStatsQuery } from "../queries.ts";
import { MetricTip } from "./metric-tip.tsx";
import { ReadPart } from "./read-part.tsx";

const skeleton = (
  <div className="grid grid-cols-2 gap-2 sm:gap-4 lg:grid-cols-4">
    {["a", "b", "c", "d"].map((key) => (
      <Skeleton key={key} className="h-26 rounded-xl" />
    ))}
  </div>
);

/** Figures of the whole system. */
export function SystemCards() {
  const t = useMessages(monitorMessages);
  const found = useQuery(systemStatsQuery());
  return (
    <ReadPart found={found} skeleton={skeleton}>
      {(stats) => (
        <StatCards>
          <StatCard
            icon={Users}
            label={t("totalUsers")}
            value={formatCount(stats.totalUsers)}
            note={
              <>
                {t("activeNow", { count: stats.activeUsers, n: formatCount(stats.activeUsers) })}{" "}
                <MetricTip figure={t("online")}>{t("how_active")}</MetricTip>
              </>
            }
          />
          <StatCard
            icon={UserCheck}
            label={t("processed")}
            value={formatCount(stats.leadsProcessedToday)}
            note={
              <>
                {t("ofTotal", { n: formatCount(stats.totalLeads) })}{" "}
                <MetricTip figure={t("processed")}>{t("how_processed")}</MetricTip>
              </>
            }
          />
          <StatCard
            icon={Phone}
            label={t("calls")}
            value={formatCount(stats.totalCalls)}
            note={
              <>
                {t("callsNote")} <MetricTip figure={t("calls")}>{t("how_calls")}</MetricTip>
              </>
            }
          />
          <StatCard
            icon={TrendingUp}
            label={t("conversionRate")}
            value={
              <>
                {formatRate(stats.conversionRate)}{" "}
                <MetricTip figure={t("conversionRate")}>{t("how_conversionRate")}</MetricTip>
              </>
            }
            note={
              <>
                {t("avgProductivity", { n: formatRate(stats.avgProductivity) })}{" "}
                <MetricTip figure={t("productivity")}>{t("how_productivity")}</MetricTip>
              </>
            }
          />
        </StatCards>
      )}
    </ReadPart>
  );
}
