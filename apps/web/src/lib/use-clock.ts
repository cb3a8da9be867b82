import { useEffect, useReducer, useState } from "react";

/** The browser's time in ms; re-renders every second, or every `everyMs`, while `running`. */
export function useNow(running: boolean, everyMs = 1_000): number {
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(tick, everyMs);
    return () => clearInterval(timer);
  }, [running, everyMs]);
  return Date.now();
}

/** Whether an instant has passed; re-renders when it does. False without one. */
export function usePassed(instant: string | null): boolean {
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  const at = instant === null ? null : Date.parse(instant);
  const passed = at !== null && at <= Date.now();
  useEffect(() => {
    // The instant may have passed since the render; the timer then fires at once.
    if (at === null || passed) return;
    const timer = setTimeout(tick, at - Date.now() + 1);
    return () => clearTimeout(timer);
  }, [at, passed]);
  return passed;
}

/** The browser's time in ms, updated every `everyMs` and when the page becomes visible. */
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
