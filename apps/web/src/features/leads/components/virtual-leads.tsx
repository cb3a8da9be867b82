import type { Lead } from "@portal/contract/entities/lead";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useDeferredValue, useLayoutEffect, useRef, useState } from "react";
import { useIsMobile } from "../../../lib/use-is-mobile.ts";
import type { LeadSelection } from "../use-lead-selection.ts";
import { LeadCard } from "./lead-card.tsx";
import { columnsOf, gridGapPx, phoneGapPx } from "./lead-skeletons.tsx";

interface VirtualLeadsProps {
  leads: readonly Lead[];
  label: string;
  busy: boolean;
  selection: LeadSelection;
  onSelect: (id: number) => void;
}

/** Estimated height of a card, and of a phone's collapsed one. */
const estimatedPx = { open: 300, closed: 92 };
/** More new rows than this at once are a jump. */
const jumpRows = 1;

/** A virtualised list of cards that scrolls with the window. */
export default function VirtualLeads({ leads, label, busy, selection, ...acts }: VirtualLeadsProps) {
  const list = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ columns: 1, top: 0 });
  useLayoutEffect(() => {
    const { current } = list;
    if (!current) return;
    const measure = () => {
      const { width, top } = current.getBoundingClientRect();
      const next = { columns: columnsOf(width), top: Math.round(top + window.scrollY) };
      setPlace((now) => (now.columns === next.columns && now.top === next.top ? now : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const { columns, top } = place;
  const isMobile = useIsMobile();
  const estimatedRowPx = isMobile ? estimatedPx.closed : estimatedPx.open;
  const rows = useWindowVirtualizer({
    count: Math.ceil(leads.length / columns),
    estimateSize: () => estimatedRowPx,
    getItemKey: (row) => leads[row * columns]?.id ?? row,
    gap: isMobile ? phoneGapPx : gridGapPx,
    overscan: 1,
    scrollMargin: top,
  });
  const shown = rows.getVirtualItems();
  // After a jump the new rows are filled in steps, as rendering a whole screen at once would block further scrolling.
  const filled = new Set(useDeferredValue(shown).map(({ index }) => index));
  const isJump = shown.filter(({ index }) => !filled.has(index)).length > jumpRows;
  return (
    // Roles are explicit, because rows are between the list and its items.
    // biome-ignore lint/a11y/useSemanticElements: a <ul> cannot contain rows.
    <div
      ref={list}
      role="list"
      aria-label={label}
      aria-busy={busy}
      className="relative"
      style={{ height: rows.getTotalSize() }}
    >
      {shown.map(({ index, key, start }) => (
        <div
          key={key}
          ref={rows.measureElement}
          data-index={index}
          className="absolute inset-x-0 top-0 grid gap-4 contain-layout"
          style={{
            transform: `translateY(${start - top}px)`,
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          }}
        >
          {leads.slice(index * columns, (index + 1) * columns).map((lead, column) => (
            // biome-ignore lint/a11y/useSemanticElements: an <li> cannot be inside a row.
            <div
              key={lead.id}
              role="listitem"
              aria-posinset={index * columns + column + 1}
              aria-setsize={leads.length}
              className="min-w-0"
            >
              {isJump && !filled.has(index) ? (
                <div className="rounded-xl border bg-surface" style={{ height: estimatedRowPx }} />
              ) : (
                <LeadCard lead={lead} selected={selection?.has(lead.id)} {...acts} />
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
