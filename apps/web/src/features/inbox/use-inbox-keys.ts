import { useEffect, useEffectEvent } from "react";
import { pageActs } from "../../lib/keys.ts";

/** The keys of the inbox: the list's `j` and `k`, and Done. */
export function useInboxKeys(acts: Record<"next" | "previous" | "done", () => void>): void {
  const onAct = useEffectEvent((act: keyof typeof acts) => acts[act]());
  useEffect(() => {
    pageActs.set({
      next: () => onAct("next"),
      previous: () => onAct("previous"),
      done: () => onAct("done"),
    });
    return () => pageActs.set({});
  }, []);
}
