import { type TimeSource, timeSources } from "@portal/contract/entities/call";
import { anyRep } from "@portal/contract/entities/fields";
import { listCallLogs } from "@portal/contract/routes/calls";
import { useQuery } from "@tanstack/react-query";
import { formatDay, formatHour, formatWeekday } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { leadLabelMessages } from "../../lib/lead-label-messages.ts";
import { withoutFilters } from "../../lib/list-address.ts";
import { salesRepsQuery } from "../../lib/shared-queries.ts";
import { type FilterChip, FilterChips } from "../../ui/chip.tsx";
import { ColumnsMenu } from "../../ui/columns-menu.tsx";
import { FilterSelect, ListFilterBar } from "../../ui/filter-bar.tsx";
import { ListTools } from "../saved-views/list-tools.tsx";
import { outcomeMessages } from "../telephony/call/messages.ts";
import {
  filterOutcomes,
  filterRanges,
  type HistorySearch,
  hasActiveFilter,
  historyQuery,
  type OutcomeFilter,
  parseHistorySearch,
  type RangeFilter,
} from "./history-search.ts";
import { firstLogColumns, logColumnKeys, logColumnLabels } from "./log-columns.tsx";
import { historyChipMessages, historyMessages } from "./messages.ts";

interface HistoryToolbarProps {
  filters: HistorySearch;
  onChange: (filters: HistorySearch, options?: { replace?: boolean }) => void;
}

/** Search in notes, filters, views, layout, and Clear, which also resets filters set by reports. */
export function HistoryToolbar({ filters, onChange }: HistoryToolbarProps) {
  const t = useMessages(historyMessages);
  const outcome = useMessages(outcomeMessages);
  // Reports may set values that are not offered otherwise.
  const outcomes = [...new Set<OutcomeFilter>([...filterOutcomes, filters.outcome ?? "answered"])];
  const ranges = [...new Set<RangeFilter>([...filterRanges, filters.range ?? "today"])];
  const labels = logColumnLabels(t);
  return (
    <ListFilterBar
      filters={filters}
      onChange={onChange}
      cleared={hasActiveFilter(filters) ? withoutFilters(filters) : null}
      words={{
        searchLabel: t("searchLabel"),
        searchPlaceholder: t("searchPlaceholder"),
        clearLabel: t("clear"),
      }}
    >
      <FilterSelect<OutcomeFilter>
        label={t("outcomeFilter")}
        value={filters.outcome}
        none="all"
        onChange={(value) => onChange({ ...filters, outcome: value })}
        options={[
          { value: "all", label: t("allOutcomes") },
          ...outcomes.map((value) => ({ value, label: value === "none" ? t("noOutcome") : outcome(value) })),
        ]}
      />
      <FilterSelect<RangeFilter>
        label={t("rangeFilter")}
        value={filters.range}
        none="all"
        onChange={(range) => onChange({ ...filters, range })}
        options={[
          { value: "all", label: t("range_all") },
          ...ranges.map((value) => ({ value, label: t(`range_${value}`) })),
        ]}
      />
      <FilterSelect<TimeSource>
        label={t("timeFilter")}
        value={filters.time}
        none="all"
        onChange={(time) => onChange({ ...filters, time })}
        options={(["all", ...timeSources] as const).map((value) => ({ value, label: t(`time_${value}`) }))}
      />
      <ListTools
        page="call-history"
        listPath={listCallLogs.path}
        recorded="cards"
        query={historyQuery(filters)}
        inAddress={filters.columns}
        onOpen={(search) => onChange(parseHistorySearch(search))}
        columnsMenu={
          <ColumnsMenu
            page="call-history"
            all={logColumnKeys.map((key) => ({ key, label: labels[key] }))}
            first={firstLogColumns}
            inAddress={filters.columns}
            onForget={() => onChange({ ...filters, columns: undefined })}
          />
        }
      />
    </ListFilterBar>
  );
}

interface HistoryChipsProps {
  filters: HistorySearch;
  onChange: (filters: HistorySearch) => void;
}

/** Removable chips for the filters that reports set; weekday and hour are one chip: 'Mon 2:00 PM–3:00 PM'. */
export function HistoryChips({ filters, onChange }: HistoryChipsProps) {
  const t = useMessages(historyChipMessages);
  const status = useMessages(leadLabelMessages);
  const { day, until, weekday, hour, rep, direction, owner, leadStatus, unknown } = filters;
  const { data: reps } = useQuery({ ...salesRepsQuery(), enabled: rep !== undefined || owner !== undefined });
  const nameOf = (userId: number) => reps?.find(({ id }) => id === userId)?.name;
  const chips: FilterChip[] = [];
  const add = (key: string, label: string, without: HistorySearch) =>
    chips.push({ key, label, onRemove: () => onChange({ ...filters, ...without }) });

  if (day) {
    const days = until ? t("days", { from: formatDay(day), to: formatDay(until) }) : formatDay(day);
    add("day", days, { day: undefined, until: undefined });
  }
  const hours = hour === undefined ? null : { from: formatHour(hour), to: formatHour(hour + 1) };
  if (weekday && hours) {
    const slot = t("slot", { weekday: formatWeekday(weekday), ...hours });
    add("slot", slot, { weekday: undefined, hour: undefined });
  } else if (weekday) add("weekday", formatWeekday(weekday), { weekday: undefined });
  else if (hours) add("hour", t("hours", hours), { hour: undefined });
  if (rep) {
    const name = rep === anyRep ? t("anybody") : nameOf(rep);
    add("rep", name ? t("rep", { name }) : t("repNumber", { id: String(rep) }), { rep: undefined });
  }
  if (direction) add("direction", t(direction), { direction: undefined });
  if (owner) {
    const name = nameOf(owner);
    add("owner", name ? t("owner", { name }) : t("ownerNumber", { id: String(owner) }), { owner: undefined });
  }
  if (leadStatus)
    add("leadStatus", t("leadStatus", { status: status(leadStatus) }), { leadStatus: undefined });
  if (unknown) add("unknown", t("unknown"), { unknown: undefined });
  return <FilterChips label={t("label")} chips={chips} />;
}
