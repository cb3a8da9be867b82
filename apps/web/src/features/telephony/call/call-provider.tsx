import type { Call } from "@portal/contract/entities/call";
import {
  type ComponentType,
  createContext,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from "react";
import { preloadCode } from "../../../lib/connection.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { useStore } from "../../../lib/store.ts";
import type { CallLead } from "./call-state.ts";
import { CallToolsContext, type CallToolsProps } from "./call-tools-context.ts";
import { correctedOutcome } from "./outcome-store.ts";
import { type CallSession, useCallSession } from "./use-call-session.ts";

const loadCallDialog = () => import("./call-dialog.tsx");
const CallDialog = lateComponent(loadCallDialog);

const loadCorrectOutcome = () => import("./correct-outcome.tsx");
const CorrectOutcome = lateComponent(loadCorrectOutcome);

const loadCallBar = () => import("./live-call-bar.tsx");
const LiveCallBar = lateComponent(async () => ({ default: (await loadCallBar()).LiveCallBar }));

/** Preloads the dialog, the bar and the correction of an outcome, so that they open without delay. */
export function preloadCallDialog(): void {
  preloadCode(loadCallDialog);
  preloadCode(loadCallBar);
  preloadCode(loadCorrectOutcome);
}

/** Whether the next call is only prepared, with the focus on its button. Used by shortcuts if the user's phone does not ask for 1 first. */
let preparesNext = false;

/** Presses a call button. With `isPrepared` the call is opened without ringing anybody. */
export function pressCall(button: HTMLElement, { isPrepared }: { isPrepared: boolean }): void {
  preparesNext = isPrepared;
  button.click();
  preparesNext = false;
}

/** The part of the call session that pages may use. */
type RepCall = Pick<CallSession, "start" | "resume" | "hiddenCall" | "inboundCalls" | "inboundAt">;

const RepCallContext = createContext<RepCall | null>(null);

interface CallProviderProps {
  children: ReactNode;
  /** Buttons for a lead next to a call, from features that depend on this one. */
  tools: ComponentType<CallToolsProps>;
  /** The lead whose call is shown elsewhere (in the auto-dialer), so no bar is shown for it. */
  ownedLeadId: number | null;
  /** Opens the place that shows that call. */
  onReturnToOwner: () => void;
}

/** Holds the user's call session around all pages: the dialog, and a bar on every page while the dialog is closed. */
export function CallProvider({ children, tools, ownedLeadId, onReturnToOwner }: CallProviderProps) {
  const session = useCallSession();
  const { start, prepare, resume, hiddenCall, inboundCalls, inboundAt } = session;
  const opener = useRef<HTMLElement | null>(null);
  const [isMinimised, setMinimised] = useState(false);
  const corrected = useStore(correctedOutcome);
  const repCall = useMemo(() => {
    const rememberOpener = () => {
      opener.current = document.activeElement as HTMLElement | null;
      setMinimised(false);
    };
    return {
      hiddenCall,
      inboundCalls,
      inboundAt,
      start: (lead: CallLead, overrideReason?: string) => {
        rememberOpener();
        if (preparesNext) prepare(lead);
        else start(lead, overrideReason);
      },
      resume: (call: Call) => {
        if (call.leadId === ownedLeadId) return onReturnToOwner();
        rememberOpener();
        resume(call);
      },
    };
  }, [start, prepare, resume, hiddenCall, inboundCalls, inboundAt, ownedLeadId, onReturnToOwner]);
  return (
    <RepCallContext value={repCall}>
      <CallToolsContext value={tools}>
        {children}
        {hiddenCall && hiddenCall.leadId !== ownedLeadId ? (
          <Suspense fallback={null}>
            <LiveCallBar call={hiddenCall} since={session.hiddenSince} onReturn={repCall.resume} />
          </Suspense>
        ) : null}
        {corrected ? (
          <Suspense fallback={null}>
            <CorrectOutcome kept={corrected} onClose={() => correctedOutcome.set(null)} />
          </Suspense>
        ) : null}
        {session.state.open ? (
          <Suspense fallback={<DialogOnWay session={session} />}>
            <CallDialog
              session={session}
              returnFocusTo={opener}
              isMinimised={isMinimised}
              onMinimise={setMinimised}
            />
          </Suspense>
        ) : null}
      </CallToolsContext>
    </RepCallContext>
  );
}

/** Shown while the dialog's code loads: a call that failed without a network is discarded, as a toast has reported it already. */
function DialogOnWay({ session: { state, discard } }: { session: CallSession }) {
  const isRefused = state.refusal !== null;
  const giveUp = useEffectEvent(discard);
  useEffect(() => {
    if (isRefused && !navigator.onLine) giveUp();
  }, [isRefused]);
  return null;
}

/** The call session, within `CallProvider`: `useRepCall().start(lead)` rings the consultant and then the lead. */
export function useRepCall(): RepCall {
  const repCall = useContext(RepCallContext);
  if (!repCall) throw new Error("useRepCall needs a CallProvider above it");
  return repCall;
}
