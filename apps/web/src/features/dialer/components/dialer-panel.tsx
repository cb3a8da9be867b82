import { Suspense, useMemo } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { DialogBody } from "../../../ui/dialog.tsx";
import { DockedDialog } from "../../../ui/docked-dialog.tsx";
import { Skeleton } from "../../../ui/list-states.tsx";
import { closeDialer, useDialerScreen } from "../dialer-store.ts";
import { dialerMessages } from "../messages.ts";
import { useCloseDialer } from "../queries.ts";
import { isLive, useDialer } from "../session-query.ts";
import { hasSummary } from "../session-state.ts";
import { LiveSession } from "./live-session.tsx";

const DialerSetup = lateComponent(() => import("./dialer-setup.tsx"));
const DialerSummary = lateComponent(() => import("./dialer-summary.tsx"));

/** The dialer on its page and in the dock: before, during and after a session. */
export function DialerPanel() {
  const { session, clockOffset, isLoading } = useDialer();
  if (session && isLive(session)) return <LiveSession session={session} clockOffset={clockOffset} />;
  // The set-up is not offered for a moment where a session runs.
  if (isLoading) return <PanelSkeleton />;
  return (
    <Suspense fallback={<PanelSkeleton />}>
      {session && hasSummary(session) ? <DialerSummary session={session} /> : <DialerSetup />}
    </Suspense>
  );
}

function PanelSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-4 pb-4">
      <Skeleton className="h-6 w-40" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-64 w-full" />
      <Skeleton className="h-11 w-full" />
    </div>
  );
}

/**
 * The dialer docked beside the page, like every call. When it is closed or minimised the session continues and the bar opens it again;
 * closing it also dismisses the summary of an ended session.
 */
export default function DialerDialog() {
  const t = useMessages(dialerMessages);
  const { opener } = useDialerScreen();
  const { session } = useDialer();
  const putAway = useCloseDialer(session?.id ?? 0);
  const returnFocusTo = useMemo(() => ({ current: opener }), [opener]);
  return (
    <DockedDialog
      onClose={() => {
        closeDialer();
        if (session && hasSummary(session)) putAway.mutate(undefined);
      }}
      onMinimise={session && isLive(session) ? closeDialer : undefined}
      title={t("title")}
      description={t("hint")}
      returnFocusTo={returnFocusTo}
    >
      <DialogBody className="flex flex-col px-4 pb-0 sm:rounded-b-2xl [&>*]:flex-1">
        <DialerPanel />
      </DialogBody>
    </DockedDialog>
  );
}
