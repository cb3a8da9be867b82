import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { needsOutcomeQuery } from "../queries.ts";

const NeedsOutcome = lazy(() => import("./needs-outcome.tsx"));

/** The calls without an outcome, loaded where there are any. */
export function WaitingOutcomes() {
  const { data } = useQuery(needsOutcomeQuery());
  if (!data?.some(({ confirmed }) => !confirmed)) return null;
  return (
    <Suspense fallback={null}>
      <NeedsOutcome />
    </Suspense>
  );
}
