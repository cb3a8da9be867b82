import { leadStatuses } from "@portal/contract/entities/lead";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMessages } from "../../../lib/i18n.ts";
import { leadLabelMessages } from "../../../lib/lead-label-messages.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Select } from "../../../ui/select.tsx";
import { type AnalyticsSearch, analyticsRanges, parseAnalyticsSearch } from "./analytics-search.ts";
import { AnalyticsView } from "./analytics-view.tsx";
import { analyticsMessages } from "./messages.ts";

/** Call Analytics: how often leads were called, and whom to call next. */
export function AnalyticsPage() {
  const t = useMessages(analyticsMessages);
  const { data: viewer } = useQuery(currentUserQuery());
  const filters = parseAnalyticsSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  function change(next: AnalyticsSearch): void {
    void navigate({ to: ".", search: { ...filters, ...next }, resetScroll: false });
  }
  if (!viewer) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:gap-5">
      <PageHeader
        title={t("title")}
        subtitle={t(viewer.role === "admin" ? "scopeEveryone" : "scopeOwn")}
        actions={<Filters filters={filters} onChange={change} />}
      />
      <AnalyticsView filters={filters} viewer={viewer} />
    </div>
  );
}

interface FiltersProps {
  filters: AnalyticsSearch;
  onChange: (next: AnalyticsSearch) => void;
}

function Filters({ filters, onChange }: FiltersProps) {
  const t = useMessages(analyticsMessages);
  const status = useMessages(leadLabelMessages);
  return (
    <>
      <Select<(typeof analyticsRanges)[number]>
        aria-label={t("rangeFilter")}
        className="w-auto min-w-40"
        value={filters.range ?? "all"}
        onValueChange={(value) => onChange({ range: value === "all" ? undefined : value })}
        options={analyticsRanges.map((value) => ({ value, label: t(`range_${value}`) }))}
      />
      <Select<(typeof leadStatuses)[number] | "all">
        aria-label={t("statusFilter")}
        className="w-auto min-w-40"
        value={filters.status ?? "all"}
        onValueChange={(value) => onChange({ status: value === "all" ? undefined : value })}
        options={[
          { value: "all", label: t("allStatuses") },
          ...leadStatuses.map((value) => ({ value, label: status(value) })),
        ]}
      />
    </>
  );
}
