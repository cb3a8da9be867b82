import { type TimelineKind, timelineKinds } from "@portal/contract/entities/timeline";
import { limits } from "@portal/contract/limits";
import { getTimeline } from "@portal/contract/routes/timeline";
import { useInfiniteQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useMemo, useState } from "react";
import { routePath } from "../../lib/api.ts";
import { cn } from "../../lib/cn.ts";
import { formatLongDate } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { routePages } from "../../lib/query-client.ts";
import { useSearchText } from "../../lib/use-search-text.ts";
import { Button } from "../../ui/button.tsx";
import { CheckboxField } from "../../ui/checkbox.tsx";
import { Input } from "../../ui/input.tsx";
import { EmptyState, MoreRows, Skeleton } from "../../ui/list-states.tsx";
import { FailureText } from "../../ui/request-id.tsx";
import { Select } from "../../ui/select.tsx";
import { groupByDay, TimelineItem } from "./timeline-item.tsx";
import { timelineMessages } from "./timeline-messages.ts";

const dayMs = 86_400_000;

interface TimelineProps {
  lead: { id: number; name: string };
}

/** A lead's timeline by day, newest first, with filters by kind, text and system events. */
export function Timeline({ lead }: TimelineProps) {
  const [filter, setFilter] = useState(everything);
  return (
    <div className="grid grid-cols-1 gap-4">
      <TimelineControls filter={filter} onChange={setFilter} />
      <Entries lead={lead} filter={filter} />
    </div>
  );
}

function Entries({ lead, filter }: TimelineProps & { filter: TimelineFilter }) {
  const t = useMessages(timelineMessages);
  const found = useInfiniteQuery({
    ...timelinePages(lead.id, filter),
    placeholderData: keepSameLead(lead.id),
  });
  const { data, error } = found;
  const days = useMemo(() => groupByDay(data?.pages.flatMap(({ items }) => items) ?? []), [data]);

  if (!data && error) {
    return (
      <div className="grid justify-items-start gap-3">
        <FailureText error={error} fallback={t("failed")} />
        <Button variant="secondary" pending={found.isFetching} onClick={() => void found.refetch()}>
          {t("retry")}
        </Button>
      </div>
    );
  }
  if (!data) return <TimelineSkeleton />;
  if (days.length === 0) {
    const isFiltered = filter.kind !== undefined || filter.search !== "";
    return isFiltered ? (
      <p role="status" className="py-4 text-muted-foreground text-sm">
        {t("nothingFound")}
      </p>
    ) : (
      <EmptyState icon={History} title={t("empty")} description={t("emptyHint")} />
    );
  }
  return (
    <div
      aria-busy={found.isPlaceholderData}
      className={cn("grid gap-6", found.isPlaceholderData && "opacity-60")}
    >
      {days.map(({ day, at, entries }) => (
        <section key={day} aria-label={dayLabel(at)} className="grid gap-3">
          <h3 className="font-medium text-muted-foreground text-xs uppercase tracking-wide">
            <DayName at={at} />
          </h3>
          <ol className="grid gap-4">
            {entries.map((entry) => (
              <TimelineItem key={entry.key} entry={entry} leadName={lead.name} />
            ))}
          </ol>
        </section>
      ))}
      <MoreRows found={found} label={t("more")} failure={t("failed")} ahead={0} />
    </div>
  );
}

const dayLabel = (at: string) => formatLongDate(at);

function DayName({ at }: { at: string }) {
  const t = useMessages(timelineMessages);
  const day = new Date(at).toDateString();
  if (day === new Date().toDateString()) return t("today");
  if (day === new Date(Date.now() - dayMs).toDateString()) return t("yesterday");
  return formatLongDate(at);
}

function TimelineSkeleton() {
  const t = useMessages(timelineMessages);
  return (
    <div aria-busy="true" className="grid gap-5">
      <p role="status" className="sr-only">
        {t("loading")}
      </p>
      {["a", "b", "c", "d"].map((key) => (
        <div key={key} className="flex gap-3">
          <Skeleton className="size-8 rounded-full" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="h-4 w-4/5" />
          </div>
        </div>
      ))}
    </div>
  );
}

/** A lead's timeline, newest first; fetched on every mount. */
function timelinePages(leadId: number, { kind, search, withSystem }: TimelineFilter) {
  const query = { kind, search: search || undefined, system: withSystem ? undefined : ("false" as const) };
  return { ...routePages(getTimeline, { params: { id: leadId }, query }), staleTime: 0 };
}

/** Keeps the previous filter's entries while new ones are fetched, but never those of another lead. */
function keepSameLead(leadId: number) {
  const path = routePath(getTimeline, { id: leadId });
  return <T,>(before: T | undefined, query?: { queryKey: readonly unknown[] }): T | undefined =>
    query?.queryKey[0] === path ? before : undefined;
}

/** Which entries of a timeline are shown. */
interface TimelineFilter {
  readonly kind: TimelineKind | undefined;
  readonly search: string;
  readonly withSystem: boolean;
}

/** Everything that people did. */
const everything: TimelineFilter = { kind: undefined, search: "", withSystem: false };

interface TimelineControlsProps {
  filter: TimelineFilter;
  onChange: (filter: TimelineFilter) => void;
}

/** Search, kind, and whether system events are shown. */
function TimelineControls({ filter, onChange }: TimelineControlsProps) {
  const t = useMessages(timelineMessages);
  const [typed, setTyped] = useSearchText(filter.search, (search) =>
    onChange({ ...filter, search: search.trim() }),
  );
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Input
        type="search"
        aria-label={t("search")}
        placeholder={t("search")}
        maxLength={limits.searchMaxLength}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="min-w-36 flex-1"
      />
      <Select
        aria-label={t("filter")}
        value={filter.kind ?? "all"}
        onValueChange={(kind) => onChange({ ...filter, kind: kind === "all" ? undefined : kind })}
        options={[
          { value: "all" as const, label: t("all") },
          ...timelineKinds.map((value) => ({ value, label: t(value) })),
        ]}
        className="w-36"
      />
      <CheckboxField
        checked={filter.withSystem}
        onChange={(withSystem) => onChange({ ...filter, withSystem })}
        className="text-muted-foreground"
      >
        {t("showSystem")}
      </CheckboxField>
    </div>
  );
}
