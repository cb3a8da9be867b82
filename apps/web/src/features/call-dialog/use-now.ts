import { useEffect, useReducer } from "react";

/** The browser's clock in ms; renders again every second while `running`. */
export function useNow(running: boolean): number {
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [running]);
  return Date.now();
}
