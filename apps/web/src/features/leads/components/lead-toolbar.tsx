import { limits } from "@portal/contract/limits";
import { Suspense } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { leadLabelMessages } from "../../../lib/lead-label-messages.ts";
import { useSearchText } from "../../../lib/use-search-text.ts";
import { FilterBar, filterSelectClasses } from "../../../ui/filter-bar.tsx";
import { Select } from "../../../ui/select.tsx";
import {
  filterPriorities,
  filterStatuses,
  hasActiveFilter,
  type LeadFilters,
  type PriorityFilter,
  type StatusFilter,
  withoutFilters,
} from "../lead-filters.ts";
import { leadsMessages } from "../messages.ts";

const ListControls = lateComponent(() => import("./list-controls.tsx"));

/** As wide as what comes, so that nothing moves when it is there. */
const controlsRoom = <div className="h-9 w-79 sm:w-105 pointer-coarse:h-11" />;

interface LeadToolbarProps {
  /** What comes late comes after the leads. */
  areLeadsRead: boolean;
  filters: LeadFilters;
  onChange: (filters: LeadFilters, options?: { replace?: boolean }) => void;
}

/** Search, the two recorded filters, those that came with the list, and the way out of them. */
export function LeadToolbar({ areLeadsRead, filters, onChange }: LeadToolbarProps) {
  const t = useMessages(leadsMessages);
  const label = useMessages(leadLabelMessages);
  const [typed, setTyped] = useSearchText(filters.search ?? "", (search) =>
    onChange({ ...filters, search: search || undefined }, { replace: true }),
  );
  const clear = () => {
    setTyped("");
    onChange(withoutFilters(filters));
  };
  return (
    <FilterBar
      search={typed}
      onSearch={setTyped}
      searchLabel={t("searchLabel")}
      searchPlaceholder={t("searchPlaceholder")}
      maxLength={limits.searchMaxLength}
      clearLabel={t("clearFilters")}
      onClear={hasActiveFilter(filters) || typed.trim() ? clear : null}
    >
      <Select<StatusFilter | "all">
        aria-label={t("statusFilter")}
        className={filterSelectClasses}
        value={filters.status ?? "all"}
        onValueChange={(status) => onChange({ ...filters, status: status === "all" ? undefined : status })}
        options={[
          { value: "all", label: t("allStatuses") },
          ...filterStatuses.map((value) => ({ value, label: label(value) })),
        ]}
      />
      <Select<PriorityFilter | "all">
        aria-label={t("priorityFilter")}
        className={filterSelectClasses}
        value={filters.priority ?? "all"}
        onValueChange={(priority) =>
          onChange({ ...filters, priority: priority === "all" ? undefined : priority })
        }
        options={[
          { value: "all", label: t("allPriorities") },
          ...filterPriorities.map((value) => ({ value, label: label(value) })),
        ]}
      />
      <Suspense fallback={controlsRoom}>
        {areLeadsRead ? <ListControls filters={filters} onChange={onChange} /> : controlsRoom}
      </Suspense>
    </FilterBar>
  );
}
