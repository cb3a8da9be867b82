import { useCallback, useState } from "react";

/** The cards chosen to be called together; null while none are being chosen. */
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
