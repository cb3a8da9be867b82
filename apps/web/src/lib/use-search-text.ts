import { useEffect, useEffectEvent, useRef, useState } from "react";

const debounceMs = 300;

/** The text of a search box: follows the address, and is applied once typing pauses. */
export function useSearchText(applied: string, apply: (text: string) => void) {
  const [typed, setTyped] = useState(applied);
  const handedIn = useRef(applied);
  const onRest = useEffectEvent((text: string) => {
    handedIn.current = text;
    apply(text);
  });

  // The address was changed by Back or Clear Filters.
  useEffect(() => {
    if (applied === handedIn.current) return;
    handedIn.current = applied;
    setTyped(applied);
  }, [applied]);

  useEffect(() => {
    if (typed === handedIn.current) return;
    const timer = setTimeout(() => onRest(typed), debounceMs);
    return () => clearTimeout(timer);
  }, [typed]);

  return [typed, setTyped] as const;
}
