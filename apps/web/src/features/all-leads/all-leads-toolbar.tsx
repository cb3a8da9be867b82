import { type LeadStatus, type Priority, priorities } from "@portal/contract/entities/lead";
import { allLeadSorts, assignmentFilters, listAllLeads } from "@portal/contract/routes/all-leads";
import { useMessages } from "../../lib/i18n.ts";
import { leadLabelMessages } from "../../lib/lead-label-messages.ts";
import { withoutFilters } from "../../lib/list-address.ts";
import { FilterSelect, ListFilterBar } from "../../ui/filter-bar.tsx";
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
  /** Single-line rows, whose column heads sort except on a phone. */
  isList: boolean;
  onChange: (filters: AllLeadsSearch, options?: { replace?: boolean }) => void;
}

/** Search, filters, order (on a phone), views, layout and Clear Filters. */
export function AllLeadsToolbar({ filters, isList, onChange }: AllLeadsToolbarProps) {
  const t = useMessages(allLeadsMessages);
  const label = useMessages(leadLabelMessages);
  // Other orders are set by column heads and the menu.
  const recordedSort = allLeadSorts.find((sort) => sort === (filters.sort ?? "newest"));
  const offered = offeredStatuses.find((status) => status === filters.status);
  return (
    <ListFilterBar
      filters={filters}
      onChange={onChange}
      cleared={hasActiveFilter(filters) ? withoutFilters(filters) : null}
      words={{
        searchLabel: t("searchLabel"),
        searchPlaceholder: t("searchPlaceholder"),
        clearLabel: t("clearFilters"),
      }}
    >
      <FilterSelect<LeadStatus>
        label={t("statusFilter")}
        value={offered}
        none="all"
        onChange={(status) => onChange({ ...filters, status })}
        options={[
          { value: "all", label: t("allStatuses") },
          ...offeredStatuses.map((value) => ({ value, label: label(value) })),
        ]}
      />
      <FilterSelect<Priority>
        label={t("priorityFilter")}
        value={filters.priority}
        none="all"
        onChange={(priority) => onChange({ ...filters, priority })}
        options={[
          { value: "all", label: t("allPriorities") },
          ...priorities.map((value) => ({ value, label: label(value) })),
        ]}
      />
      <FilterSelect<Assignment>
        label={t("assignmentFilter")}
        value={filters.assignment}
        none="all"
        onChange={(assignment) => onChange({ ...filters, assignment })}
        options={assignmentFilters.map((value) => ({ value, label: t(`assignment_${value}`) }))}
      />
      {recordedSort === undefined ? null : (
        <FilterSelect<LeadSort>
          label={t("sort")}
          className={isList ? "sm:hidden" : "lg:hidden"}
          value={recordedSort}
          none="newest"
          onChange={(sort) => onChange({ ...filters, sort })}
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
    </ListFilterBar>
  );
}
