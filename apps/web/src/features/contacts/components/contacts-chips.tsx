import { anyRep } from "@portal/contract/entities/fields";
import { useQuery } from "@tanstack/react-query";
import { formatDay } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { salesRepsQuery } from "../../../lib/sales-reps-query.ts";
import { type FilterChip, FilterChips } from "../../../ui/filter-chips.tsx";
import type { ContactsSearch } from "../contacts-search.ts";
import { contactsTexts } from "../texts.ts";

interface ContactsChipsProps {
  filters: ContactsSearch;
  onChange: (filters: ContactsSearch) => void;
}

/** The filters that reports and figures open, each to be taken off. */
export function ContactsChips({ filters, onChange }: ContactsChipsProps) {
  const t = useTexts(contactsTexts);
  const { range, day, until, rep } = filters;
  const { data: reps } = useQuery({ ...salesRepsQuery(), enabled: rep !== undefined });
  const chips: FilterChip[] = [];
  const add = (key: string, label: string, without: ContactsSearch) =>
    chips.push({ key, label, onRemove: () => onChange({ ...filters, ...without }) });

  if (range) add("range", t(`chipRange_${range}`), { range: undefined });
  if (day) {
    const label = until
      ? t("chipDays", { day: formatDay(day), until: formatDay(until) })
      : t("chipDay", { day: formatDay(day) });
    add("day", label, { day: undefined, until: undefined });
  }
  if (rep) {
    const name = rep === anyRep ? t("anybody") : reps?.find(({ id }) => id === rep)?.name;
    add("rep", name ? t("chipRep", { name }) : t("chipRepNumber", { id: rep }), { rep: undefined });
  }
  return <FilterChips label={t("chips")} chips={chips} />;
}
