import { useEffect, useReducer } from "react";

/** Whether an instant lies in the past; renders again when it comes. False without one. */
export function usePassed(instant: string | null): boolean {
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  const at = instant === null ? null : Date.parse(instant);
  useEffect(() => {
    if (at === null || at <= Date.now()) return;
    const timer = setTimeout(tick, at - Date.now() + 1);
    return () => clearTimeout(timer);
  }, [at]);
  return at !== null && at <= Date.now();
}
