import { limits } from "@portal/contract/limits";
import { FilterX, RefreshCw, Search } from "lucide-react";
import { useTexts } from "../../../lib/i18n.ts";
import { useSearchText } from "../../../lib/use-search-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import {
  filterPriorities,
  filterStatuses,
  hasActiveFilter,
  type LeadFilters,
  type PriorityFilter,
  type StatusFilter,
} from "../lead-filters.ts";
import { leadLabelTexts, leadsTexts } from "../texts.ts";

interface LeadToolbarProps {
  filters: LeadFilters;
  onChange: (filters: LeadFilters, options?: { replace?: boolean }) => void;
}

/** Search, the two filters, and the way out of them. */
export function LeadToolbar({ filters, onChange }: LeadToolbarProps) {
  const t = useTexts(leadsTexts);
  const label = useTexts(leadLabelTexts);
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
      <Select<StatusFilter | "all">
        aria-label={t("statusFilter")}
        className="w-auto min-w-0 flex-1 basis-36 sm:max-w-48"
        value={filters.status ?? "all"}
        onValueChange={(status) => onChange({ ...filters, status: status === "all" ? undefined : status })}
        options={[
          { value: "all", label: t("allStatuses") },
          ...filterStatuses.map((value) => ({ value, label: label(value) })),
        ]}
      />
      <Select<PriorityFilter | "all">
        aria-label={t("priorityFilter")}
        className="w-auto min-w-0 flex-1 basis-36 sm:max-w-48"
        value={filters.priority ?? "all"}
        onValueChange={(priority) =>
          onChange({ ...filters, priority: priority === "all" ? undefined : priority })
        }
        options={[
          { value: "all", label: t("allPriorities") },
          ...filterPriorities.map((value) => ({ value, label: label(value) })),
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
          {t("clearFilters")}
        </Button>
      ) : null}
    </form>
  );
}

interface SyncButtonProps {
  label: string;
  phase: "idle" | "syncing-leads" | "syncing-recordings";
  variant?: "primary" | "secondary";
  onSync: () => void;
}

/** Starts a sync and says which half is under way. */
export function SyncButton({ label, phase, variant = "secondary", onSync }: SyncButtonProps) {
  const t = useTexts(leadsTexts);
  const texts = {
    idle: label,
    "syncing-leads": t("syncingLeads"),
    "syncing-recordings": t("syncingRecordings"),
  };
  return (
    <Button variant={variant} pending={phase !== "idle"} onClick={onSync}>
      {phase === "idle" ? <RefreshCw aria-hidden /> : null}
      {texts[phase]}
    </Button>
  );
}
