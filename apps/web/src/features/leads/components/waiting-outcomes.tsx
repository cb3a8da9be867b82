import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { cn } from "../../../lib/cn.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { needsOutcomeQuery } from "../queries.ts";

const NeedsOutcome = lazy(() => import("./needs-outcome.tsx"));

/** As high as the list of one call, of two, and of two with the button for more. */
const heights = ["h-53.5 lg:h-32", "h-92 lg:h-50", "h-104 lg:h-61"] as const;

/** The calls without an outcome, loaded where there are any; their room is kept meanwhile, so that nothing moves when they come. */
export function WaitingOutcomes() {
  const { data } = useQuery(needsOutcomeQuery());
  const waiting = data?.filter(({ confirmed }) => !confirmed).length ?? 0;
  if (waiting === 0) return null;
  return (
    <Suspense
      fallback={<Skeleton className={cn("rounded-xl", heights[Math.min(waiting, heights.length) - 1])} />}
    >
      <NeedsOutcome />
    </Suspense>
  );
}
