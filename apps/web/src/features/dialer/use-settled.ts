import { useEffect, useRef } from "react";

const settleMs = 500;

/** Whether this moment of a session has lasted long enough to be seen: a second press is not meant for what came meanwhile. */
export function useSettled(moment: string): () => boolean {
  const shown = useRef({ moment, since: Number.NEGATIVE_INFINITY });
  useEffect(() => {
    if (shown.current.moment !== moment) shown.current = { moment, since: performance.now() };
  }, [moment]);
  return () => performance.now() - shown.current.since > settleMs;
}
