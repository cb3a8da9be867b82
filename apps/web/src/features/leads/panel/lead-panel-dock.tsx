import { useEffect, useRef, useSyncExternalStore } from "react";
import { focusLeadLink } from "../../../lib/lead-panel-steps.ts";
import { LeadPanel } from "./lead-panel.tsx";
import { useCovered } from "./use-covered.ts";

const narrow = window.matchMedia("(max-width: 1023.98px)");

/** Whether a panel has the whole screen. */
function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrow.addEventListener("change", listener);
      return () => narrow.removeEventListener("change", listener);
    },
    () => narrow.matches,
  );
}

interface LeadPanelDockProps {
  /** Null while no panel is open. */
  leadId: number | null;
  className: string;
}

/** The panel of the lead in the address, beside whatever page one is on. When it closes, the focus goes back to the lead's name. */
export default function LeadPanelDock({ leadId, className }: LeadPanelDockProps) {
  const isNarrow = useIsNarrow();
  const isAlone = leadId !== null && isNarrow;
  const last = useRef<number | null>(null);
  // The page behind a panel that hides it is out of reach; before the focus goes back to it, it is not any more.
  useEffect(() => {
    const page = document.querySelector<HTMLElement>("[data-page]");
    if (!page || !isAlone) return;
    page.inert = true;
    return () => {
      page.inert = false;
    };
  }, [isAlone]);
  useCovered(leadId !== null && !isNarrow);
  useEffect(() => {
    if (leadId === null && last.current !== null) focusLeadLink(last.current);
    last.current = leadId;
  }, [leadId]);
  return leadId === null ? null : <LeadPanel leadId={leadId} isAlone={isAlone} className={className} />;
}
