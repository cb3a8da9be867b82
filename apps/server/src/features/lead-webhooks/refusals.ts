const windowMs = 60_000;
const allowed = 30;
const addressesMax = 10_000;

/**
 * Counts refused requests by address, in this process. It is asked only after a request was refused: whoever holds a key is let in
 * however many forged requests come from the same address, so that no genuine delivery is lost to it.
 */
export function createRefusals(now: () => number = Date.now) {
  const counts = new Map<string, { count: number; endsAt: number }>();

  function entryOf(address: string) {
    const known = counts.get(address);
    if (known && known.endsAt > now()) return known;
    counts.delete(address);
    // The oldest go first, so that many addresses never fill the memory.
    const [oldest] = counts.keys();
    if (counts.size >= addressesMax && oldest !== undefined) counts.delete(oldest);
    const entry = { count: 0, endsAt: now() + windowMs };
    counts.set(address, entry);
    return entry;
  }

  return {
    isOver: (address: string) =>
      (counts.get(address)?.count ?? 0) >= allowed && entryOf(address).count >= allowed,
    /** Counts one more; answers the seconds to wait where it was one too many, else 0. */
    add(address: string): number {
      const entry = entryOf(address);
      entry.count += 1;
      return entry.count > allowed ? Math.max(1, Math.ceil((entry.endsAt - now()) / 1_000)) : 0;
    },
  };
}
