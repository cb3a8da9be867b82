import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";
import { leadAddress, onLeadLinkClick, preloadLeadPanel } from "../lib/lead-panel.ts";

interface LeadLinkProps {
  leadId: number;
  /** The lead's name. */
  children: ReactNode;
  className?: string | undefined;
  title?: string | undefined;
  "aria-label"?: string | undefined;
  /** What a table calls this control, to keep the column of the focus. */
  "data-control"?: string;
  /** Runs as the panel opens: a dialog that the name stands in closes itself. */
  onOpen?: (() => void) | undefined;
}

/**
 * A lead's name, which opens the lead's panel beside the page; its address can be opened in another tab, copied and sent. Plain as it
 * is (no hooks), a long list may hold thousands.
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
        // As high as a finger needs, in the room that the line has.
        "pointer-coarse:-my-3.5 pointer-coarse:py-3.5",
        className,
      )}
    >
      {children}
    </a>
  );
}
