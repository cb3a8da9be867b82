import type { ReactNode } from "react";
import { cn } from "../../../lib/cn.ts";
import { useRootMark } from "../../../lib/root-mark.ts";

/** What is pressed most, at the bottom, in reach of a thumb, whatever is scrolled above it. */
export function ActionBar({ children, className }: { children: ReactNode; className?: string }) {
  useRootMark("hasActionBar");
  return (
    <footer
      data-action-bar
      className={cn(
        "sticky bottom-0 z-10 -mx-4 mt-auto flex flex-wrap gap-2 rounded-b-xl border-t bg-surface px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:-mx-6 sm:px-6",
        className,
      )}
    >
      {children}
    </footer>
  );
}
