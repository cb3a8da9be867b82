import type { ComponentProps } from "react";
import { cn } from "../lib/cn.ts";

interface SwitchProps extends Omit<ComponentProps<"button">, "onChange" | "value"> {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
}

/** Something that is on or off at once, without a Save. Needs a name: `aria-label`, or a label for its id. */
export function Switch({ checked, onCheckedChange, className, ...props }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      onClick={() => onCheckedChange(!checked)}
      className={cn(
        "inline-flex h-6 w-10 shrink-0 items-center rounded-full border px-0.5 transition-colors disabled:opacity-50 pointer-coarse:h-7 pointer-coarse:w-12",
        checked ? "border-primary bg-primary" : "border-input bg-muted",
        className,
      )}
      {...props}
    >
      <span
        aria-hidden
        className={cn(
          "size-4.5 rounded-full transition-transform",
          checked
            ? "translate-x-4 bg-primary-foreground pointer-coarse:translate-x-6"
            : "bg-muted-foreground",
        )}
      />
    </button>
  );
}
