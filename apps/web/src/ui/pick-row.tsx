import type { ComponentProps, ReactNode } from "react";
import { cn } from "../lib/cn.ts";
import { offButton } from "./button.tsx";

interface PickRowProps extends ComponentProps<"button"> {
  /** Smaller text at its end. */
  note?: ReactNode;
}

/** A row of a short list that is pressed as a whole: a result, or something to open. */
export function PickRow({ note, disabled, className, children, ...props }: PickRowProps) {
  return (
    <button
      type="button"
      className={cn(
        "flex min-h-10 w-full flex-wrap items-center justify-between gap-x-3 rounded-md px-2.5 py-1.5 text-left text-sm hover:bg-muted aria-disabled:opacity-50 aria-[current=true]:bg-primary-soft aria-[current=true]:text-primary-text pointer-coarse:min-h-11",
        className,
      )}
      {...props}
      {...(disabled ? offButton : {})}
    >
      <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{children}</span>
      {note ? <span className="text-muted-foreground text-xs tabular-nums">{note}</span> : null}
    </button>
  );
}
