import type { Call } from "@portal/contract/entities/call";
import { createContext, lazy, type ReactNode, Suspense, useContext, useMemo, useRef } from "react";
import type { CallLead } from "./call-state.ts";
import { LiveCallBar } from "./components/live-call-bar.tsx";
import { type CallSession, useCallSession } from "./use-call-session.ts";

const loadCallDialog = () => import("./components/call-dialog.tsx");
const CallDialog = lazy(loadCallDialog);
const InboundCallBar = lazy(() => import("./components/inbound-call-bar.tsx"));

/** Fetches the dialog before it is asked for, so that it opens with the press. */
export function preloadCallDialog(): void {
  // A failure shows when the dialog is opened.
  loadCallDialog().catch(() => undefined);
}

/** What a screen may do with the rep's call; the rest is the dialog's. */
type Desk = Pick<CallSession, "start" | "resume" | "hiddenCall">;

const DeskContext = createContext<Desk | null>(null);

interface CallDeskProps {
  children: ReactNode;
  /** The lead whose call something else on screen shows (the auto-dialer): no bar for it here. */
  ownedLeadId: number | null;
  /** Leads to what shows that call. */
  onReturnToOwner: () => void;
}

/** Holds the rep's one call around all pages, so that it outlives each: the dialog, and on every page the way back to a call behind a closed one. */
export function CallDesk({ children, ownedLeadId, onReturnToOwner }: CallDeskProps) {
  const session = useCallSession();
  const { start, resume, hiddenCall, inbound } = session;
  const opener = useRef<HTMLElement | null>(null);
  const desk = useMemo(() => {
    const rememberOpener = () => {
      opener.current = document.activeElement as HTMLElement | null;
    };
    return {
      hiddenCall,
      start: (lead: CallLead, overrideReason?: string) => {
        rememberOpener();
        start(lead, overrideReason);
      },
      resume: (call: Call) => {
        if (call.leadId === ownedLeadId) return onReturnToOwner();
        rememberOpener();
        resume(call);
      },
    };
  }, [start, resume, hiddenCall, ownedLeadId, onReturnToOwner]);
  return (
    <DeskContext value={desk}>
      {children}
      {hiddenCall && hiddenCall.leadId !== ownedLeadId ? (
        <LiveCallBar call={hiddenCall} since={session.hiddenSince} onReturn={desk.resume} />
      ) : null}
      {inbound && !hiddenCall ? (
        <Suspense fallback={null}>
          <InboundCallBar call={inbound} since={session.inboundSince} />
        </Suspense>
      ) : null}
      {session.state.open ? (
        <Suspense fallback={null}>
          <CallDialog session={session} returnFocusTo={opener} />
        </Suspense>
      ) : null}
    </DeskContext>
  );
}

/** The rep's call, inside `CallDesk`: `useCallDesk().start(lead)` rings the rep and then the lead. */
export function useCallDesk(): Desk {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error("useCallDesk needs a CallDesk above it");
  return desk;
}
