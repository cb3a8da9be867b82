import type { BulkChange } from "@portal/contract/entities/bulk-change";
import { createPersonalStore } from "../../../lib/store.ts";

/** The last act on many leads of this page, until its bar goes. */
export interface ShownChange {
  readonly change: BulkChange;
  /** By this browser's clock, in ms: until then nothing leaves the house. */
  readonly until: number;
}

export const shownChange = createPersonalStore<ShownChange | null>(null);

/** Puts an act into the list's bar, as it was answered just now. */
export function showChange(change: BulkChange): void {
  shownChange.set({ change, until: Date.now() + change.waitsMs });
}
