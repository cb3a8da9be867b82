import type { InboundCall } from "@portal/contract/entities/call";
import { endInboundCall, getLiveCall } from "@portal/contract/routes/calls";
import { getLead } from "@portal/contract/routes/leads";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { PhoneOff, UserPlus } from "lucide-react";
import { type RefObject, use, useImperativeHandle, useRef } from "react";
import { newLeadButtonMessages } from "../features/new-lead/messages.ts";
import { openNewLead } from "../features/new-lead/open-new-lead.tsx";
import { CallAnswer } from "../features/telephony/call/call-answer.tsx";
import { CallToolsContext } from "../features/telephony/call/call-tools-context.ts";
import { callDialogMessages } from "../features/telephony/call/dialog-messages.ts";
import { LeadBrief, LeadPlanFields, minimiseOnPhones } from "../features/telephony/call/lead-brief.tsx";
import { callBarMessages } from "../features/telephony/call/live-call-bar.tsx";
import { callMessages } from "../features/telephony/call/messages.ts";
import { focusOutcome } from "../features/telephony/call/outcome-picker.tsx";
import { sayNotEnded } from "../features/telephony/call/queries.ts";
import { useCallShortcuts } from "../features/telephony/call/use-call-shortcuts.ts";
import { callRoute } from "../lib/api.ts";
import { useNow } from "../lib/clock.tsx";
import { cn } from "../lib/cn.ts";
import { formatDuration, formatPhone } from "../lib/format.ts";
import { defineMessages, useMessages } from "../lib/i18n.ts";
import { invalidatePaths, routeQuery } from "../lib/query-client.ts";
import { useUnsavedGuard } from "../lib/use-unsaved-guard.ts";
import { Button } from "../ui/button.tsx";
import { DialogBody, DialogFooter } from "../ui/dialog.tsx";
import { DockedDialog } from "../ui/docked-dialog.tsx";
import { useInboundAnswer } from "./use-inbound-answer.ts";

/** Saves outcome and notes of the call, then calls `then`; if saving fails, it does not. */
export type Leave = (then: () => void) => void;

interface InboundDockProps {
  ref: RefObject<Leave | null>;
  call: InboundCall;
  /** The line above the name: who is calling which phone, or that the call has ended. */
  status: string;
  isOver: boolean;
  /** When it was answered, by the browser's clock in ms; null while ringing. */
  since: number | null;
  isMinimised: boolean;
  onMinimise: (isMinimised: boolean) => void;
  onLead: (lead: { id: number; name: string }) => void;
  onClose: () => void;
}

/** Ends a call that the user took. Defined here, so that the first screen does not load it. */
function useEndInboundCall() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callRoute(endInboundCall, { params: { id } }),
    onError: sayNotEnded,
    onSettled: () => invalidatePaths(client, [getLiveCall.path]),
  });
}

