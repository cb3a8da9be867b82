import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";

interface EmptyStateProps {
  icon: LucideIcon;
  title: ReactNode;
  description?: ReactNode;
  /** Possible actions. */
  actions?: ReactNode;
  /** Inside a card or pane: without a frame. */
  isInside?: boolean;
}

/** Shown instead of an empty list or page. */
export function EmptyState({ icon: Icon, title, description, actions, isInside = false }: EmptyStateProps) {
  return (
    <div
      className={cn(
        "grid place-items-center gap-4 px-6 text-center",
        isInside ? "py-8" : "rounded-xl border border-dashed bg-surface/60 py-16",
      )}
    >
      <span className="grid size-12 place-items-center rounded-full bg-primary-soft text-primary-text">
        <Icon aria-hidden className="size-5.5" />
      </span>
      <div className="grid max-w-md gap-1">
        <p className="font-semibold text-base">{title}</p>
        {description ? <p className="text-balance text-muted-foreground text-sm">{description}</p> : null}
      </div>
      {actions ? <div className="flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </div>
  );
}
