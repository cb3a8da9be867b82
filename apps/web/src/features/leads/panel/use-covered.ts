import { useEffect } from "react";

/** Cards, and cells of rows. */
const parts = "main :is(article, [role='cell'])";

/** What the panel beside the page covers wholly takes no part while it does: the focus never goes where nobody sees it. */
export function useCovered(isBeside: boolean): void {
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
    // Rows come and go as one scrolls, and stand elsewhere in another window.
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
