import { type LeadStatus, type Priority, priorities } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { allLeadSorts, assignmentFilters, listAllLeads } from "@portal/contract/routes/all-leads";
import { useMessages } from "../../lib/i18n.ts";
import { leadLabelMessages } from "../../lib/lead-label-messages.ts";
import { useSearchText } from "../../lib/use-search-text.ts";
import { FilterBar, filterSelectClasses } from "../../ui/filter-bar.tsx";
import { Select } from "../../ui/select.tsx";
import { FilterMenu } from "../leads/components/filter-menu.tsx";
import LeadColumnsMenu from "../leads/rows/lead-columns-menu.tsx";
import { ListTools } from "../saved-views/list-tools.tsx";
import {
  type AllLeadsSearch,
  type Assignment,
  allLeadsQuery,
  hasActiveFilter,
  type LeadSort,
  offeredStatuses,
  parseAllLeadsSearch,
} from "./all-leads-search.ts";
import { allLeadsMessages } from "./messages.ts";

interface AllLeadsToolbarProps {
  filters: AllLeadsSearch;
  /** The leads stand as rows of one line, whose heads sort. */
  isList: boolean;
  onChange: (filters: AllLeadsSearch, options?: { replace?: boolean }) => void;
}

/** Search, the three recorded filters, the order on a phone, those by the work on a lead, views and layout, and the way out. */
export function AllLeadsToolbar({ filters, isList, onChange }: AllLeadsToolbarProps) {
  const t = useMessages(allLeadsMessages);
  const label = useMessages(leadLabelMessages);
  const [typed, setTyped] = useSearchText(filters.search ?? "", (search) =>
    onChange({ ...filters, search: search || undefined }, { replace: true }),
  );
  const clear = () => {
    setTyped("");
    onChange({ sort: filters.sort, columns: filters.columns });
  };
  // The other orders are those of column heads and of the menu.
  const recordedSort = allLeadSorts.find((sort) => sort === (filters.sort ?? "newest"));
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
      {isList || recordedSort === undefined ? null : (
        <Select<LeadSort>
          aria-label={t("sort")}
          className={`${filterSelectClasses} lg:hidden`}
          value={recordedSort}
          onValueChange={(sort) => onChange({ ...filters, sort: sort === "newest" ? undefined : sort })}
          options={allLeadSorts.map((value) => ({ value, label: t(`sort_${value}`) }))}
        />
      )}
      <FilterMenu filters={filters} onChange={(changed) => onChange({ ...filters, ...changed })} />
      <ListTools
        page="all-leads"
        listPath={listAllLeads.path}
        recorded="table"
        query={allLeadsQuery(filters)}
        inAddress={filters.columns}
        onOpen={(search) => onChange(parseAllLeadsSearch(search))}
        columnsMenu={
          <LeadColumnsMenu
            page="all-leads"
            inAddress={filters.columns}
            onForget={() => onChange({ ...filters, columns: undefined })}
          />
        }
      />
    </FilterBar>
  );
}
