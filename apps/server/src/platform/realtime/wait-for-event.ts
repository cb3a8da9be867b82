import type { EventListener } from "./listener.ts";
import type { PublishedEvent } from "./publish.ts";

/**
 * Looks, and looks again at every event that concerns the thing, until `look` answers something or the time is up (null).
 * Looks never overlap; an event that arrives during one causes another. Errors of `look` are the caller's.
 */
export function waitForEvent<T>(options: {
  events: EventListener;
  concerns: (event: PublishedEvent) => boolean;
  look: () => Promise<T | null>;
  timeoutMs: number;
}): Promise<T | null> {
  return new Promise((resolve, reject) => {
    let looking = false;
    let again = false;
    let ended = false;
    const end = (settle: () => void) => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      stopEvents();
      stopGap();
      settle();
    };
    const look = async () => {
      again = true;
      if (looking) return;
      looking = true;
      while (again && !ended) {
        again = false;
        const found = await options.look();
        if (found !== null) end(() => resolve(found));
      }
      looking = false;
    };
    const tryLook = () => void look().catch((error: unknown) => end(() => reject(error)));
    const timer = setTimeout(() => end(() => resolve(null)), options.timeoutMs);
    const stopEvents = options.events.onEvent((event) => options.concerns(event) && tryLook());
    const stopGap = options.events.onGap(tryLook);
    tryLook();
  });
}
