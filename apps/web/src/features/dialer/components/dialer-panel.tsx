import type { DialerSession } from "@portal/contract/entities/dialer";
import { lazy, Suspense } from "react";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { isLive, useDialer } from "../session-query.ts";
import { LiveSession } from "./live-session.tsx";

const DialerSetup = lazy(() => import("./dialer-setup.tsx"));
const DialerSummary = lazy(() => import("./dialer-summary.tsx"));

/** The dialer (specification §4), on its page and over the leads: before, during and after a session. */
export function DialerPanel() {
  const { session, clockOffset } = useDialer();
  if (session && isLive(session)) return <LiveSession session={session} clockOffset={clockOffset} />;
  return (
    <Suspense fallback={<PanelSkeleton />}>
      {session && hasSummary(session) ? <DialerSummary session={session} /> : <DialerSetup />}
    </Suspense>
  );
}

/** An ended session is summed up until it is put away; one that was stopped before anything happened needs no words. */
function hasSummary({ closed, counts, status }: DialerSession): boolean {
  const worked = counts.dialled + counts.skipped + counts.failed > 0;
  return !closed && (status === "completed" || worked);
}

function PanelSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-4">
      <Skeleton className="h-6 w-40" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-11 w-full" />
    </div>
  );
}
