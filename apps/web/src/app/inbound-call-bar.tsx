import type { InboundCall } from "@portal/contract/entities/call";
import { History, PanelRightOpen, X } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { BottomBar, callBarMessages } from "../features/telephony/call/live-call-bar.tsx";
import { formatPhone } from "../lib/format.ts";
import { useMessages } from "../lib/i18n.ts";
import { lateComponent } from "../lib/late-module.ts";
import { Button } from "../ui/button.tsx";
import { InboundDock, inboundMessages, type Leave } from "./inbound-dock.tsx";

const TimelineDialog = lateComponent(() => import("../features/activity/timeline-dialog.tsx"));

interface InboundCallBarProps {
  /** The ringing and current calls, and when they were read, by the browser's clock in ms. */
  calls: InboundCall[];
  at: number;
  /** The user's own call occupies the bar. */
  isBehind: boolean;
}

/**
 * Shows who is calling the consultant's phone or the office line, or is connected: first as a bar that does not take the focus, and as the
 * docked call when pressed. The docked call stays after the end until it is closed.
 */
export default function InboundCallBar({ calls, at, isBehind }: InboundCallBarProps) {
  const bar = useMessages(callBarMessages);
  const dock = useMessages(inboundMessages);
  const [docked, setDocked] = useState<InboundCall | null>(null);
  const [isMinimised, setMinimised] = useState(false);
  const [hidden, setHidden] = useState<number | null>(null);
  const [hasHistory, setHistory] = useState<{ id: number; name: string } | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const leave = useRef<Leave>(null);

  const found = calls.find(({ id }) => id === docked?.id);
  // A caller who was made a lead here is one, even if the response is older.
  const fresh = found && docked && found.leadId === null ? { ...found, ...leadOf(docked) } : found;
  if (fresh && docked && fresh.now !== docked.now) setDocked(fresh);
  const isOver = docked !== null && !found;
  const next = calls.find(({ id }) => id !== docked?.id && id !== hidden);
  const shown = next ?? (isMinimised ? docked : null);

  const since = ({ answeredAt, now }: InboundCall) =>
    answeredAt === null ? null : at - (Date.parse(now) - Date.parse(answeredAt));
  function open(call: InboundCall): void {
    const show = () => {
      setDocked(call);
      setMinimised(false);
    };
    // The outcome and notes of the docked call are saved before another call replaces it.
    if (docked && call.id !== docked.id && leave.current) leave.current(show);
    else show();
  }
  function statusOf(call: InboundCall): string {
    if (call.id === docked?.id && isOver) {
      if (call.answeredAt === null) return dock("rangOut");
      return dock(call.leadId === null ? "endedOrTaken" : "ended");
    }
    const rings = call.state === "ringing";
    if (call.line === "office") return bar(rings ? "officeRings" : "officeTalks");
    const { standsInFor } = call;
    if (standsInFor !== null) return bar(rings ? "standInRings" : "standInTalks", { name: standsInFor });
    return bar(rings ? "inboundRings" : "inboundTalks");
  }
  const name = shown ? nameOf(shown, bar("withheld")) : "";
  return (
    <>
      {shown && !isBehind ? (
        <BottomBar
          label={bar("inboundBar", { name })}
          title={statusOf(shown)}
          name={name}
          since={shown.id === docked?.id && isOver ? null : since(shown)}
          isFurther
        >
          {shown.leadId === null ? null : (
            <Button
              ref={opener}
              size="sm"
              variant="secondary"
              onClick={() => shown.leadId !== null && setHistory({ id: shown.leadId, name: shown.leadName })}
            >
              <History aria-hidden />
              {bar("inboundHistory")}
            </Button>
          )}
          <Button size="sm" onClick={() => open(shown)}>
            <PanelRightOpen aria-hidden className="max-sm:hidden" />
            {dock("open")}
          </Button>
          {shown.line === "office" && shown.id !== docked?.id ? (
            <Button
              size="icon-sm"
              variant="ghost"
              aria-label={dock("hide")}
              onClick={() => setHidden(shown.id)}
            >
              <X aria-hidden />
            </Button>
          ) : null}
        </BottomBar>
      ) : null}
      {docked ? (
        <InboundDock
          key={docked.id}
          ref={leave}
          call={docked}
          status={statusOf(docked)}
          isOver={isOver}
          since={since(docked)}
          isMinimised={isMinimised}
          onMinimise={setMinimised}
          onLead={({ id: leadId, name: leadName }) => setDocked((now) => now && { ...now, leadId, leadName })}
          onClose={() => {
            setDocked(null);
            // A call that was closed before its end can be opened again.
            setMinimised(false);
          }}
        />
      ) : null}
      {hasHistory ? (
        <Suspense fallback={null}>
          <TimelineDialog lead={hasHistory} onClose={() => setHistory(null)} returnFocusTo={opener} />
        </Suspense>
      ) : null}
    </>
  );
}

const leadOf = ({ leadId, leadName }: InboundCall) => ({ leadId, leadName });

function nameOf({ leadName, callerNumber }: InboundCall, withheld: string): string {
  return leadName || (callerNumber === null ? withheld : formatPhone(callerNumber));
}
