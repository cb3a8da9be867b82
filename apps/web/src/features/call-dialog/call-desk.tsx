import { createContext, lazy, type ReactNode, Suspense, useContext } from "react";
import { LiveCallBar } from "./components/live-call-bar.tsx";
import { type CallSession, useCallSession } from "./use-call-session.ts";

const CallDialog = lazy(() => import("./components/call-dialog.tsx"));

const CallDeskContext = createContext<CallSession | null>(null);

/** Holds the rep's one call for the screens inside: the dialog, and the way back to a call that goes on behind a closed one. */
export function CallDesk({ children }: { children: ReactNode }) {
  const session = useCallSession();
  return (
    <CallDeskContext value={session}>
      {children}
      {session.hiddenCall ? <LiveCallBar call={session.hiddenCall} onReturn={session.resume} /> : null}
      {session.state.open ? (
        <Suspense fallback={null}>
          <CallDialog session={session} />
        </Suspense>
      ) : null}
    </CallDeskContext>
  );
}

/** The rep's call, inside `CallDesk`: `useCallDesk().start(lead)` rings the rep and then the lead. */
export function useCallDesk(): CallSession {
  const session = useContext(CallDeskContext);
  if (!session) throw new Error("useCallDesk needs a CallDesk above it");
  return session;
}
