import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";
import { leadAddress, onLeadLinkClick, preloadLeadPanel } from "../lib/lead-panel.ts";

/** For a name that opens by a press anywhere on its row, which shows its focus too: a name that is cut would cut the outline. */
export const rowLinkClasses =
  "after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-ring focus-visible:after:-outline-offset-2";

interface LeadLinkProps {
  leadId: number;
  /** The lead's name. */
  children: ReactNode;
  className?: string | undefined;
  title?: string | undefined;
  "aria-label"?: string | undefined;
  /** Identifies the control within a row, so that arrow keys move to the same control of other rows. */
  "data-control"?: string;
  /** Called when the panel opens: a dialog that contains the name closes itself. */
  onOpen?: (() => void) | undefined;
}

/**
 * A lead's name, which opens the lead's panel beside the page; its address can be opened in another tab, copied and shared. It uses no
 * hooks, so that a long list can render thousands.
 */
export function LeadLink({ leadId, children, className, onOpen, ...props }: LeadLinkProps) {
  return (
    <a
      {...props}
      href={leadAddress(leadId)}
      data-lead-link={leadId}
      onPointerEnter={preloadLeadPanel}
      onFocus={preloadLeadPanel}
      onClick={(event) => {
        onLeadLinkClick(event);
        if (event.defaultPrevented) onOpen?.();
      }}
      className={cn(
        "rounded-sm underline-offset-4 hover:underline focus-visible:underline",
        // As high as a touch target, within the line's own space.
        "pointer-coarse:-my-3.5 pointer-coarse:py-3.5",
        className,
      )}
    >
      {children}
    </a>
  );
}
