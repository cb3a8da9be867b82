import { useEffect, useState } from "react";

const againMs = 3_000;

/**
 * A module that is fetched once it is wanted; null until it is there. A fetch that fails, as while the server restarts, is tried again:
 * what is not needed yet must not take the page down.
 */
export function useLateModule<T extends object>(load: () => Promise<T>, isWanted: boolean): T | null {
  const [module, setModule] = useState<T | null>(null);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a failed try asks for another
  useEffect(() => {
    if (!isWanted || module) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    load().then(
      (loaded) => {
        if (!isGone) setModule(loaded);
      },
      () => {
        if (!isGone) timer = setTimeout(() => setTries((count) => count + 1), againMs);
      },
    );
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [isWanted, module, load, tries]);
  return module;
}
