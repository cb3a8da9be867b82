import { limits } from "@portal/contract/limits";
import * as TooltipPrimitive from "radix-ui/tooltip";
import type { ReactNode } from "react";

/** Wraps the app once: the recorded delays hold for all tooltips (specification §9). */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <TooltipPrimitive.Provider delayDuration={limits.tooltipOpenMs} skipDelayDuration={limits.tooltipSkipMs}>
      {children}
    </TooltipPrimitive.Provider>
  );
}

interface TooltipProps {
  content: ReactNode;
  /** The one element the tooltip explains; it must take focus. */
  children: ReactNode;
  side?: "top" | "right" | "bottom" | "left";
}

/** A short explanation on hover and focus. Never the only name of a control. */
export function Tooltip({ content, children, side = "top" }: TooltipProps) {
  return (
    <TooltipPrimitive.Root>
      <TooltipPrimitive.Trigger asChild>{children}</TooltipPrimitive.Trigger>
      <TooltipPrimitive.Portal>
        <TooltipPrimitive.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="fade-in-0 z-60 max-w-72 animate-in rounded-md bg-foreground px-2.5 py-1.5 text-background text-xs leading-4.5 shadow-float duration-100"
        >
          {content}
        </TooltipPrimitive.Content>
      </TooltipPrimitive.Portal>
    </TooltipPrimitive.Root>
  );
}
