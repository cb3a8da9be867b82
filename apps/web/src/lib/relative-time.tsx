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