/** An inbound call, docked like an outbound one; minimised, nothing of it is rendered and its state is kept. */
export function InboundDock(props: InboundDockProps) {
  const { ref, call, status, isOver, since, isMinimised, onMinimise, onLead, onClose } = props;
  const t = useMessages(callDialogMessages);
  const calls = useMessages(callMessages);
  const bar = useMessages(callBarMessages);
  const now = useNow(!isOver && since !== null && !isMinimised);
  const { data: lead } = useQuery({
    ...routeQuery(getLead, { params: { id: call.leadId ?? 0 } }),
    enabled: call.leadId !== null,
  });
  const talkSeconds = since === null ? 0 : Math.max(0, Math.floor((now - since) / 1000));
  const tools = use(CallToolsContext);
  const answer = useInboundAnswer({ call, lead, isOver });
  const { outcome, chosen, save } = answer;
  useImperativeHandle(ref, () => (then) => {
    if (!answer.leave(then)) onMinimise(false);
  });
  useUnsavedGuard(answer.hasUnsaved);
  const end = useEndInboundCall();

  const isTaken = call.answeredAt !== null;
  const picker = useRef<HTMLElement>(null);
  useCallShortcuts(picker, (key) => {
    if (save === "pending" || !isTaken) return;
    if (key.kind === "outcome") {
      answer.choose(key.outcome);
      focusOutcome(picker.current, key.outcome);
    }
    if (key.kind === "save") answer.submit(onClose);
  });
  if (isMinimised) return null;
  const close = () => answer.leave(onClose);
  const name = call.leadName || (call.callerNumber ? formatPhone(call.callerNumber) : bar("withheld"));
  const asksOutcome = lead !== undefined && (isTaken || !isOver);
  // For a call to the consultant's own phone it is known who took it.
  const waits = asksOutcome && isOver && call.line === "personal";
  return (
    <DockedDialog
      title={bar("inboundBar", { name })}
      description={call.leadId !== null && call.callerNumber ? formatPhone(call.callerNumber) : undefined}
      onClose={close}
      onMinimise={() => onMinimise(true)}
    >
      <DialogBody className="grid content-start gap-4 px-4 py-3 sm:px-5">
        {/* The same height with and without the timer, so that nothing below moves. */}
        <section
          className={cn(
            "grid min-h-27 content-center justify-items-center gap-1 rounded-xl border px-4 text-center",
            isOver ? "bg-muted/60" : "border-primary/40 bg-primary-soft",
          )}
        >
          <p role="status" className="font-semibold">
            {status}
          </p>
          {since === null || isOver ? null : (
            <p
              role="timer"
              aria-label={calls("timer")}
              className="font-semibold text-4xl tabular-nums leading-11 tracking-tight"
            >
              {formatDuration(talkSeconds)}
            </p>
          )}
        </section>
        {asksOutcome ? (
          <CallAnswer
            ref={picker}
            outcome={outcome}
            suggested={answer.suggested}
            notes={answer.notes}
            isOff={!isTaken}
            isSaving={save === "pending"}
            hasKeys={isTaken}
            warning={answer.isWarned ? t(outcome ? "notesWarningSuggested" : "notesWarning") : undefined}
            hint={waits && chosen === null ? t("noOutcomeYet") : undefined}
            onChoose={answer.choose}
            onType={answer.type}
          />
        ) : null}
        {lead ? (
          <>
            {/* For a colleague's lead, follow-ups are the colleague's to plan. */}
            <CallToolsContext value={call.standsInFor === null ? tools : null}>
              <LeadBrief lead={lead} onOpenLead={minimiseOnPhones(() => onMinimise(true))} />
            </CallToolsContext>
            {call.standsInFor === null ? (
              <LeadPlanFields
                lead={lead}
                plan={answer.plan}
                disabled={save === "pending"}
                onChange={answer.planLead}
              />
            ) : null}
          </>
        ) : null}
        {call.leadId === null ? <Stranger number={call.callerNumber} onLead={onLead} /> : null}
      </DialogBody>
      <DialogFooter className="flex-row flex-wrap justify-end px-4 py-3 sm:px-5">
        {call.mayEnd && !isOver ? (
          <Button
            variant="destructive"
            className="mr-auto max-sm:flex-1"
            pending={end.isPending}
            onClick={() => end.mutate(call.id)}
          >
            {end.isPending ? null : <PhoneOff aria-hidden />}
            {t("endCall")}
          </Button>
        ) : null}
        {save === "failed" ? (
          <Button variant="secondary" onClick={onClose}>
            {t("closeWithoutSaving")}
          </Button>
        ) : null}
        {chosen === null && save !== "failed" ? (
          <Button variant="secondary" className="max-sm:flex-1" onClick={close}>
            {t(waits ? "decideLater" : "done")}
          </Button>
        ) : null}
        {asksOutcome ? (
          <Button
            className="max-sm:flex-1"
            pending={save === "pending"}
            disabled={outcome === null}
            onClick={() => answer.submit(onClose)}
          >
            {t(save === "pending" ? "saving" : "saveLog")}
          </Button>
        ) : null}
      </DialogFooter>
    </DockedDialog>
  );
}

interface StrangerProps {
  number: string | null;
  onLead: (lead: { id: number; name: string }) => void;
}

/** A caller without a lead can be made one, with the number filled in. */
function Stranger({ number, onLead }: StrangerProps) {
  const add = useMessages(newLeadButtonMessages);
  const dock = useMessages(inboundMessages);
  return (
    <section className="grid justify-items-start gap-3 rounded-xl border p-3 text-sm">
      <p className="text-muted-foreground">{dock(number === null ? "withheldHint" : "strangerHint")}</p>
      {number === null ? null : (
        <Button
          aria-haspopup="dialog"
          aria-label={add("newLeadFor", { number: formatPhone(number) })}
          onClick={() => openNewLead({ phone: number, onMade: onLead })}
        >
          <UserPlus aria-hidden />
          {add("newLead")}
        </Button>
      )}
    </section>
  );
}

/** Messages of an inbound call's bar and dock. */
export const inboundMessages = defineMessages("inbound-dock", {
  open: ["Open", "Abrir"],
  hide: ["Hide", "Ocultar"],
  ended: ["Call ended", "Llamada terminada"],
  endedOrTaken: ["Call ended, or with a colleague", "Llamada terminada, o con un colega"],
  rangOut: ["No longer ringing", "Ya no suena"],
  strangerHint: [
    "This number belongs to no lead. Add one to save notes, outcome and follow-up.",
    "Este número no es de ningún prospecto. Agrega uno para guardar notas, resultado y seguimiento.",
  ],
  withheldHint: [
    "The caller hides their number. Ask for it to add them as a lead.",
    "Quien llama oculta su número. Pídeselo para agregarlo como prospecto.",
  ],
});
