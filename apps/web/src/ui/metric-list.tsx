import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";

interface Metric {
  label: string;
  value: ReactNode;
  /** The metric's basis or start. */
  note?: ReactNode;
  /** It requires action. */
  isBad?: boolean;
}

interface MetricListProps {
  metrics: readonly Metric[];
  columns?: 3 | 4;
}

/** A few metrics inside a card or dialog, side by side; those of a page are `StatCards`. */
export function MetricList({ metrics, columns = 4 }: MetricListProps) {
  return (
    <dl className={cn("grid gap-3", columns === 3 ? "grid-cols-3" : "grid-cols-2 sm:grid-cols-4")}>
      {metrics.map(({ label, value, note, isBad }) => (
        <div key={label} className="grid min-w-0 content-start">
          <dt className="text-muted-foreground text-xs leading-4">{label}</dt>
          <dd className={cn("font-semibold text-xl tabular-nums leading-8", isBad && "text-danger-text")}>
            {value}
          </dd>
          {note ? <dd className="text-muted-foreground text-xs leading-4">{note}</dd> : null}
        </div>
      ))}
    </dl>
  );
}
