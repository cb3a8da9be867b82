import { useSyncExternalStore } from "react";

/** A value outside of React, shared by several components or set by code outside of components. */
export interface Store<T> {
  get(): T;
  /** Replaces the value; an equal one changes nothing. */
  set(next: T): void;
  /** Calls `listener` after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

/** Creates a store. `onActive` runs with the first subscription; its result runs after the last one ends. */
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

/** A store for data of the signed-in user, reset at sign-out. */
export function createPersonalStore<T>(initial: T): Store<T> {
  const store = createStore(initial);
  personal.add(() => store.set(initial));
  return store;
}

/** Resets all personal stores, so that the next user of this page does not see them. */
export function forgetPersonal(): void {
  for (const forget of personal) forget();
}

/** The store's value, or what `select` returns of it; re-renders when that changes. */
export function useStore<T>(store: Store<T>): T;
export function useStore<T, S>(store: Store<T>, select: (value: T) => S): S;
export function useStore<T>(store: Store<T>, select: (value: T) => unknown = (value) => value): unknown {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}
