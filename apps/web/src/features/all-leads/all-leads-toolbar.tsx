import { type LeadStatus, type Priority, priorities } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { allLeadSorts, assignmentFilters } from "@portal/contract/routes/all-leads";
import { useMessages } from "../../lib/i18n.ts";
import { leadLabelMessages } from "../../lib/lead-label-messages.ts";
import { useSearchText } from "../../lib/use-search-text.ts";
import { FilterBar, filterSelectClasses } from "../../ui/filter-bar.tsx";
import { Select } from "../../ui/select.tsx";
import {
  type AllLeadsSearch,
  type Assignment,
  hasActiveFilter,
  type LeadSort,
  offeredStatuses,
} from "./all-leads-search.ts";
import { allLeadsMessages } from "./messages.ts";

interface AllLeadsToolbarProps {
  filters: AllLeadsSearch;
  onChange: (filters: AllLeadsSearch, options?: { replace?: boolean }) => void;
}

/** Search, the three filters, the order on a phone, and the way out. */
export function AllLeadsToolbar({ filters, onChange }: AllLeadsToolbarProps) {
  const t = useMessages(allLeadsMessages);
  const label = useMessages(leadLabelMessages);
  const [typed, setTyped] = useSearchText(filters.search ?? "", (search) =>
    onChange({ ...filters, search: search || undefined }, { replace: true }),
  );
  const clear = () => {
    setTyped("");
    onChange({ sort: filters.sort });
  };
  const offered = offeredStatuses.find((status) => status === filters.status);
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
      <Select<LeadStatus | "all">
        aria-label={t("statusFilter")}
        className={filterSelectClasses}
        value={offered ?? "all"}
        onValueChange={(status) => onChange({ ...filters, status: status === "all" ? undefined : status })}
        options={[
          { value: "all", label: t("allStatuses") },
          ...offeredStatuses.map((value) => ({ value, label: label(value) })),
        ]}
      />
      <Select<Priority | "all">
        aria-label={t("priorityFilter")}
        className={filterSelectClasses}
        value={filters.priority ?? "all"}
        onValueChange={(priority) =>
          onChange({ ...filters, priority: priority === "all" ? undefined : priority })
        }
        options={[
          { value: "all", label: t("allPriorities") },
          ...priorities.map((value) => ({ value, label: label(value) })),
        ]}
      />
      <Select<Assignment | "all">
        aria-label={t("assignmentFilter")}
        className={filterSelectClasses}
        value={filters.assignment ?? "all"}
        onValueChange={(assignment) =>
          onChange({ ...filters, assignment: assignment === "all" ? undefined : assignment })
        }
        options={assignmentFilters.map((value) => ({ value, label: t(`assignment_${value}`) }))}
      />
      <Select<LeadSort>
        aria-label={t("sort")}
        className={`${filterSelectClasses} lg:hidden`}
        value={filters.sort ?? "newest"}
        onValueChange={(sort) => onChange({ ...filters, sort: sort === "newest" ? undefined : sort })}
        options={allLeadSorts.map((value) => ({ value, label: t(`sort_${value}`) }))}
      />
    </FilterBar>
  );
}
