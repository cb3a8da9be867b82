import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";
import type { DrillDownTarget } from "../lib/drill-down.ts";
import { formatNumber } from "../lib/format.ts";
import { formatPercent, percentagesOf } from "../lib/format-percent.ts";
import { DrillDownLink } from "./drill-down-link.tsx";

const fills = {
  neutral: "bg-muted-foreground/70",
  primary: "bg-primary/85",
  info: "bg-info-text/75",
  success: "bg-success-text/75",
  warning: "bg-warning-text/75",
  danger: "bg-danger-text/75",
  violet: "bg-violet-text/75",
} as const;
export type BarTone = keyof typeof fills;

export interface BarRow {
  key: string;
  label: string;
  count: number;
  tone?: BarTone;
  rows?: DrillDownTarget | undefined;
  /** Smaller text after the label. */
  note?: ReactNode;
}

interface BarListProps {
  label: string;
  bars: readonly BarRow[];
}

/** Parts of a whole, each with its count and its percentage of the total: a list that is readable without its bars. */
export function BarList({ label, bars }: BarListProps) {
  const shares = percentagesOf(bars.map(({ count }) => count));
  return (
    <ul aria-label={label} className="grid gap-1">
      {bars.map(({ key, label: name, count, tone = "primary", rows, note }, index) => (
        <li
          key={key}
          className={cn("relative grid gap-1 rounded-md py-1.5", rows && "-mx-2 px-2 hover:bg-muted")}
        >
          <div className="flex items-baseline justify-between gap-3 text-sm">
            <span className="min-w-0 break-words">
              <DrillDownLink rows={rows} className="after:absolute after:inset-0 after:rounded-md">
                {name}
              </DrillDownLink>
              {note ? <span className="text-muted-foreground text-xs"> {note}</span> : null}
            </span>
            <span className="shrink-0 tabular-nums">
              <span className="font-semibold">{formatNumber(count)}</span>{" "}
              <span className="inline-block min-w-14 text-end text-muted-foreground">
                {formatPercent(shares[index] ?? 0, { inColumn: true })}
              </span>
            </span>
          </div>
          <span aria-hidden className="block h-2 overflow-hidden rounded-full bg-muted">
            <span
              className={cn("block h-full rounded-full", count > 0 && "min-w-1", fills[tone])}
              style={{ width: `${shares[index] ?? 0}%` }}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}
