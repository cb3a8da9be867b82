import { useEffect, useEffectEvent, useRef, useState } from "react";

const debounceMs = 300;

/** What stands in a search box: follows the address, and hands in what was typed once the typing rests. */
export function useSearchText(applied: string, apply: (text: string) => void) {
  const [typed, setTyped] = useState(applied);
  const handedIn = useRef(applied);
  const onRest = useEffectEvent((text: string) => {
    handedIn.current = text;
    apply(text);
  });

  // The address changed by itself: Back, or Clear Filters.
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
