import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { DialerBar } from "./components/dialer-bar.tsx";
import { useDialerScreen } from "./dialer-store.ts";
import { useDialerToasts } from "./dialer-toasts.ts";
import { dialerQuery, isLive } from "./session-query.ts";
import { usePauseOnLeave, useTypingNotice } from "./use-session-watch.ts";

const DialerDialog = lazy(() => import("./components/dialer-dialog.tsx"));

/** The dialer around all pages: its overlay, its bar while that is closed, its toasts, and the pause when the last page goes. */
export default function DialerDesk() {
  const { data } = useQuery(dialerQuery());
  const { overlay, page } = useDialerScreen();
  const session = data?.session ?? null;
  useDialerToasts(session, data !== undefined);
  usePauseOnLeave(session);
  useTypingNotice(session);
  const isOverlaid = overlay && !page;
  return (
    <>
      {data && session && isLive(session) && !isOverlaid && !page ? (
        <>
          {/* Room for the bar, so that it never covers the end of the page. */}
          <div className="h-16" />
          <DialerBar session={session} clockOffset={data.clockOffset} />
        </>
      ) : null}
      {isOverlaid ? (
        <Suspense fallback={null}>
          <DialerDialog />
        </Suspense>
      ) : null}
    </>
  );
}
