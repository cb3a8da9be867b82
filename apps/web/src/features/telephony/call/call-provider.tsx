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

const CorrectOutcome = lateComponent(() => import("./correct-outcome.tsx"));

const loadCallBar = () => import("./live-call-bar.tsx");
const LiveCallBar = lateComponent(async () => ({ default: (await loadCallBar()).LiveCallBar }));

/** Fetches the dialog, and the bar of one that is closed, before they are asked for, so that they open with the press. */
export function preloadCallDialog(): void {
  preloadCode(loadCallDialog);
  preloadCode(loadCallBar);
}

/** Whether the next call is only opened, with the focus on its button: so it is by a key, where no phone of one's own asks for 1 first. */
let preparesNext = false;

/** Presses a button that calls. `isPrepared` opens the call and rings nobody. */
export function pressCall(button: HTMLElement, { isPrepared }: { isPrepared: boolean }): void {
  preparesNext = isPrepared;
  button.click();
  preparesNext = false;
}

/** What a screen may do with the rep's call; the rest is the dialog's. */
type RepCall = Pick<CallSession, "start" | "resume" | "hiddenCall" | "inboundCalls" | "inboundAt">;

const RepCallContext = createContext<RepCall | null>(null);

interface CallProviderProps {
  children: ReactNode;
  /** What one does for a lead beside a call, of features that build on this one. */
  tools: ComponentType<CallToolsProps>;
  /** The lead whose call something else on screen shows (the auto-dialer): no bar for it here. */
  ownedLeadId: number | null;
  /** Leads to what shows that call. */
  onReturnToOwner: () => void;
}

/** Holds the rep's one call around all pages, so that it outlives each: the dialog, and on every page the way back to a call behind a closed one. */
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

/** While the dialog's code is on its way: a call that failed for want of a network is closed, because a toast has reported it already. */
function DialogOnWay({ session: { state, discard } }: { session: CallSession }) {
  const isRefused = state.refusal !== null;
  const giveUp = useEffectEvent(discard);
  useEffect(() => {
    if (isRefused && !navigator.onLine) giveUp();
  }, [isRefused]);
  return null;
}

/** The rep's call, inside `CallProvider`: `useRepCall().start(lead)` rings the rep and then the lead. */
export function useRepCall(): RepCall {
  const repCall = useContext(RepCallContext);
  if (!repCall) throw new Error("useRepCall needs a CallProvider above it");
  return repCall;
}
