import { Suspense } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { leadLabelMessages } from "../../../lib/lead-label-messages.ts";
import { withoutFilters } from "../../../lib/list-address.ts";
import { FilterSelect, ListFilterBar } from "../../../ui/filter-bar.tsx";
import {
  filterPriorities,
  filterStatuses,
  hasActiveFilter,
  type LeadFilters,
  type PriorityFilter,
  type StatusFilter,
} from "../lead-search.ts";
import { leadsMessages } from "../messages.ts";

const ListControls = lateComponent(() => import("./list-controls.tsx"));

/** With the width of the controls, so that nothing moves when they load. */
const controlsRoom = <div className="h-9 w-79 sm:w-105 pointer-coarse:h-11" />;

interface LeadToolbarProps {
  /** The late controls load after the leads. */
  areLeadsRead: boolean;
  filters: LeadFilters;
  onChange: (filters: LeadFilters, options?: { replace?: boolean }) => void;
}

/** Search, the two recorded filters, further controls, and Clear Filters. */
export function LeadToolbar({ areLeadsRead, filters, onChange }: LeadToolbarProps) {
  const t = useMessages(leadsMessages);
  const label = useMessages(leadLabelMessages);
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
      <FilterSelect<StatusFilter>
        label={t("statusFilter")}
        value={filters.status}
        none="all"
        onChange={(status) => onChange({ ...filters, status })}
        options={[
          { value: "all", label: t("allStatuses") },
          ...filterStatuses.map((value) => ({ value, label: label(value) })),
        ]}
      />
      <FilterSelect<PriorityFilter>
        label={t("priorityFilter")}
        value={filters.priority}
        none="all"
        onChange={(priority) => onChange({ ...filters, priority })}
        options={[
          { value: "all", label: t("allPriorities") },
          ...filterPriorities.map((value) => ({ value, label: label(value) })),
        ]}
      />
      <Suspense fallback={controlsRoom}>
        {areLeadsRead ? <ListControls filters={filters} onChange={onChange} /> : controlsRoom}
      </Suspense>
    </ListFilterBar>
  );
}
