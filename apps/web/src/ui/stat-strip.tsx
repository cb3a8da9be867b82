import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";
import { formatNumber } from "../lib/format.ts";
import { PartFailed, type PartFailedProps } from "./list-states.tsx";

const partClasses =
  "inline-flex h-8 shrink-0 items-center gap-1 rounded-md px-2 text-muted-foreground text-xs pointer-coarse:h-11 [&_b]:font-semibold [&_b]:text-foreground [&_b]:text-sm [&_b]:tabular-nums";

const pressedClasses =
  "hover:bg-muted aria-pressed:bg-primary-soft aria-pressed:text-primary-text aria-pressed:[&_b]:text-primary-text";

const openerTones = {
  warning: "bg-warning-soft text-warning-text [&_b]:text-warning-text",
  danger: "bg-danger-soft text-danger-text [&_b]:text-danger-text",
};

interface StripFigure {
  label: string;
  /** Undefined while unknown. */
  value: string | undefined;
  isOn?: boolean;
  /** Filters the list by this metric; without it the metric cannot be pressed. */
  onPress?: () => void;
}

interface StatStripProps {
  label: string;
  figures: readonly StripFigure[];
  /** Shown instead of metrics that could not be loaded. */
  failed?: PartFailedProps | false;
  /** After the metrics: `StripButton`, `StripOpener`. */
  children?: ReactNode;
}

/** The metrics of a page in one line, above a list that starts high: a press filters the list by one of them. */
export function StatStrip({ label, figures, failed = false, children }: StatStripProps) {
  return (
    <section
      aria-label={label}
      className="flex min-w-0 items-center gap-x-1 max-sm:-m-1 max-sm:w-[calc(100%+0.5rem)] max-sm:overflow-x-auto max-sm:p-1 sm:flex-wrap"
    >
      {failed ? (
        <>
          <p className={partClasses}>{label}</p>
          <PartFailed {...failed} />
        </>
      ) : null}
      {(failed ? [] : figures).map(({ label: name, value = "–", isOn, onPress }) =>
        onPress ? (
          <StripButton key={name} label={name} value={value} isOn={isOn} onPress={onPress} />
        ) : (
          <p key={name} className={partClasses}>
            <b>{value}</b> {name}
          </p>
        ),
      )}
      {children}
    </section>
  );
}

interface StripButtonProps {
  label: string;
  value?: string;
  isOn: boolean | undefined;
  onPress: () => void;
}

/** Filters the list by what it counts or names; pressed again it shows everything. */
export function StripButton({ label, value, isOn, onPress }: StripButtonProps) {
  return (
    <button type="button" aria-pressed={isOn} className={cn(partClasses, pressedClasses)} onClick={onPress}>
      {value === undefined ? null : <b>{value}</b>} {label}
    </button>
  );
}

interface StripOpenerProps {
  label: string;
  count: number;
  tone: keyof typeof openerTones;
  isOpen: boolean;
  onPress: () => void;
}

/** Opens waiting items below the strip. */
export function StripOpener({ label, count, tone, isOpen, onPress }: StripOpenerProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      className={cn(partClasses, openerTones[tone])}
      onClick={onPress}
    >
      <b>{formatNumber(count)}</b> {label}
      <ChevronDown aria-hidden className={cn("size-3.5", isOpen && "rotate-180")} />
    </button>
  );
}
