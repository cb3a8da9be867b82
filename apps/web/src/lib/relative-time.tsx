import { formatRelative } from "./format.ts";
import { createStore, useStore } from "./store.ts";

let isRunning = false;

const clock = createStore(Date.now(), () => {
  const tick = () => clock.set(Date.now());
  const timer = setInterval(tick, 1_000);
  // Browsers slow the timers of a page that nobody looks at.
  document.addEventListener("visibilitychange", tick);
  tick();
  isRunning = true;
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", tick);
    isRunning = false;
  };
});

/** What `read` makes of the time, each second; the component is drawn again only where that differs. One timer serves all. */
export function useClock<T extends string | null>(read: (now: number) => T): T {
  return useStore(clock, (now) => read(isRunning ? now : Date.now()));
}

/** '3 minutes ago', which grows while one looks; '' without an instant. */
export function useRelativeTime(at: string | null | undefined): string {
  return useClock((now) => (at ? formatRelative(at, now) : ""));
}

export function RelativeTime({ at }: { at: string }) {
  return useRelativeTime(at);
}
