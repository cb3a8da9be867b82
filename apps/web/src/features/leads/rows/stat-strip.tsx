import { useQuery } from "@tanstack/react-query";
import { formatNumber } from "../../../lib/format.ts";
import { defineMessages, useMessages } from "../../../lib/i18n.ts";
import { withoutFilters } from "../../../lib/list-address.ts";
import { StatStrip as Strip, StripOpener } from "../../../ui/stat-strip.tsx";
import { hasActiveFilter, type LeadFilters } from "../lead-search.ts";
import { leadsMessages } from "../messages.ts";
import { dashboardStatsQuery, needsOutcomeQuery } from "../queries.ts";

const stripMessages = defineMessages("stat-strip", {
  label: ["Figures", "Cifras"],
  needsOutcome: ["Needs outcome", "Falta resultado"],
});

interface StatStripProps {
  filters: LeadFilters;
  onChange: (filters: LeadFilters) => void;
  areOutcomesOpen: boolean;
  onOutcomes: (isOpen: boolean) => void;
}

/** The tiles of the page in one line: each filters the list, a second click shows all leads. Calls without an outcome open below. */
export default function StatStrip({ filters, onChange, areOutcomesOpen, onOutcomes }: StatStripProps) {
  const t = useMessages(leadsMessages);
  const own = useMessages(stripMessages);
  const found = useQuery(dashboardStatsQuery());
  const { data, isError } = found;
  const { data: logs } = useQuery(needsOutcomeQuery());
  const waiting = logs?.filter(({ confirmed }) => !confirmed).length ?? 0;
  const all = withoutFilters(filters);
  const figures = [
    { label: t("totalLeads"), value: data?.totalLeads, isOn: !hasActiveFilter(filters), filters: all },
    {
      label: t("contactedToday"),
      value: data?.contactedToday,
      isOn: filters.lastContact === "today",
      filters: { ...all, lastContact: "today" } as const,
    },
    {
      label: t("followUpDates"),
      value: data?.pendingFollowUp,
      isOn: filters.followUp === "any",
      filters: { ...all, followUp: "any", sort: "follow_up" } as const,
    },
  ];
  return (
    <Strip
      label={own("label")}
      failed={!data && isError && { found, text: t("statsFailed") }}
      figures={figures.map(({ label, value, isOn, filters: wanted }) => ({
        label,
        value: value === undefined ? undefined : formatNumber(value),
        isOn,
        onPress: () => onChange(isOn ? all : wanted),
      }))}
    >
      {waiting > 0 || areOutcomesOpen ? (
        <StripOpener
          label={own("needsOutcome")}
          count={waiting}
          tone="warning"
          isOpen={areOutcomesOpen}
          onPress={() => onOutcomes(!areOutcomesOpen)}
        />
      ) : null}
    </Strip>
  );
}
