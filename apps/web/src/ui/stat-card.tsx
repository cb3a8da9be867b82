import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";
import type { DrillDownTarget } from "../lib/drill-down.ts";
import { DrillDownLink } from "./drill-down-link.tsx";
import { Skeleton } from "./list-states.tsx";

interface StatCardsProps {
  /** With `row` three cards are side by side on phones too. */
  columns?: 3 | 4 | 5 | "row";
  /** Some metrics are still loading. */
  isLoading?: boolean;
  children: ReactNode;
}

/** Cards side by side, as a description list. */
export function StatCards({ columns = 4, isLoading = false, children }: StatCardsProps) {
  return (
    <dl
      aria-busy={isLoading}
      className={cn(
        "grid gap-2 sm:gap-4",
        columns === 3 && "grid-cols-[minmax(0,1fr)] sm:grid-cols-3",
        columns === "row" && "grid-cols-3 *:content-between",
        columns === 4 && "grid-cols-2 lg:grid-cols-4",
        columns === 5 && "grid-cols-2 max-lg:*:last:col-span-2 lg:grid-cols-5",
      )}
    >
      {children}
    </dl>
  );
}

/** For a link or button in the label: a press anywhere on the card presses it. */
export const statPressClasses = "rounded-xl text-left after:absolute after:inset-0 after:rounded-xl";

interface StatCardProps {
  /** The metric's name; if a press opens something other than rows, it contains that link or button (`statPressClasses`). */
  label: ReactNode;
  /** Undefined while unknown. */
  value: ReactNode;
  icon: LucideIcon;
  /** What the metric is compared with, or a part of. */
  note?: ReactNode;
  rows?: DrillDownTarget | undefined;
  /** Shown if the metric could not be loaded. */
  failure?: string | false | undefined;
}

/** One metric with its name; a press anywhere on it opens its rows. */
export function StatCard({ label, value, icon: Icon, note, rows, failure }: StatCardProps) {
  // Millions with cents fit into one line: their size follows the card's width.
  const fit = typeof value === "string" && value.length > 12 ? Math.floor(160 / value.length) : null;
  return (
    <div className="@container relative grid min-w-0 content-start gap-1 rounded-xl border bg-surface p-3 shadow-card has-[:is(a,button):is(:hover,:focus-visible)]:border-primary/50 sm:p-4">
      <dt className="flex items-start justify-between gap-2 text-muted-foreground text-xs leading-4 sm:text-sm sm:leading-5">
        {rows ? (
          <DrillDownLink rows={rows} className={statPressClasses}>
            {label}
          </DrillDownLink>
        ) : (
          label
        )}
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0 max-sm:hidden" />
      </dt>
      <dd
        className={cn(
          "wrap-anywhere min-h-8 font-semibold tabular-nums leading-8",
          fit === null && "text-xl sm:text-2xl",
        )}
        style={fit === null ? undefined : { fontSize: `clamp(0.75rem, ${fit}cqi, 1.125rem)` }}
      >
        {value ?? (failure ? <Unknown why={failure} /> : <Skeleton className="my-1 h-6 w-12" />)}
      </dd>
      {note ? <dd className="text-muted-foreground text-xs leading-4.5">{note}</dd> : null}
    </div>
  );
}

/** Shown instead of a metric that could not be loaded. */
function Unknown({ why }: { why: string }) {
  return (
    <span title={why}>
      <span aria-hidden>–</span>
      <span className="sr-only">{why}</span>
    </span>
  );
}
