import { useQuery } from "@tanstack/react-query";
import { CalendarCheck, CircleDollarSign, Percent, Sigma, Users } from "lucide-react";
import type { ReactNode } from "react";
import { formatMoney, formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import type { RowsAddress } from "../../../lib/rows.ts";
import { FigureCard, FigureCards } from "../../../ui/figure-card.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { clientStatsQuery } from "../queries.ts";
import { contactsTexts } from "../texts.ts";

const clients = (search: Record<string, string> = {}): RowsAddress => ({ to: "/contacts", search });

/** The figures of all clients (specification §2, Contact Lists); each shows its rows. */
export function ClientFigures() {
  const t = useTexts(contactsTexts);
  const { data, isError } = useQuery(clientStatsQuery());
  const figure = (text: string | undefined): ReactNode => {
    if (text !== undefined) {
      // Millions to the cent stay in one line.
      const size = text.length > 12 ? "text-base sm:text-lg" : "";
      return <span className={`wrap-anywhere ${size}`}>{text}</span>;
    }
    if (!isError) return <Skeleton className="my-1 h-6 w-16" />;
    return (
      <span title={t("statsFailed")}>
        <span aria-hidden>–</span>
        <span className="sr-only">{t("statsFailed")}</span>
      </span>
    );
  };
  return (
    <FigureCards columns={5}>
      <FigureCard
        label={t("totalClients")}
        value={figure(data && formatNumber(data.totalClients))}
        icon={Users}
        rows={clients()}
      />
      <FigureCard
        label={t("thisMonth")}
        value={figure(data && formatNumber(data.thisMonth))}
        icon={CalendarCheck}
        rows={data && clients({ day: data.monthStart, until: lastDayOf(data.monthStart) })}
      />
      <FigureCard
        label={t("totalValue")}
        value={figure(data && formatMoney(data.totalValue))}
        icon={CircleDollarSign}
        rows={clients({ sort: "value" })}
      />
      <FigureCard
        label={t("averageValue")}
        value={figure(data && formatMoney(data.averageValue))}
        icon={Sigma}
        rows={clients({ sort: "value" })}
      />
      <FigureCard
        label={t("conversionRate")}
        value={figure(data && formatRate(data.conversionRate))}
        icon={Percent}
        rows={{ to: "/all-leads", search: { status: "converted" } }}
      />
    </FigureCards>
  );
}

function formatRate(percent: number | null): string {
  if (percent === null) return "—";
  return formatNumber(percent / 100, { style: "percent", maximumFractionDigits: 1 });
}

/** The last day of the month that begins on `day`. */
function lastDayOf(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + 1, 0);
  return at.toISOString().slice(0, 10);
}
