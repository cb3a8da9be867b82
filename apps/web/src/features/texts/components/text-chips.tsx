import { anyRep } from "@portal/contract/entities/fields";
import { useQuery } from "@tanstack/react-query";
import { formatDay } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { salesRepsQuery } from "../../../lib/sales-reps-query.ts";
import { type FilterChip, FilterChips } from "../../../ui/filter-chips.tsx";
import { textListTexts } from "../texts.ts";
import type { TextsSearch } from "../texts-search.ts";

interface TextChipsProps {
  filters: TextsSearch;
  onChange: (filters: TextsSearch) => void;
}

/** What a report's figure asked for, each to be taken off. */
export function TextChips({ filters, onChange }: TextChipsProps) {
  const t = useTexts(textListTexts);
  const { range, day, until, rep, direction } = filters;
  const { data: reps } = useQuery({ ...salesRepsQuery(), enabled: rep !== undefined });
  const chips: FilterChip[] = [];
  const add = (key: string, label: string, without: TextsSearch) =>
    chips.push({ key, label, onRemove: () => onChange({ ...filters, ...without }) });

  if (range) add("range", t(`range_${range}`), { range: undefined });
  if (day) {
    const days = until ? t("days", { from: formatDay(day), to: formatDay(until) }) : formatDay(day);
    add("day", days, { day: undefined, until: undefined });
  }
  if (rep) {
    const name = rep === anyRep ? t("anybody") : reps?.find(({ id }) => id === rep)?.name;
    add("rep", name ? t("rep", { name }) : t("repNumber", { id: rep }), { rep: undefined });
  }
  if (direction) add("direction", t(direction), { direction: undefined });
  return <FilterChips label={t("filters")} chips={chips} />;
}
