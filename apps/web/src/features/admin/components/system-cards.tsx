import { useQuery } from "@tanstack/react-query";
import { Phone, TrendingUp, UserCheck, Users } from "lucide-react";
import { useTexts } from "../../../lib/i18n.ts";
import { FigureCard, FigureCards } from "../../../ui/figure-card.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { systemStatsQuery } from "../queries.ts";
import { formatCount, formatRate } from "../spanish-format.ts";
import { monitorTexts } from "../texts.ts";
import { FigureTip } from "./figure-tip.tsx";
import { ReadPart } from "./read-part.tsx";

const skeleton = (
  <div className="grid grid-cols-2 gap-2 sm:gap-4 lg:grid-cols-4">
    {["a", "b", "c", "d"].map((key) => (
      <Skeleton key={key} className="h-26 rounded-xl" />
    ))}
  </div>
);

/** Figures of the whole system (specification §2, Admin panel). */
export function SystemCards() {
  const t = useTexts(monitorTexts);
  const found = useQuery(systemStatsQuery());
  return (
    <ReadPart found={found} skeleton={skeleton}>
      {(stats) => (
        <FigureCards>
          <FigureCard
            icon={Users}
            label={t("totalUsers")}
            value={formatCount(stats.totalUsers)}
            note={
              <>
                {t("activeNow", { count: stats.activeUsers, n: formatCount(stats.activeUsers) })}{" "}
                <FigureTip figure={t("online")}>{t("how_active")}</FigureTip>
              </>
            }
          />
          <FigureCard
            icon={UserCheck}
            label={t("processed")}
            value={formatCount(stats.leadsProcessedToday)}
            note={
              <>
                {t("ofTotal", { n: formatCount(stats.totalLeads) })}{" "}
                <FigureTip figure={t("processed")}>{t("how_processed")}</FigureTip>
              </>
            }
          />
          <FigureCard
            icon={Phone}
            label={t("calls")}
            value={formatCount(stats.totalCalls)}
            note={
              <>
                {t("callsNote")} <FigureTip figure={t("calls")}>{t("how_calls")}</FigureTip>
              </>
            }
          />
          <FigureCard
            icon={TrendingUp}
            label={t("conversionRate")}
            value={
              <>
                {formatRate(stats.conversionRate)}{" "}
                <FigureTip figure={t("conversionRate")}>{t("how_conversionRate")}</FigureTip>
              </>
            }
            note={
              <>
                {t("avgProductivity", { n: formatRate(stats.avgProductivity) })}{" "}
                <FigureTip figure={t("productivity")}>{t("how_productivity")}</FigureTip>
              </>
            }
          />
        </FigureCards>
      )}
    </ReadPart>
  );
}
