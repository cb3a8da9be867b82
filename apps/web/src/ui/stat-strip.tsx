import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";

/** How what one presses in a strip looks. */
export const stripPartClasses =
  "inline-flex h-8 shrink-0 items-center gap-1.5 rounded-md px-1.5 text-muted-foreground text-xs hover:bg-muted pointer-coarse:h-11 [&_b]:font-semibold [&_b]:text-foreground [&_b]:text-sm [&_b]:tabular-nums";

/** How it looks while it is pressed. */
export const pressedPartClasses =
  "aria-pressed:bg-primary-soft aria-pressed:text-primary-text aria-pressed:[&_b]:text-primary-text";

interface StripFigure {
  label: string;
  /** Undefined while it is not known. */
  value: string | undefined;
  isOn?: boolean;
  /** Shows what is counted; without, the figure is only read. */
  onPress?: () => void;
}

interface StatStripProps {
  label: string;
  figures: readonly StripFigure[];
  children?: ReactNode;
}

/** The figures of a page in one line, over a list that begins high: a press filters the list by one. */
export function StatStrip({ label, figures, children }: StatStripProps) {
  return (
    <section
      aria-label={label}
      className="flex min-w-0 items-center gap-x-1 max-sm:-m-1 max-sm:w-[calc(100%+0.5rem)] max-sm:overflow-x-auto max-sm:p-1 sm:flex-wrap"
    >
      {figures.map(({ label: name, value = "–", isOn, onPress }) =>
        onPress ? (
          <button
            key={name}
            type="button"
            aria-pressed={isOn}
            className={cn(stripPartClasses, pressedPartClasses)}
            onClick={onPress}
          >
            <b>{value}</b> {name}
          </button>
        ) : (
          <p key={name} className={cn(stripPartClasses, "hover:bg-transparent")}>
            <b>{value}</b> {name}
          </p>
        ),
      )}
      {children}
    </section>
  );
}
