import type { ComponentProps } from "react";
import { cn } from "../lib/cn.ts";
import { controlClasses } from "./input.tsx";

/** Grows downwards with its text; however long a word is, it is never wider than its place. */
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
