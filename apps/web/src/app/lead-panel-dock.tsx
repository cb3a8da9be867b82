import { useLocation } from "@tanstack/react-router";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { isDemoMode } from "../features/leads/demo-mode.ts";
import { useLateModule } from "../lib/late-module.ts";
import { focusLeadLink, leadOf } from "../lib/lead-panel.ts";
import { chromeClasses } from "./shell-classes.ts";

/** The panel's code, which comes with the first name that a pointer is on, or the first panel. */
export const loadLeadPanel = () => import("../features/leads/panel/lead-panel.tsx");

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

/** The lead whose panel is open, and whether the panel leaves room for the page. */
export function useLeadPanel(): { leadId: number | null; isAlone: boolean } {
  const leadId = useLocation({ select: ({ search }) => leadOf(search) });
  const isNarrow = useIsNarrow();
  return { leadId, isAlone: leadId !== null && isNarrow };
}

/** The panel of the lead in the address, beside whatever page one is on. When it closes, the focus goes back to the lead's name. */
export function LeadPanelDock({ leadId, isAlone }: ReturnType<typeof useLeadPanel>) {
  const LeadPanel = useLateModule(loadLeadPanel, leadId !== null)?.default;
  const last = useRef<number | null>(null);
  useEffect(() => {
    if (leadId === null && last.current !== null) focusLeadLink(last.current);
    last.current = leadId;
  }, [leadId]);
  if (leadId === null || !LeadPanel) return null;
  return <LeadPanel leadId={leadId} isAlone={isAlone} className={chromeClasses(isDemoMode())} />;
}
