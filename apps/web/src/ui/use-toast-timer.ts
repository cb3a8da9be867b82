import { useEffect, useState } from "react";

interface HoldHandlers {
  onPointerEnter: () => void;
  onPointerLeave: () => void;
  onFocus: () => void;
  onBlur: () => void;
}

/**
 * Calls `onOver` after this long. The time stands still while the window is not looked at, and while the pointer or the focus is on what
 * takes these handlers.
 */
export function useToastTimer(durationMs: number, onOver: () => void): HoldHandlers {
  const [isHeld, setHeld] = useState(false);
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    const away = () => setAway(true);
    const back = () => setAway(false);
    window.addEventListener("blur", away);
    window.addEventListener("focus", back);
    return () => {
      window.removeEventListener("blur", away);
      window.removeEventListener("focus", back);
    };
  }, []);
  const [clock] = useState({ leftMs: durationMs });
  useEffect(() => {
    if (isHeld || isAway) return;
    const since = Date.now();
    const timer = setTimeout(onOver, clock.leftMs);
    return () => {
      clearTimeout(timer);
      clock.leftMs -= Date.now() - since;
    };
  }, [isHeld, isAway, clock, onOver]);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return { onPointerEnter: hold, onPointerLeave: release, onFocus: hold, onBlur: release };
}
