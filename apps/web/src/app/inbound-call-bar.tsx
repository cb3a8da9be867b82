import type { InboundCall } from "@portal/contract/entities/call";
import { getLead } from "@portal/contract/routes/leads";
import { useQuery } from "@tanstack/react-query";
import { History, PanelRightOpen } from "lucide-react";
import { type RefObject, Suspense, useImperativeHandle, useRef, useState } from "react";
import { callBarMessages } from "../features/telephony/call/bar-messages.ts";
import { BottomBar } from "../features/telephony/call/call-bar.tsx";
import { LeadBrief, LeadPlanFields } from "../features/telephony/call/call-lead.tsx";
import { type LeadPlan, noPlan } from "../features/telephony/call/call-state.ts";
import { planChange } from "../features/telephony/call/lead-plan.ts";
import { callMessages } from "../features/telephony/call/messages.ts";
import { sayPlanSaved, useSaveLeadPlan } from "../features/telephony/call/queries.ts";
import { formatDuration } from "../lib/format.ts";
import { defineMessages, useMessages } from "../lib/i18n.ts";
import { lateComponent } from "../lib/late-module.ts";
import { routeQuery } from "../lib/query-client.ts";
import { useNow } from "../lib/use-clock.ts";
import { useUnsavedGuard } from "../lib/use-unsaved-guard.ts";
import { Button } from "../ui/button.tsx";
import { DialogBody, DialogFooter } from "../ui/dialog.tsx";
import { DockedDialog } from "../ui/docked-dialog.tsx";

const inboundMessages = defineMessages("inbound-dock", {
  open: ["Open", "Abrir"],
  ended: ["Call ended", "Llamada terminada"],
  save: ["Save", "Guardar"],
  saving: ["Saving...", "Guardando..."],
});

const TimelineDialog = lateComponent(() => import("../features/activity/timeline-dialog.tsx"));

interface InboundCallBarProps {
  /** The call that rings or goes on; null where there is none any more. */
  call: InboundCall | null;
  /** When it was answered, by the browser's clock in ms; null while it rings. */
  since: number | null;
}

/**
 * Says which lead rings the consultant's phone, or is on it: a bar, which takes the focus from nobody, and by a press the docked call. That
 * stays after the end until it is closed.
 */
export default function InboundCallBar({ call, since }: InboundCallBarProps) {
  const bar = useMessages(callBarMessages);
  const dock = useMessages(inboundMessages);
  const [docked, setDocked] = useState<InboundCall | null>(null);
  const [hasHistory, setHistory] = useState<InboundCall | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const leave = useRef<Leave>(null);
  const isOver = call?.id !== docked?.id;
  // What was chosen in the call that is docked so far is kept before another one takes its place.
  const open = (next: InboundCall) =>
    leave.current ? leave.current(() => setDocked(next)) : setDocked(next);
  return (
    <>
      {call && isOver ? (
        <BottomBar
          label={bar("inboundBar", { name: call.leadName })}
          title={bar(call.state === "ringing" ? "inboundRings" : "inboundTalks")}
          name={call.leadName}
          since={since}
          isFurther
        >
          <Button ref={opener} size="sm" variant="secondary" onClick={() => setHistory(call)}>
            <History aria-hidden />
            {bar("inboundHistory")}
          </Button>
          <Button size="sm" onClick={() => open(call)}>
            <PanelRightOpen aria-hidden className="max-sm:hidden" />
            {dock("open")}
          </Button>
        </BottomBar>
      ) : null}
      {docked ? (
        <InboundDock
          key={docked.id}
          ref={leave}
          call={isOver ? docked : (call ?? docked)}
          isOver={isOver}
          since={since}
          onClose={() => setDocked(null)}
        />
      ) : null}
      {hasHistory ? (
        <Suspense fallback={null}>
          <TimelineDialog
            lead={{ id: hasHistory.leadId, name: hasHistory.leadName }}
            onClose={() => setHistory(null)}
            returnFocusTo={opener}
          />
        </Suspense>
      ) : null}
    </>
  );
}

/** Keeps what was chosen, then does what is asked; where it cannot be kept, nothing. */
type Leave = (then: () => void) => void;

interface InboundDockProps {
  ref: RefObject<Leave | null>;
  call: InboundCall;
  isOver: boolean;
  since: number | null;
  onClose: () => void;
}

function InboundDock({ ref, call, isOver, since, onClose }: InboundDockProps) {
  const t = useMessages(callMessages);
  const bar = useMessages(callBarMessages);
  const dock = useMessages(inboundMessages);
  const now = useNow(!isOver && since !== null);
  const { data: lead } = useQuery(routeQuery(getLead, { params: { id: call.leadId } }));
  const [plan, setPlan] = useState<LeadPlan>(noPlan);
  const save = useSaveLeadPlan();
  const change = planChange(plan, lead);
  function keep(onSuccess: () => void): void {
    if (!change || save.isPending) return;
    const onSaved = () => {
      sayPlanSaved();
      onSuccess();
    };
    save.mutate({ leadId: call.leadId, change }, { onSuccess: onSaved });
  }
  const leave: Leave = (then) => (change ? keep(then) : then());
  useImperativeHandle(ref, () => leave);
  useUnsavedGuard(change !== null);
  return (
    <DockedDialog
      title={bar("inboundBar", { name: call.leadName })}
      onClose={() => leave(onClose)}
      onMinimise={isOver ? undefined : () => leave(onClose)}
    >
      <DialogBody className="grid content-start gap-4 px-4 py-3 sm:px-5">
        <section className="grid justify-items-center gap-1 rounded-xl border bg-primary-soft px-4 py-4 text-center">
          <p role="status" className="font-semibold">
            {isOver ? dock("ended") : bar(call.state === "ringing" ? "inboundRings" : "inboundTalks")}
          </p>
          <p
            {...(since === null ? {} : { role: "timer", "aria-label": t("timer") })}
            className="min-h-11 font-semibold text-4xl tabular-nums leading-11 tracking-tight"
          >
            {since === null || isOver ? null : formatDuration((now - since) / 1000)}
          </p>
        </section>
        {lead ? (
          <>
            <LeadBrief lead={lead} />
            <LeadPlanFields
              lead={lead}
              plan={plan}
              disabled={save.isPending}
              onChange={(part) => setPlan((before) => ({ ...before, ...part }))}
            />
          </>
        ) : null}
      </DialogBody>
      <DialogFooter className="flex-row justify-end px-4 py-3 sm:px-5">
        <Button
          className="max-sm:flex-1"
          pending={save.isPending}
          disabled={change === null}
          onClick={() => keep(() => setPlan(noPlan))}
        >
          {dock(save.isPending ? "saving" : "save")}
        </Button>
      </DialogFooter>
    </DockedDialog>
  );
}
