interface Reading<T> {
  value: T;
  until: number;
}

/** A reading is repeated so that it takes at most one part in so many of the time. */
const restShare = 10;

/**
 * What many ask for again and again, read once for all who ask at the same moment. Where `isCostly`, it is answered again for as long as
 * ten times what it took: administrators' panels together then take a tenth of one connection at most, however large the organisation is.
 */
export function shareReading<T>(read: () => Promise<T>, isCostly: (value: T) => boolean): () => Promise<T> {
  let last: Reading<T> | null = null;
  let waiting: Promise<T> | null = null;
  let running: Promise<unknown> = Promise.resolve();

  async function readNow(): Promise<T> {
    const startedAt = performance.now();
    const value = await read();
    const took = performance.now() - startedAt;
    last = isCostly(value) ? { value, until: performance.now() + took * restShare } : null;
    return value;
  }

  return async () => {
    if (last && performance.now() < last.until) return last.value;
    // Who asks while a reading is under way is answered by the next one: the first may have missed what they just did.
    waiting ??= running.then(() => {
      waiting = null;
      const fresh = last && performance.now() < last.until ? Promise.resolve(last.value) : readNow();
      running = fresh.catch(() => undefined);
      return fresh;
    });
    return waiting;
  };
}
