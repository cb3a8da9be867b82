import * as PopoverPrimitive from "radix-ui/popover";
import type { ComponentProps } from "react";
import { cn } from "../lib/cn.ts";

export const Popover = PopoverPrimitive.Root;
export const PopoverTrigger = PopoverPrimitive.Trigger;

export function PopoverContent({
  className,
  align = "start",
  sideOffset = 6,
  ...props
}: ComponentProps<typeof PopoverPrimitive.Content>) {
  return (
    <PopoverPrimitive.Portal>
      <PopoverPrimitive.Content
        align={align}
        sideOffset={sideOffset}
        collisionPadding={8}
        className={cn(
          "data-[state=open]:fade-in-0 data-[state=open]:zoom-in-98 z-50 max-h-(--radix-popover-content-available-height) max-w-(--radix-popover-content-available-width) overflow-y-auto origin-(--radix-popover-content-transform-origin) rounded-xl border bg-surface p-3 text-foreground shadow-float outline-none data-[state=open]:animate-in data-[state=open]:duration-100",
          className,
        )}
        {...props}
      />
    </PopoverPrimitive.Portal>
  );
}
