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

interface PaneRowProps extends Omit<ComponentProps<"button">, "name"> {
  name: ReactNode;
  time: ReactNode;
  /** The second line: the newest item, and counts at its end. */
  preview: ReactNode;
  counts?: ReactNode;
  /** A smaller third line. */
  detail?: ReactNode;
  /** It contains nothing that waits, so it is dimmed. */
  isQuiet?: boolean;
}

/** A row of a list beside the pane that it opens, with `aria-current` while the pane shows it. */
export function PaneRow({ name, time, preview, counts, detail, isQuiet = false, ...props }: PaneRowProps) {
  const quiet = "text-muted-foreground";
  return (
    <button
      type="button"
      className="grid w-full grid-cols-[minmax(0,1fr)_auto] gap-x-3 px-4 py-2.5 text-left text-sm outline-offset-[-2px] transition-colors hover:bg-muted/60 aria-[current=true]:bg-primary-soft"
      {...props}
    >
      <span className={cn("truncate", isQuiet ? quiet : "font-semibold")}>{name}</span>
      <span className="justify-self-end text-muted-foreground text-xs leading-5">{time}</span>
      <span dir="auto" className={cn("truncate", isQuiet && quiet)}>
        {preview}
      </span>
      <span className="flex items-center justify-end gap-2 text-muted-foreground text-xs tabular-nums">
        {counts}
      </span>
      {detail ? <span className="truncate text-muted-foreground text-xs">{detail}</span> : null}
    </button>
  );
}
