import type { Lead } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { useDeferredValue, useEffect, useRef } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { useLateModule } from "../../../lib/use-late-module.ts";
import { Button } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { leadsTexts } from "../texts.ts";
import type { LeadSelection } from "../use-lead-selection.ts";
import { LeadCard } from "./lead-card.tsx";
import { gridClasses } from "./lead-grid.ts";

const loadVirtual = () => import("./virtual-leads.tsx");

/** From so many leads on, which is more than the first page brings, only those on screen are drawn. */
const virtualFrom = limits.pageSize;

/** So many fill a large screen; the others are drawn once those are there, without holding up a finger. */
const drawnAtFirst = 9;

interface LeadListProps {
  leads: readonly Lead[];
  busy: boolean;
  selection: LeadSelection;
  onSelect: (id: number) => void;
}

/** The leads as cards. */
export function LeadList({ leads, busy, selection, ...acts }: LeadListProps) {
  const t = useTexts(leadsTexts);
  const VirtualLeads = useLateModule(loadVirtual, leads.length > virtualFrom)?.default;
  const drawn = useDeferredValue(virtualFrom, drawnAtFirst);
  if (VirtualLeads && leads.length > virtualFrom) {
    return <VirtualLeads label={t("listLabel")} leads={leads} busy={busy} selection={selection} {...acts} />;
  }
  return (
    <ul aria-label={t("listLabel")} aria-busy={busy} className={gridClasses}>
      {leads.slice(0, drawn).map((lead) => (
        <li key={lead.id} className="min-w-0">
          <LeadCard lead={lead} selected={selection?.has(lead.id)} {...acts} />
        </li>
      ))}
    </ul>
  );
}

/** Six grey cards in place of the first page. */
export function LeadListSkeleton() {
  const t = useTexts(leadsTexts);
  return (
    <div aria-busy="true" className={gridClasses}>
      <p role="status" className="sr-only">
        {t("loading")}
      </p>
      {Array.from({ length: limits.skeletonCards }, (_, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: grey shapes have nothing else to be told apart by.
          key={index}
          data-testid="lead-skeleton"
          className="grid content-start gap-3 rounded-xl border bg-surface p-4 shadow-card"
        >
          <div className="flex justify-between gap-4">
            <Skeleton className="h-5 w-2/5" />
            <Skeleton className="h-5 w-20 rounded-full" />
          </div>
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-4 w-3/5" />
          <Skeleton className="h-4 w-1/2" />
          <Skeleton className="mt-6 h-9 w-full" />
        </div>
      ))}
    </div>
  );
}

interface MoreLeadsProps {
  loading: boolean;
  failed: boolean;
  onMore: () => void;
}

/** Loads the next page when it comes near the screen, or when pressed. */
export function MoreLeads({ loading, failed, onMore }: MoreLeadsProps) {
  const t = useTexts(leadsTexts);
  const edge = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!edge.current || loading || failed || typeof IntersectionObserver === "undefined") return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) onMore();
      },
      { rootMargin: "800px" },
    );
    observer.observe(edge.current);
    return () => observer.disconnect();
  }, [loading, failed, onMore]);
  return (
    <div ref={edge} className="grid justify-items-center gap-2 py-2">
      {failed ? (
        <p role="alert" className="text-danger-text text-sm">
          {t("moreFailed")}
        </p>
      ) : null}
      <Button variant="secondary" pending={loading} onClick={onMore}>
        {loading ? t("loadingMore") : failed ? t("retry") : t("loadMore")}
      </Button>
    </div>
  );
}
