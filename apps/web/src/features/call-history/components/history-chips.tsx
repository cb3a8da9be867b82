import { anyRep } from "@portal/contract/entities/fields";
import { useQuery } from "@tanstack/react-query";
import { formatDay, formatHour, formatWeekday } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { leadLabelTexts } from "../../../lib/lead-label-texts.ts";
import { salesRepsQuery } from "../../../lib/sales-reps-query.ts";
import { type FilterChip, FilterChips } from "../../../ui/filter-chips.tsx";
import { historyChipTexts } from "../chip-texts.ts";
import type { HistorySearch } from "../history-filters.ts";

interface HistoryChipsProps {
  filters: HistorySearch;
  onChange: (filters: HistorySearch) => void;
}

/** The filters that reports open, each to be taken off: 'Mon 2:00 PM–3:00 PM' is one. */
export function HistoryChips({ filters, onChange }: HistoryChipsProps) {
  const t = useTexts(historyChipTexts);
  const status = useTexts(leadLabelTexts);
  const { day, until, weekday, hour, rep, direction, owner, leadStatus } = filters;
  const { data: reps } = useQuery({ ...salesRepsQuery(), enabled: rep !== undefined || owner !== undefined });
  const nameOf = (userId: number) => reps?.find(({ id }) => id === userId)?.name;
  const chips: FilterChip[] = [];
  const add = (key: string, label: string, without: HistorySearch) =>
    chips.push({ key, label, onRemove: () => onChange({ ...filters, ...without }) });

  if (day) {
    const days = until ? t("days", { from: formatDay(day), to: formatDay(until) }) : formatDay(day);
    add("day", days, { day: undefined, until: undefined });
  }
  const hours = hour === undefined ? null : { from: formatHour(hour), to: formatHour(hour + 1) };
  if (weekday && hours) {
    const slot = t("slot", { weekday: formatWeekday(weekday), ...hours });
    add("slot", slot, { weekday: undefined, hour: undefined });
  } else if (weekday) add("weekday", formatWeekday(weekday), { weekday: undefined });
  else if (hours) add("hour", t("hours", hours), { hour: undefined });
  if (rep) {
    const name = rep === anyRep ? t("anybody") : nameOf(rep);
    add("rep", name ? t("rep", { name }) : t("repNumber", { id: rep }), { rep: undefined });
  }
  if (direction) add("direction", t(direction), { direction: undefined });
  if (owner) {
    const name = nameOf(owner);
    add("owner", name ? t("owner", { name }) : t("ownerNumber", { id: owner }), { owner: undefined });
  }
  if (leadStatus)
    add("leadStatus", t("leadStatus", { status: status(leadStatus) }), { leadStatus: undefined });
  return <FilterChips label={t("label")} chips={chips} />;
}
