import { useQuery } from "@tanstack/react-query";
import { CalendarCheck, CircleDollarSign, Percent, Sigma, Users } from "lucide-react";
import type { DrillDownTarget } from "../../../lib/drill-down.ts";
import { formatMoney, formatNumber } from "../../../lib/format.ts";
import { formatPercent } from "../../../lib/format-percent.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { StatCard, StatCards } from "../../../ui/stat-card.tsx";
import { StatStrip } from "../../../ui/stat-strip.tsx";
import { type ContactsSearch, hasActiveFilter } from "../contacts-search.ts";
import { contactsMessages } from "../messages.ts";
import { clientStatsQuery } from "../queries.ts";

const clients = (search: Record<string, string> = {}): DrillDownTarget => ({ to: "/contacts", search });

/** Figures of all clients, each with a link to its rows. */
export function ClientStats() {
  const t = useMessages(contactsMessages);
  const { data, isError } = useQuery(clientStatsQuery());
  const failure = isError && t("statsFailed");
  return (
    <StatCards columns={5} isLoading={!data && !isError}>
      <StatCard
        label={t("totalClients")}
        value={data && formatNumber(data.totalClients)}
        failure={failure}
        icon={Users}
        rows={clients()}
      />
      <StatCard
        label={t("thisMonth")}
        value={data && formatNumber(data.thisMonth)}
        failure={failure}
        icon={CalendarCheck}
        rows={data && clients({ day: data.monthStart, until: lastDayOf(data.monthStart) })}
      />
      <StatCard
        label={t("totalValue")}
        value={data && formatMoney(data.totalValue)}
        failure={failure}
        icon={CircleDollarSign}
        rows={clients({ sort: "value" })}
      />
      <StatCard
        label={t("averageValue")}
        value={data && formatMoney(data.averageValue)}
        failure={failure}
        icon={Sigma}
        rows={clients({ sort: "value" })}
      />
      <StatCard
        label={t("conversionRate")}
        value={data && (data.conversionRate === null ? "—" : formatPercent(data.conversionRate))}
        failure={failure}
        icon={Percent}
        rows={{ to: "/all-leads", search: { status: "converted" } }}
      />
    </StatCards>
  );
}

interface ClientStripProps {
  filters: ContactsSearch;
  onChange: (filters: ContactsSearch) => void;
}

/** The figures in one line above single-line rows; the counts filter the list. */
export function ClientStrip({ filters, onChange }: ClientStripProps) {
  const t = useMessages(contactsMessages);
  const found = useQuery(clientStatsQuery());
  const { data, isError } = found;
  const { sort, columns, ...query } = filters;
  const month = data && { day: data.monthStart, until: lastDayOf(data.monthStart) };
  const isMonth = month !== undefined && query.day === month.day && query.until === month.until;
  return (
    <StatStrip
      label={t("figures")}
      failed={!data && isError && { found, text: t("statsFailed") }}
      figures={[
        {
          label: t("totalClients"),
          value: data && formatNumber(data.totalClients),
          isOn: !hasActiveFilter(filters),
          onPress: () => onChange({ sort, columns }),
        },
        {
          label: t("thisMonth"),
          value: data && formatNumber(data.thisMonth),
          isOn: isMonth,
          onPress: () => onChange({ ...(!isMonth && month), sort, columns }),
        },
        { label: t("totalValue"), value: data && formatMoney(data.totalValue) },
        { label: t("averageValue"), value: data && formatMoney(data.averageValue) },
        {
          label: t("conversionRate"),
          value: data && (data.conversionRate === null ? "—" : formatPercent(data.conversionRate)),
        },
      ]}
    />
  );
}

/** The last day of the month that begins on `day`. */
function lastDayOf(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + 1, 0);
  return at.toISOString().slice(0, 10);
}
