import { type RefObject, useEffect, useEffectEvent } from "react";
import { type SessionKey, sessionKey } from "./session-keys.ts";

/**
 * Hears the session's keys while the focus is in the panel, or nowhere in particular. What stands over it (a list, a calendar,
 * another dialog) keeps its keys for itself.
 */
export function useSessionKeys(panel: RefObject<HTMLElement | null>, onKey: (key: SessionKey) => void): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    const { current } = panel;
    if (event.defaultPrevented || !current || !(target instanceof Node)) return;
    if (!current.contains(target) && !target.contains(current)) return;
    const key = sessionKey(event);
    if (!key) return;
    event.preventDefault();
    onKey(key);
  });
  useEffect(() => {
    document.addEventListener("keydown", handle);
    return () => document.removeEventListener("keydown", handle);
  }, []);
}
