import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { formatNumber } from "../../../lib/format.ts";
import { defineMessages, useMessages } from "../../../lib/i18n.ts";
import { hasActiveFilter, type LeadFilters, withoutFilters } from "../lead-filters.ts";
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

const part =
  "inline-flex h-8 shrink-0 items-center gap-1.5 rounded-md px-1.5 text-muted-foreground text-xs hover:bg-muted pointer-coarse:h-11 [&_b]:font-semibold [&_b]:text-foreground [&_b]:text-sm [&_b]:tabular-nums";
const pressed =
  "aria-pressed:bg-primary-soft aria-pressed:text-primary-text aria-pressed:[&_b]:text-primary-text";

/** The tiles of the page in one line: each shows its leads, pressed once more all of them. Calls without an outcome open below. */
export default function StatStrip({ filters, onChange, areOutcomesOpen, onOutcomes }: StatStripProps) {
  const t = useMessages(leadsMessages);
  const own = useMessages(stripMessages);
  const { data } = useQuery(dashboardStatsQuery());
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
    <section
      aria-label={own("label")}
      className="flex min-w-0 items-center gap-x-1 max-sm:-m-1 max-sm:w-[calc(100%+0.5rem)] max-sm:overflow-x-auto max-sm:p-1 sm:flex-wrap"
    >
      {figures.map(({ label, value, isOn, filters: wanted }) => (
        <button
          key={label}
          type="button"
          aria-pressed={isOn}
          className={cn(part, pressed)}
          onClick={() => onChange(isOn ? all : wanted)}
        >
          <b>{value === undefined ? "–" : formatNumber(value)}</b> {label}
        </button>
      ))}
      {waiting > 0 || areOutcomesOpen ? (
        <button
          type="button"
          aria-expanded={areOutcomesOpen}
          className={cn(part, "bg-warning-soft text-warning-text [&_b]:text-warning-text")}
          onClick={() => onOutcomes(!areOutcomesOpen)}
        >
          <b>{formatNumber(waiting)}</b> {own("needsOutcome")}
          <ChevronDown aria-hidden className={cn("size-3.5", areOutcomesOpen && "rotate-180")} />
        </button>
      ) : null}
    </section>
  );
}
