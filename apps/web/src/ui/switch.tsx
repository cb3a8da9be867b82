import type { ComponentProps } from "react";
import { cn } from "../lib/cn.ts";
import { offButton } from "./button.tsx";

interface SwitchProps extends Omit<ComponentProps<"button">, "onChange"> {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
}

/** On or off. Needs a name: a label around it, or `aria-labelledby`. */
export function Switch({ checked, onCheckedChange, disabled, className, ...props }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      onClick={() => onCheckedChange(!checked)}
      className={cn(
        "relative inline-flex h-6 w-10.5 shrink-0 items-center rounded-full border border-input transition-colors after:absolute after:-inset-3 aria-disabled:opacity-50",
        checked ? "border-primary bg-primary" : "bg-muted",
        className,
      )}
      {...props}
      {...(disabled ? offButton : {})}
    >
      <span
        aria-hidden
        className={cn(
          "ml-0.5 size-4.5 rounded-full shadow-card transition-transform",
          checked ? "translate-x-4.5 bg-primary-foreground" : "bg-muted-foreground",
        )}
      />
    </button>
  );
}
