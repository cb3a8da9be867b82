import type { BulkChange } from "@portal/contract/entities/bulk-change";
import type { RefObject } from "react";
import { createPersonalStore } from "../../../lib/store.ts";

/** The last bulk change made on this page, until its bar is dismissed. */
export interface ShownChange {
  readonly change: BulkChange;
  /** By this browser's clock, in ms: until then the change has no effect outside of the portal. */
  readonly until: number;
}

export const shownChange = createPersonalStore<ShownChange | null>(null);

/** Shows a change in the list's bar, as just returned by the server. */
export function showChange(change: BulkChange): void {
  shownChange.set({ change, until: Date.now() + change.waitsMs });
}

/** Where the focus goes when a bulk dialog closes: to its opener, or, if that disappeared with the selection, to the bar of the change. */
export function focusAfterDialog(opener: RefObject<HTMLElement | null>): RefObject<HTMLElement | null> {
  return {
    get current() {
      return opener.current?.isConnected
        ? opener.current
        : document.querySelector<HTMLElement>("[data-bulk-change]");
    },
  };
}
