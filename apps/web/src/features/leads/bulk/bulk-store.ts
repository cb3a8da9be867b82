import type { BulkChange } from "@portal/contract/entities/bulk-change";
import type { RefObject } from "react";
import { createPersonalStore } from "../../../lib/store.ts";

/** The last act on many leads of this page, until its bar goes. */
export interface ShownChange {
  readonly change: BulkChange;
  /** By this browser's clock, in ms: until then the change has no effect outside of the portal. */
  readonly until: number;
}

export const shownChange = createPersonalStore<ShownChange | null>(null);

/** Puts an act into the list's bar, as it was answered just now. */
export function showChange(change: BulkChange): void {
  shownChange.set({ change, until: Date.now() + change.waitsMs });
}

/** Where the focus goes when a dialog for many leads closes: to its opener, or, where that is gone with the selection, to the bar of the act. */
export function focusAfterDialog(opener: RefObject<HTMLElement | null>): RefObject<HTMLElement | null> {
  return {
    get current() {
      return opener.current?.isConnected
        ? opener.current
        : document.querySelector<HTMLElement>("[data-bulk-change]");
    },
  };
}
