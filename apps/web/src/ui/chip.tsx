import type { ComponentProps } from "react";
import { cn } from "../lib/cn.ts";
import { offButton } from "./button.tsx";

interface ChipProps extends ComponentProps<"button"> {
  /** It is what was chosen, or filters. */
  isOn?: boolean;
}

/** A choice, a filter or a group among several of its kind, as wide as its words. */
export function Chip({ isOn = false, disabled, className, ...props }: ChipProps) {
  return (
    <button
      type="button"
      className={cn(
        "inline-flex min-h-8 max-w-full items-center gap-1 rounded-full border px-3 text-left font-medium text-[0.8125rem] leading-4.5 transition-colors aria-disabled:opacity-50 pointer-coarse:min-h-11 [&_svg]:size-3.5 [&_svg]:shrink-0",
        isOn
          ? "border-primary bg-primary-soft text-primary-text hover:bg-primary-soft/70"
          : "bg-surface hover:bg-muted",
        className,
      )}
      {...props}
      {...(disabled ? offButton : {})}
    />
  );
}
