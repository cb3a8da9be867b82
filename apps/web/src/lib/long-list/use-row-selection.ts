import { limits } from "@portal/contract/limits";
import { useKeyedState } from "../use-keyed-state.ts";

/** The selected rows by id, and how they are chosen: one by one, as a range from the last one, or many at once. */
export interface RowSelection {
  readonly ids: ReadonlySet<number>;
  readonly isFull: boolean;
  /** The rows are those of the filters before: what is chosen of them would go with them, so that nothing is chosen. */
  readonly isLocked: boolean;
  /** Chooses a row or takes it out; with `isRange` all from the last chosen one to it. */
  toggle(index: number, options: { isRange: boolean }): void;
  replace(ids: readonly number[]): void;
}

const max = limits.leadSelectionMax;

interface Chosen {
  readonly ids: ReadonlySet<number>;
  /** Where a range begins. */
  readonly anchor: number | null;
}

const none: Chosen = { ids: new Set(), anchor: null };

/** The selection of one list; another list (`key`) begins without. */
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
        // From the clicked row back: rows near it are known, however far away the range began.
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
