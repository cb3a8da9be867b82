interface Reading<T> {
  value: T;
  readAt: number;
  tookMs: number;
}

/** An expensive result is reused for this many times the duration of its query. */
const restTimes = 10;
/** The maximum age in ms of a result that is returned while the next query runs. */
const oldestMs = 60_000;

/**
 * Runs `read` once for all concurrent callers. If `isCostly`, the result is reused for ten times the duration of the query, and returned
 * while the next query runs: the administrators' panels then use at most a tenth of one connection, regardless of the size of the
 * organization, and no caller waits each time.
 */
export function shareReading<T>(read: () => Promise<T>, isCostly: (value: T) => boolean): () => Promise<T> {
  let last: Reading<T> | null = null;
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;

  function start(): Promise<T> {
    const startedAt = performance.now();
    const reading = read().then((value) => {
      const now = performance.now();
      last = isCostly(value) ? { value, readAt: startedAt, tookMs: now - startedAt } : null;
      return value;
    });
    running = reading;
    const end = () => {
      if (running === reading) running = null;
    };
    reading.then(end, end);
    return reading;
  }

  return async () => {
    if (last) {
      const ageMs = performance.now() - last.readAt;
      const { value, tookMs } = last;
      if (ageMs < tookMs * (restTimes + 1)) return value;
      const fresh = running ?? start();
      if (ageMs > oldestMs + tookMs) return fresh;
      // The failure goes to the next caller.
      fresh.catch(() => undefined);
      return value;
    }
    // A caller during a query gets the result of the next one: the running one may not see the caller's own last change.
    if (!running) return start();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return last?.value ?? running ?? start();
      });
    return next;
  };
}
