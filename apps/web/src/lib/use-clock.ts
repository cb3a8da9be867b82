import { useEffect, useReducer, useState } from "react";

/** The browser's clock in ms; drawn again every second, or every `everyMs`, while `running`. */
export function useNow(running: boolean, everyMs = 1_000): number {
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(tick, everyMs);
    return () => clearInterval(timer);
  }, [running, everyMs]);
  return Date.now();
}

/** Whether an instant lies in the past; renders again when it comes. False without one. */
export function usePassed(instant: string | null): boolean {
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  const at = instant === null ? null : Date.parse(instant);
  const passed = at !== null && at <= Date.now();
  useEffect(() => {
    // It may have come between the drawing and this effect: the timer fires at once then.
    if (at === null || passed) return;
    const timer = setTimeout(tick, at - Date.now() + 1);
    return () => clearTimeout(timer);
  }, [at, passed]);
  return passed;
}

/** The browser's clock in ms, read again every `everyMs` and when the page is looked at again. */
export function useTime(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const read = () => setNow(Date.now());
    const timer = setInterval(read, everyMs);
    document.addEventListener("visibilitychange", read);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", read);
    };
  }, [everyMs]);
  return now;
}
