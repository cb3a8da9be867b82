import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";
import type { DrillDownTarget } from "../lib/drill-down.ts";
import { DrillDownLink } from "./drill-down-link.tsx";
import { Skeleton } from "./skeleton.tsx";

interface StatCardsProps {
  /** With `row` three that stand side by side on a phone as well. */
  columns?: 3 | 4 | 5 | "row";
  /** Some figures are still being read. */
  isLoading?: boolean;
  children: ReactNode;
}

/** Cards side by side: a description list. */
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

/** Of a link or button in the label: a press anywhere on the card is one on it. */
export const statPressClasses = "rounded-xl text-left after:absolute after:inset-0 after:rounded-xl";

interface StatCardProps {
  /** The figure's name; where a press opens something other than rows, with that link or button in it (`statPressClasses`). */
  label: ReactNode;
  /** Undefined while it is not known. */
  value: ReactNode;
  icon: LucideIcon;
  /** What the figure is compared with, or of. */
  note?: ReactNode;
  rows?: DrillDownTarget | undefined;
  /** What is said where the figure could not be read. */
  failure?: string | false | undefined;
}

/** One figure with its name; a press anywhere on it opens its rows. */
export function StatCard({ label, value, icon: Icon, note, rows, failure }: StatCardProps) {
  // Millions to the cent stay in one line.
  const isLong = typeof value === "string" && value.length > 12;
  return (
    <div className="relative grid min-w-0 content-start gap-1 rounded-xl border bg-surface p-3 shadow-card has-[:is(a,button):is(:hover,:focus-visible)]:border-primary/50 sm:p-4">
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
          isLong ? "text-base sm:text-lg" : "text-xl sm:text-2xl",
        )}
      >
        {value ?? (failure ? <Unknown why={failure} /> : <Skeleton className="my-1 h-6 w-12" />)}
      </dd>
      {note ? <dd className="text-muted-foreground text-xs leading-4.5">{note}</dd> : null}
    </div>
  );
}

/** In place of a figure that could not be read. */
function Unknown({ why }: { why: string }) {
  return (
    <span title={why}>
      <span aria-hidden>–</span>
      <span className="sr-only">{why}</span>
    </span>
  );
}
