interface Reading<T> {
  value: T;
  readAt: number;
  tookMs: number;
}

/** A costly reading rests for so many times what it took. */
const restTimes = 10;
/** While the next one is under way the last one is answered, where it is not older. */
const oldestMs = 60_000;

/**
 * What many ask for again and again, read once for all who ask at the same moment. Where `isCostly`, it is answered again for ten times as
 * long as it took, and while the next one is under way: administrators' panels together then take a tenth of one connection at most,
 * however large the organisation is, and nobody waits for it every time.
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
      // The next one to ask gets the failure.
      fresh.catch(() => undefined);
      return value;
    }
    // Who asks while a reading is under way is answered by the next one: the first may have missed what they just did.
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
