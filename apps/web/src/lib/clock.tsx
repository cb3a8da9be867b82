import { useEffect, useReducer, useState } from "react";
import { formatRelative } from "./format.ts";
import { createStore, useStore } from "./store.ts";

let isRunning = false;

const clock = createStore(Date.now(), () => {
  const tick = () => clock.set(Date.now());
  const timer = setInterval(tick, 1_000);
  // Browsers throttle the timers of hidden pages.
  document.addEventListener("visibilitychange", tick);
  tick();
  isRunning = true;
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", tick);
    isRunning = false;
  };
});

/** The result of `read` for the current time, updated each second; re-renders only if it differs. All components share one timer. */
export function useClock<T extends string | null>(read: (now: number) => T): T {
  return useStore(clock, (now) => read(isRunning ? now : Date.now()));
}

/** '3 minutes ago', updated while mounted; '' without an instant. */
export function useRelativeTime(at: string | null | undefined): string {
  return useClock((now) => (at ? formatRelative(at, now) : ""));
}

export function RelativeTime({ at }: { at: string }) {
  return useRelativeTime(at);
}

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
