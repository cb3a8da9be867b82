import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";
import type { DrillDownTarget } from "../lib/drill-down.ts";
import { DrillDownLink } from "./drill-down-link.tsx";

interface StatCardProps {
  label: string;
  value: ReactNode;
  icon: LucideIcon;
  /** What the figure is compared with, or of. */
  note?: ReactNode;
  rows?: DrillDownTarget | undefined;
}

/** Cards side by side: a description list. */
export function StatCards({ columns = 4, children }: { columns?: 3 | 4 | 5; children: ReactNode }) {
  return (
    <dl
      className={cn(
        "grid gap-2 sm:gap-4",
        columns === 3 && "grid-cols-[minmax(0,1fr)] sm:grid-cols-3",
        columns === 4 && "grid-cols-2 lg:grid-cols-4",
        columns === 5 && "grid-cols-2 max-lg:*:last:col-span-2 lg:grid-cols-5",
      )}
    >
      {children}
    </dl>
  );
}

/** One figure with its name; a press anywhere on it opens its rows. */
export function StatCard({ label, value, icon: Icon, note, rows }: StatCardProps) {
  return (
    <div className="relative grid min-w-0 content-start gap-1 rounded-xl border bg-surface p-3 shadow-card has-[a:hover]:border-primary/50 sm:p-4">
      <dt className="flex items-start justify-between gap-2 text-muted-foreground text-xs leading-5 sm:text-sm">
        <DrillDownLink rows={rows} className="after:absolute after:inset-0 after:rounded-xl">
          {label}
        </DrillDownLink>
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      </dt>
      <dd className="font-semibold text-xl tabular-nums leading-8 sm:text-2xl">{value}</dd>
      {note ? <dd className="text-muted-foreground text-xs leading-4.5">{note}</dd> : null}
    </div>
  );
}
