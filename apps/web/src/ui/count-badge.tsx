import { cn } from "../lib/cn.ts";
import { formatNumber } from "../lib/format.ts";

interface CountBadgeProps {
  count: number;
  /** What is counted, for those who listen: "3 unread texts". */
  label: string;
  /** More than so many are said so: "99+". */
  most?: number;
  className?: string;
}

/** How much waits behind a button or a name. */
export function CountBadge({ count, label, most, className }: CountBadgeProps) {
  return (
    <span
      className={cn(
        "inline-flex h-5 min-w-5 shrink-0 items-center justify-center rounded-full bg-primary-soft px-1.5 font-semibold text-primary-text text-xs tabular-nums",
        className,
      )}
    >
      <span aria-hidden>{most !== undefined && count > most ? `${most}+` : formatNumber(count)}</span>
      <span className="sr-only">{label}</span>
    </span>
  );
}
