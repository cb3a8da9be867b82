import { limits } from "@portal/contract/limits";
import { useTexts } from "../../../lib/i18n.ts";
import { useSearchText } from "../../../lib/use-search-text.ts";
import { FilterBar, filterSelectClasses } from "../../../ui/filter-bar.tsx";
import { Select } from "../../../ui/select.tsx";
import { outcomeTexts } from "../../call-dialog/texts.ts";
import {
  filterOutcomes,
  filterRanges,
  type HistorySearch,
  hasActiveFilter,
  type OutcomeFilter,
  type RangeFilter,
} from "../history-filters.ts";
import { historyTexts } from "../texts.ts";

interface HistoryToolbarProps {
  filters: HistorySearch;
  onChange: (filters: HistorySearch, options?: { replace?: boolean }) => void;
}

/** Search of the notes, outcome, date range, and Clear, which resets all three and what a report's link brought. */
export function HistoryToolbar({ filters, onChange }: HistoryToolbarProps) {
  const t = useTexts(historyTexts);
  const outcome = useTexts(outcomeTexts);
  const [typed, setTyped] = useSearchText(filters.search ?? "", (search) =>
    onChange({ ...filters, search: search || undefined }, { replace: true }),
  );
  // Reports open others than those to be picked.
  const outcomes = [...new Set<OutcomeFilter>([...filterOutcomes, filters.outcome ?? "answered"])];
  const ranges = [...new Set<RangeFilter>([...filterRanges, filters.range ?? "today"])];
  const clear = () => {
    setTyped("");
    onChange({});
  };
  return (
    <FilterBar
      search={typed}
      onSearch={setTyped}
      searchLabel={t("searchLabel")}
      searchPlaceholder={t("searchPlaceholder")}
      maxLength={limits.searchMaxLength}
      clearLabel={t("clear")}
      onClear={hasActiveFilter(filters) || typed.trim() ? clear : null}
    >
      <Select<OutcomeFilter | "all">
        aria-label={t("outcomeFilter")}
        className={filterSelectClasses}
        value={filters.outcome ?? "all"}
        onValueChange={(value) => onChange({ ...filters, outcome: value === "all" ? undefined : value })}
        options={[
          { value: "all", label: t("allOutcomes") },
          ...outcomes.map((value) => ({ value, label: value === "none" ? t("noOutcome") : outcome(value) })),
        ]}
      />
      <Select<RangeFilter | "all">
        aria-label={t("rangeFilter")}
        className={filterSelectClasses}
        value={filters.range ?? "all"}
        onValueChange={(value) => onChange({ ...filters, range: value === "all" ? undefined : value })}
        options={[
          { value: "all", label: t("range_all") },
          ...ranges.map((value) => ({ value, label: t(`range_${value}`) })),
        ]}
      />
    </FilterBar>
  );
}
