import { useEffect, useRef, useSyncExternalStore } from "react";
import { focusLeadLink } from "../../../lib/lead-commands.ts";
import { LeadPanel } from "./lead-panel.tsx";

const narrow = window.matchMedia("(max-width: 1023.98px)");

/** Whether a panel covers the whole screen. */
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

/** The panel of the lead in the address, beside the current page. When it closes, the lead's name gets the focus. */
export default function LeadPanelDock({ leadId, className }: LeadPanelDockProps) {
  const isNarrow = useIsNarrow();
  const isAlone = leadId !== null && isNarrow;
  const last = useRef<number | null>(null);
  // A page covered by the panel is inert, until the focus returns to it.
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

/** Cards, and cells of rows. */
const parts = "main :is(article, [role='cell'])";

/** Elements that the panel covers completely are inert, so that the focus never goes where it cannot be seen. */
function useCovered(isBeside: boolean): void {
  useEffect(() => {
    const page = document.querySelector("main");
    if (!isBeside || !page) return;
    const covered = new Set<HTMLElement>();
    let frame = 0;
    const look = () => {
      const left = document.querySelector("[data-lead-panel]")?.getBoundingClientRect().left ?? 0;
      const found = [...document.querySelectorAll<HTMLElement>(parts)].filter(
        (part) => left > 0 && part.getBoundingClientRect().left >= left,
      );
      for (const part of covered) part.inert = found.includes(part);
      for (const part of found) {
        part.inert = true;
        covered.add(part);
      }
    };
    const later = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    later();
    // Rows change while scrolling, and positions with the window's size.
    const observer = new MutationObserver(later);
    observer.observe(page, { childList: true, subtree: true });
    window.addEventListener("resize", later);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", later);
      cancelAnimationFrame(frame);
      for (const part of covered) part.inert = false;
    };
  }, [isBeside]);
}
