import { useCallback, useState } from "react";

/** State that is reset when the key changes, without remounting the component (which would lose the focus). */
export function useKeyedState<T extends object | null>(key: string, initial: T) {
  const [held, setHeld] = useState({ key, value: initial });
  const value = held.key === key ? held.value : initial;
  const set = useCallback(
    (change: (now: T) => T) =>
      setHeld((now) => {
        const current = now.key === key ? now.value : initial;
        const next = change(current);
        return now.key === key && next === current ? now : { key, value: next };
      }),
    [key, initial],
  );
  return [value, set] as const;
}
