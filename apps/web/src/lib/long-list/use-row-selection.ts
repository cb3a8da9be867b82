import { limits } from "@portal/contract/limits";
import { useKeyedState } from "./use-paged-rows.ts";

/** The selected rows by id, and how to select: one row, a range from the last one, or many at once. */
export interface RowSelection {
  readonly ids: ReadonlySet<number>;
  readonly isFull: boolean;
  /** The rows belong to the previous filters, so nothing can be selected. */
  readonly isLocked: boolean;
  /** Selects or deselects a row; with `isRange` all rows from the last selected one. */
  toggle(index: number, options: { isRange: boolean }): void;
  replace(ids: readonly number[]): void;
}

const max = limits.leadSelectionMax;

interface Chosen {
  readonly ids: ReadonlySet<number>;
  /** Start of a range. */
  readonly anchor: number | null;
}

const none: Chosen = { ids: new Set(), anchor: null };

/** The selection of one list; another list (`key`) starts without one. */
export function useRowSelection(
  key: string,
  { isLocked, idAt }: { isLocked: boolean; idAt: (index: number) => number | null },
): RowSelection {
  const [{ ids, anchor }, setChosen] = useKeyedState(key, none);
  return {
    ids,
    isFull: ids.size >= max,
    isLocked,
    toggle(index, { isRange }) {
      const id = idAt(index);
      if (id === null || isLocked) return;
      const next = new Set(ids);
      if (isRange && anchor !== null && anchor !== index) {
        // From the clicked row towards the anchor: the rows near the click are loaded, those far away may not be.
        const step = anchor < index ? -1 : 1;
        for (let at = index; next.size < max; at += step) {
          const each = idAt(at);
          if (each !== null) next.add(each);
          if (at === anchor) break;
        }
      } else if (!next.delete(id) && next.size < max) next.add(id);
      setChosen(() => ({ ids: next, anchor: index }));
    },
    replace(chosen) {
      setChosen(() => ({ ids: new Set(chosen.slice(0, max)), anchor: null }));
    },
  };
}
