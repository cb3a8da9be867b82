import type { LucideIcon } from "lucide-react";
import { cn } from "../lib/cn.ts";

interface Segment<V> {
  value: V;
  label: string;
  /** Replaces the label, which becomes its tooltip. */
  icon?: LucideIcon;
}

interface SegmentsProps<V> {
  label: string;
  value: V;
  segments: readonly Segment<V>[];
  onChange: (value: V) => void;
}

/** A choice of two or three visible options. */
export function Segments<V>({ label, value, segments, onChange }: SegmentsProps<V>) {
  return (
    <fieldset className="flex w-fit shrink-0 rounded-md border bg-surface p-px shadow-card pointer-coarse:p-0">
      <legend className="sr-only">{label}</legend>
      {segments.map(({ value: own, label: name, icon: Icon }) => (
        <button
          key={name}
          type="button"
          aria-label={Icon && name}
          title={Icon && name}
          aria-pressed={own === value}
          onClick={() => own === value || onChange(own)}
          className={cn(
            "grid h-8 place-items-center rounded-[0.3125rem] text-[0.8125rem] pointer-coarse:h-11",
            Icon ? "w-8 pointer-coarse:w-11" : "px-3",
            own === value
              ? "bg-muted font-medium text-foreground"
              : "text-muted-foreground hover:text-foreground",
          )}
        >
          {Icon ? <Icon aria-hidden className="size-4" /> : name}
        </button>
      ))}
    </fieldset>
  );
}
