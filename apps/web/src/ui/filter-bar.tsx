import { limits } from "@portal/contract/limits";
import { FilterX, Search } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";
import { useSearchText } from "../lib/use-search-text.ts";
import { Button } from "./button.tsx";
import { Input } from "./input.tsx";
import { Select } from "./select.tsx";

/** Classes of a select in a filter bar. */
export const filterSelectClasses = "w-auto min-w-0 flex-1 basis-36 sm:max-w-48";

interface FilterBarProps {
  search: string;
  onSearch: (typed: string) => void;
  searchLabel: string;
  searchPlaceholder: string;
  maxLength: number;
  /** Clears all filters; null if there are none. */
  clearLabel: string;
  onClear: (() => void) | null;
  /** The other filters. */
  children: ReactNode;
}

/** Search, filters and a button that clears them, above a list. */
export function FilterBar(props: FilterBarProps) {
  const { search, onSearch, searchLabel, searchPlaceholder, maxLength, clearLabel, onClear, children } =
    props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: React's test environment and browsers older than 2023 do not support <search>.
    <form
      role="search"
      onSubmit={(event) => event.preventDefault()}
      className="@container flex flex-wrap items-center gap-2 max-sm:[html[data-is-list]_&]:flex-nowrap max-sm:gap-x-1.5"
    >
      <div className="max-sm:[html[data-is-list]_&]:basis-2/5 max-sm:[html[data-is-list]_&]:focus-within:shrink-0 max-sm:[html[data-is-list]_&]:focus-within:basis-3/4 relative min-w-0 grow basis-full sm:basis-48">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted-foreground"
        />
        <Input
          type="search"
          aria-label={searchLabel}
          placeholder={searchPlaceholder}
          maxLength={maxLength}
          value={search}
          onChange={(event) => onSearch(event.target.value)}
          className="pl-9"
        />
      </div>
      {/* On phones, above a list of lines, filters are in a scrolling line beside the search. */}
      <div className="max-sm:[html[data-is-list]_&]:-m-1 relative contents max-sm:[html[data-is-list]_&]:flex max-sm:[html[data-is-list]_&]:grow max-sm:[html[data-is-list]_&]:basis-3/5 max-sm:[html[data-is-list]_&]:gap-2 max-sm:[html[data-is-list]_&]:contain-inline-size max-sm:[html[data-is-list]_&]:overflow-x-auto max-sm:[html[data-is-list]_&]:p-1 max-sm:[html[data-is-list]_&]:*:shrink-0">
        {children}
        {onClear ? (
          <Button
            variant="ghost"
            title={clearLabel}
            className="@min-[58rem]:@max-[75rem]:size-9 @min-[58rem]:@max-[75rem]:px-0"
            onClick={onClear}
          >
            <FilterX aria-hidden />
            {/* Only the icon where the filters fill their line. */}
            <span className="@min-[58rem]:@max-[75rem]:sr-only">{clearLabel}</span>
          </Button>
        ) : null}
      </div>
    </form>
  );
}

interface ListFilterBarProps<F> {
  /** The filters in the address. */
  filters: F;
  /** Typing replaces the history entry, a selection adds one. */
  onChange: (filters: F, options?: { replace?: boolean }) => void;
  /** The filters after clearing; null if nothing is filtered. */
  cleared: F | null;
  words: Pick<FilterBarProps, "searchLabel" | "searchPlaceholder" | "clearLabel">;
  children: ReactNode;
}

/** The filters of a list, stored in its address, with its search. */
export function ListFilterBar<F extends { search?: string | undefined }>(props: ListFilterBarProps<F>) {
  const { filters, onChange, cleared, words, children } = props;
  const [typed, setTyped] = useSearchText(filters.search ?? "", (search) =>
    onChange({ ...filters, search: search || undefined }, { replace: true }),
  );
  const clear = () => {
    setTyped("");
    onChange(cleared ?? { ...filters, search: undefined });
  };
  return (
    <FilterBar
      {...words}
      search={typed}
      onSearch={setTyped}
      maxLength={limits.searchMaxLength}
      onClear={cleared || typed.trim() ? clear : null}
    >
      {children}
    </FilterBar>
  );
}

interface FilterSelectProps<V extends string> {
  label: string;
  value: V | undefined;
  /** The value that means no filter. */
  none: V | "all";
  options: readonly { value: V | "all"; label: string }[];
  onChange: (value: V | undefined) => void;
  className?: string;
}

/** One filter, or the order, of a list, stored in its address. */
export function FilterSelect<V extends string>(props: FilterSelectProps<V>) {
  const { label, value, none, options, onChange, className } = props;
  return (
    <Select<V | "all">
      aria-label={label}
      className={cn(filterSelectClasses, className)}
      value={value ?? none}
      onValueChange={(next) => onChange(next === none || next === "all" ? undefined : next)}
      options={options}
    />
  );
}
