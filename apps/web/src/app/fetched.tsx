import { type ComponentType, startTransition, useEffect, useState } from "react";
import { Splash } from "./splash.tsx";

type Answer<P> = { Screen: ComponentType<P> } | { error: unknown };

/**
 * A screen whose code is fetched: the splash until it is there, then at once the screen. Not by Suspense, for React holds back for 300 ms
 * what comes right after a fallback. A fetch that fails is thrown, for the boundary above.
 */
export function Fetched<P extends object>({
  load,
  props,
}: {
  load: () => Promise<ComponentType<P>>;
  props: P;
}) {
  const [answer, setAnswer] = useState<Answer<P> | null>(null);
  useEffect(() => {
    let isGone = false;
    const take = (taken: Answer<P>) => {
      // As a transition, so that React draws the screen in slices.
      if (!isGone) startTransition(() => setAnswer(taken));
    };
    load().then(
      (Screen) => take({ Screen }),
      (error: unknown) => take({ error }),
    );
    return () => {
      isGone = true;
    };
  }, [load]);
  if (answer === null) return <Splash />;
  if ("error" in answer) throw answer.error;
  return <answer.Screen {...props} />;
}
