import type { Lead } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useLoaderData } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import {
  Suspense,
  startTransition,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
} from "react";
import { cn } from "../../../lib/cn.ts";
import { formatTotal } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent, useLateModule } from "../../../lib/late-module.ts";
import { useStore } from "../../../lib/store.ts";
import { Button } from "../../../ui/button.tsx";
import { MoreRows } from "../../../ui/list-states.tsx";
import type { SyncPhase } from "../../crm/queries.ts";
import { shownChange } from "../bulk/bulk-store.ts";
import { hasActiveFilter, type LeadFilters } from "../lead-search.ts";
import { leadsMessages } from "../messages.ts";
import { leadPages } from "../queries.ts";
import { type LeadSelection, useLeadSelection } from "../use-lead-selection.ts";
import { LeadCard } from "./lead-card.tsx";
import { gridClasses, LeadListSkeleton } from "./lead-skeletons.tsx";

/** Cards rendered at a time: more than a phone shows, but few enough not to delay a touch. */
const drawnAtATime = 6;

/**
 * Number of cards of the first page to render: increased in steps up to `count`, or all at once if they were cached before the page was
 * opened. Nothing is rendered before `hasData`.
 */
function useDrawn(count: number, { areKnown, hasData }: { areKnown: boolean; hasData: boolean }) {
  const most = Math.min(count, limits.pageSize);
  const [drawn, setDrawn] = useState(areKnown ? limits.pageSize : drawnAtATime);
  useEffect(() => {
    if (hasData && drawn < most) startTransition(() => setDrawn(drawn + drawnAtATime));
  }, [drawn, most, hasData]);
  return { drawn, areAllDrawn: drawn >= most };
}

const NoLeads = lateComponent(() => import("./no-leads.tsx"));
const LeadsFailed = lateComponent(async () => ({ default: (await import("./no-leads.tsx")).LeadsFailed }));
const SelectionBar = lateComponent(() => import("./selection-bar.tsx"));
const BulkChangeBar = lateComponent(() => import("../bulk/bulk-change-bar.tsx"));

interface LeadResultsProps {
  /** Called when the leads are loaded, or have failed to load. */
  onRead: () => void;
  filters: LeadFilters;
  syncPhase: SyncPhase;
  onSync: () => void;
}

/** The filtered leads as cards, or that they are loading, failed or none. */
export function LeadResults({ onRead, filters, syncPhase, onSync }: LeadResultsProps) {
  const t = useMessages(leadsMessages);
  const found = useInfiniteQuery({ ...leadPages(filters), placeholderData: keepPreviousData });
  const { data, error } = found;
  // The first leads are rendered in steps, so that they do not delay a touch.
  const hasData = useDeferredValue(data !== undefined);
  const loaded = useLoaderData({ strict: false });
  const [areKnown] = useState(loaded?.areLeadsKnown === true);
  const leads = useMemo(() => distinct(data?.pages.flatMap((page) => page.items) ?? []), [data]);
  const isRead = hasData || error !== null;
  const onSettled = useEffectEvent(onRead);
  useEffect(() => {
    if (isRead) onSettled();
  }, [isRead]);
  const { drawn, areAllDrawn } = useDrawn(leads.length, { areKnown, hasData });
  const { selection, setSelection, onSelect } = useLeadSelection();
  const hasChange = useStore(shownChange, (shown) => shown !== null);

  if (!data && error) {
    return (
      <Suspense fallback={null}>
        <LeadsFailed found={found} />
      </Suspense>
    );
  }
  if (!data || !hasData) return <LeadListSkeleton />;
  if (leads.length === 0) {
    return (
      <Suspense fallback={null}>
        <NoLeads filtered={hasActiveFilter(filters)} syncPhase={syncPhase} onSync={onSync} />
      </Suspense>
    );
  }
  const total = data.pages.at(-1)?.total;
  return (
    <div className={cn("grid gap-3 transition-opacity", found.isPlaceholderData && "opacity-60")}>
      <div className="flex min-h-8 items-center justify-between gap-3">
        <p role="status" className="text-muted-foreground text-sm">
          {total?.endsWith("+")
            ? t("shownMany", { total: formatTotal(total) })
            : t("shown", { count: Number(total ?? leads.length) })}
        </p>
        {selection ? null : (
          <Button variant="ghost" size="sm" onClick={() => setSelection(new Set())}>
            <CircleCheck aria-hidden />
            {t("selectLeads")}
          </Button>
        )}
      </div>
      {selection ? (
        <Suspense fallback={null}>
          <SelectionBar selection={selection} leads={leads} onChange={setSelection} />
        </Suspense>
      ) : null}
      <LeadList
        leads={leads}
        areKnown={areKnown}
        drawn={drawn}
        selection={selection}
        onSelect={onSelect}
        busy={found.isPlaceholderData}
      />
      {hasChange ? (
        <Suspense fallback={null}>
          <BulkChangeBar />
        </Suspense>
      ) : null}
      {found.hasNextPage && areAllDrawn ? (
        <MoreRows found={found} label={t("loadMore")} failure={t("moreFailed")} ahead={800} />
      ) : null}
    </div>
  );
}

/** A lead that moved between the fetches of two pages may be in both. */
function distinct(leads: readonly Lead[]): readonly Lead[] {
  const byId = new Map(leads.map((lead) => [lead.id, lead]));
  return byId.size === leads.length ? leads : [...byId.values()];
}

const loadVirtual = () => import("./virtual-leads.tsx");

/** Longer lists than the first page are virtualised. */
const virtualFrom = limits.pageSize;

/** Cards outside of the viewport are not laid out; the browser assumes this height for them, without padding and border. */
const cardsOnScreenOnly =
  "[&>li>article]:[contain-intrinsic-size:auto_19rem] max-md:[&>li>article]:[contain-intrinsic-size:auto_4.25rem] [&>li>article]:[content-visibility:auto]";

interface LeadListProps {
  leads: readonly Lead[];
  /** Whether the leads were cached before the page was opened: all are laid out at once then, to restore the scroll position. */
  areKnown: boolean;
  /** Number of cards of the first page to render. */
  drawn: number;
  busy: boolean;
  selection: LeadSelection;
  onSelect: (id: number) => void;
}

/** The leads as cards. */
function LeadList({ leads, areKnown, drawn, busy, selection, ...acts }: LeadListProps) {
  const t = useMessages(leadsMessages);
  const VirtualLeads = useLateModule(loadVirtual, leads.length > virtualFrom)?.default;
  if (VirtualLeads && leads.length > virtualFrom) {
    return <VirtualLeads label={t("listLabel")} leads={leads} busy={busy} selection={selection} {...acts} />;
  }
  return (
    <ul
      aria-label={t("listLabel")}
      aria-busy={busy}
      className={cn(gridClasses, !areKnown && cardsOnScreenOnly)}
    >
      {leads.slice(0, drawn).map((lead) => (
        <li key={lead.id} className="min-w-0">
          <LeadCard lead={lead} selected={selection?.has(lead.id)} {...acts} />
        </li>
      ))}
    </ul>
  );
}
