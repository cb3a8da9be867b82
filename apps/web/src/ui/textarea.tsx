import type { ComponentProps } from "react";
import { cn } from "../lib/cn.ts";
import { controlClasses } from "./input.tsx";

/** Grows with its text; a long word never makes it wider than its container. */
export function Textarea({ className, rows = 3, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      rows={rows}
      className={cn(
        controlClasses,
        "field-sizing-content contain-inline-size max-h-72 min-h-20 min-w-0 resize-y py-2",
        className,
      )}
      {...props}
    />
  );
}
