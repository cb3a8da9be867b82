import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { cn } from "../../../lib/cn.ts";
import { readStored, STORAGE_KEYS, writeStored } from "../../../lib/storage-keys.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { needsOutcomeQuery } from "../queries.ts";

const NeedsOutcome = lazy(() => import("./needs-outcome.tsx"));

/** As high as the list of one call, of two, and of two with the button for more. */
const heights = ["h-53.5 lg:h-32", "h-92 lg:h-50", "h-104 lg:h-61"] as const;

/** How many calls waited when this browser last knew. */
const waitedBefore = () => Number(readStored(STORAGE_KEYS.waitingCalls)) || 0;

/**
 * The calls without an outcome, loaded where there are any. Their room is kept until they come, also before the answer tells whether
 * there are any, so that the list below does not move under the finger.
 */
export function WaitingOutcomes() {
  const { data, isPending } = useQuery(needsOutcomeQuery());
  const known = data?.filter(({ confirmed }) => !confirmed).length;
  useEffect(() => {
    if (known !== undefined) writeStored(STORAGE_KEYS.waitingCalls, known > 0 ? String(known) : null);
  }, [known]);
  const waiting = known ?? (isPending ? waitedBefore() : 0);
  if (waiting === 0) return null;
  const room = <Skeleton className={cn("rounded-xl", heights[Math.min(waiting, heights.length) - 1])} />;
  if (known === undefined) return room;
  return (
    <Suspense fallback={room}>
      <NeedsOutcome />
    </Suspense>
  );
}
