import { useSyncExternalStore } from "react";

/** A value outside React that several components show, or that code outside components sets. */
export interface Store<T> {
  get(): T;
  /** Replaces the value; the same one again changes nothing. */
  set(next: T): void;
  /** Calls `listener` after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

/** Makes a store. `onActive` runs when the first listener comes; what it returns, when the last one is gone. */
export function createStore<T>(initial: T, onActive?: () => () => void): Store<T> {
  const listeners = new Set<() => void>();
  let value = initial;
  let stop: (() => void) | undefined;
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      if (listeners.size === 0) stop = onActive?.();
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop?.();
      };
    },
  };
}

const personal = new Set<() => void>();

/** The same for what belongs to whoever is signed in. */
export function createPersonalStore<T>(initial: T): Store<T> {
  const store = createStore(initial);
  personal.add(() => store.set(initial));
  return store;
}

/** Nobody who signs in next in this page finds what the one before had open. */
export function forgetPersonal(): void {
  for (const forget of personal) forget();
}

/** What `select` reads of a store's value, by default all of it; the component is drawn again where that differs. */
export function useStore<T>(store: Store<T>): T;
export function useStore<T, S>(store: Store<T>, select: (value: T) => S): S;
export function useStore<T>(store: Store<T>, select: (value: T) => unknown = (value) => value): unknown {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}
