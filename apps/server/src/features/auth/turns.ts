const tails = new Map<string, Promise<void>>();

async function inTurnFor<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(key);
  const { promise: tail, resolve: done } = Promise.withResolvers<void>();
  tails.set(key, tail);
  await before;
  try {
    return await work();
  } finally {
    done();
    if (tails.get(key) === tail) tails.delete(key);
  }
}

/** Runs work that shares one of its keys with other work of this process one after the other, in the order asked for. */
export function inTurn<T>(keys: string[], work: () => Promise<T>): Promise<T> {
  const [first, ...others] = keys;
  return first === undefined ? work() : inTurnFor(first, () => inTurn(others, work));
}
