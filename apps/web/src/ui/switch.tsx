import * as SwitchPrimitive from "radix-ui/switch";
import type { ComponentProps } from "react";
import { cn } from "../lib/cn.ts";

export function Switch({ className, ...props }: ComponentProps<typeof SwitchPrimitive.Root>) {
  return (
    <SwitchPrimitive.Root
      className={cn(
        "relative inline-flex h-6 w-10 shrink-0 items-center rounded-full bg-input transition-colors after:absolute after:-inset-2.5 data-[state=checked]:bg-primary disabled:opacity-50",
        className,
      )}
      {...props}
    >
      <SwitchPrimitive.Thumb className="ml-0.5 size-5 rounded-full bg-white shadow-card transition-transform data-[state=checked]:translate-x-4" />
    </SwitchPrimitive.Root>
  );
}
