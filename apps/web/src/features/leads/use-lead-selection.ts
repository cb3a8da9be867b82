import { useCallback, useState } from "react";

/** Ids of the selected cards; null outside of the selection mode. */
export type LeadSelection = ReadonlySet<number> | null;

export function useLeadSelection() {
  const [selection, setSelection] = useState<LeadSelection>(null);
  const onSelect = useCallback((id: number) => {
    setSelection((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  return { selection, setSelection, onSelect };
}
