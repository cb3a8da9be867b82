import { limits } from "@portal/contract/limits";
import { FilterX, Search } from "lucide-react";
import { useTexts } from "../../../lib/i18n.ts";
import { useSearchText } from "../../../lib/use-search-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Input } from "../../../ui/input.tsx";
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

/** Search of the notes, outcome, date range, and Clear, which resets all three. */
export function HistoryToolbar({ filters, onChange }: HistoryToolbarProps) {
  const t = useTexts(historyTexts);
  const outcome = useTexts(outcomeTexts);
  const [typed, setTyped] = useSearchText(filters.search ?? "", (search) =>
    onChange({ ...filters, search: search || undefined }, { replace: true }),
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: React's test environment and browsers older than 2023 do not know <search>.
    <form
      role="search"
      onSubmit={(event) => event.preventDefault()}
      className="flex flex-wrap items-center gap-2"
    >
      <div className="relative min-w-0 grow basis-full sm:basis-64">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted-foreground"
        />
        <Input
          type="search"
          aria-label={t("searchLabel")}
          placeholder={t("searchPlaceholder")}
          maxLength={limits.searchMaxLength}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="pl-9"
        />
      </div>
      <Select<OutcomeFilter | "all">
        aria-label={t("outcomeFilter")}
        className="w-auto min-w-0 flex-1 basis-36 sm:max-w-48"
        value={filters.outcome ?? "all"}
        onValueChange={(value) => onChange({ ...filters, outcome: value === "all" ? undefined : value })}
        options={[
          { value: "all", label: t("allOutcomes") },
          ...filterOutcomes.map((value) => ({ value, label: outcome(value) })),
        ]}
      />
      <Select<RangeFilter | "all">
        aria-label={t("rangeFilter")}
        className="w-auto min-w-0 flex-1 basis-36 sm:max-w-48"
        value={filters.range ?? "all"}
        onValueChange={(value) => onChange({ ...filters, range: value === "all" ? undefined : value })}
        options={[
          { value: "all", label: t("range_all") },
          ...filterRanges.map((value) => ({ value, label: t(`range_${value}`) })),
        ]}
      />
      {hasActiveFilter(filters) || typed.trim() ? (
        <Button
          variant="ghost"
          onClick={() => {
            setTyped("");
            onChange({});
          }}
        >
          <FilterX aria-hidden />
          {t("clear")}
        </Button>
      ) : null}
    </form>
  );
}
