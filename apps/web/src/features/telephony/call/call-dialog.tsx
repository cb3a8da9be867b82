import { PhoneCall, PhoneOff } from "lucide-react";
import { type RefObject, useRef } from "react";
import { useNow } from "../../../lib/clock.tsx";
import { useRootMark } from "../../../lib/document.ts";
import { formatPhone } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { useUnsavedGuard } from "../../../lib/use-unsaved-guard.ts";
import { Button } from "../../../ui/button.tsx";
import { DialogBody, DialogFooter } from "../../../ui/dialog.tsx";
import { DockedDialog } from "../../../ui/docked-dialog.tsx";
import { LeaveMessage } from "../voicemail-messages/leave-message.tsx";
import { CallAnswer } from "./call-answer.tsx";
import { isUnreached, leadNeverRung, suggestedOutcome } from "./call-state.ts";
import { CallStatus } from "./call-status.tsx";
import { callDialogMessages } from "./dialog-messages.ts";
import { LeadBrief, LeadPlanFields, minimiseOnPhones } from "./lead-brief.tsx";
import { BottomBar } from "./live-call-bar.tsx";
import { callMessages } from "./messages.ts";
import { focusOutcome } from "./outcome-picker.tsx";
import { callProgress } from "./progress-values.ts";
import type { CallSession } from "./use-call-session.ts";
import { useCallShortcuts } from "./use-call-shortcuts.ts";

interface CallDialogProps {
  session: CallSession;
  /** The button that opened it. */
  returnFocusTo: RefObject<HTMLElement | null>;
  isMinimised: boolean;
  onMinimise: (isMinimised: boolean) => void;
}

/** The call, docked beside the page or minimised to a bar, which keeps all input. */
export default function CallDialog({ session, returnFocusTo, isMinimised, onMinimise }: CallDialogProps) {
  const { notes, chosen } = session.state;
  useUnsavedGuard(notes.trim() !== "" || chosen || session.hasPlan);
  return isMinimised ? (
    <MinimisedCall session={session} onRestore={() => onMinimise(false)} />
  ) : (
    <OpenCall session={session} returnFocusTo={returnFocusTo} onMinimise={() => onMinimise(true)} />
  );
}

function MinimisedCall({ session, onRestore }: { session: CallSession; onRestore: () => void }) {
  const t = useMessages(callDialogMessages);
  const calls = useMessages(callMessages);
  const { state } = session;
  useRootMark("hasMinimisedCall");
  const now = useNow(state.phase === "live");
  const name = state.lead?.name ?? "";
  const isLive = state.phase === "live";
  return (
    <BottomBar
      label={t("title", { name })}
      title={callProgress(state, now, t).title}
      name={name}
      since={isLive ? state.acceptedAt : null}
    >
      {/* On a phone the buttons have their own line. */}
      <div className="flex gap-2 max-sm:basis-full max-sm:*:flex-1 sm:gap-3">
        {isLive || state.phase === "connecting" ? <EndCallButton session={session} size="sm" /> : null}
        <Button size="sm" variant={isLive ? "secondary" : "primary"} onClick={onRestore}>
          <PhoneCall aria-hidden className="max-sm:hidden" />
          {calls("returnToCall")}
        </Button>
      </div>
    </BottomBar>
  );
}

function EndCallButton({
  session,
  size,
  className,
}: {
  session: CallSession;
  size?: "sm";
  className?: string;
}) {
  const t = useMessages(callDialogMessages);
  const { phase, ending } = session.state;
  return (
    <Button
      variant="destructive"
      {...(size && { size })}
      className={className}
      pending={ending}
      disabled={phase === "connecting"}
      onClick={() => void session.end()}
    >
      {ending ? null : <PhoneOff aria-hidden />}
      {t("endCall")}
    </Button>
  );
}

type OpenCallProps = Pick<CallDialogProps, "session" | "returnFocusTo"> & { onMinimise: () => void };

/** The call's progress, timer, outcome and notes, and the plan for its lead. */
function OpenCall({ session, returnFocusTo, onMinimise }: OpenCallProps) {
  const t = useMessages(callDialogMessages);
  const { state, chooseOutcome, leadNow } = session;
  const { lead, call, phase } = state;
  const ended = phase === "ended";
  const connecting = phase === "connecting";
  // Shown disabled while connecting, so that the content below does not move.
  const asksOutcome = connecting || phase === "live" || (ended && !leadNeverRung(state));
  // While the consultant has to press 1 on the phone, a 1 pressed here is probably meant for the phone.
  const keysChoose = ended || call?.state === "ringing_lead" || call?.state === "in_progress";

  const picker = useRef<HTMLElement>(null);
  useCallShortcuts(picker, (key) => {
    if (state.save === "pending") return;
    if (key.kind === "outcome" && keysChoose) {
      chooseOutcome(key.outcome);
      focusOutcome(picker.current, key.outcome);
    }
    // During the call only a chosen outcome is saved, not the provider's suggestion.
    if (key.kind === "save" && state.outcome && (ended || state.chosen)) void session.save();
  });

  return (
    <DockedDialog
      onClose={session.close}
      onMinimise={onMinimise}
      returnFocusTo={returnFocusTo}
      title={t("title", { name: lead?.name ?? "" })}
      description={[lead?.company, lead?.phone ? formatPhone(lead.phone) : null].filter(Boolean).join(" · ")}
    >
      <DialogBody className="grid content-start gap-4 px-4 py-3 sm:px-5">
        <CallStatus session={session} />
        {call ? <LeaveMessage call={call} /> : null}
        {asksOutcome ? (
          <CallAnswer
            ref={picker}
            outcome={state.outcome}
            suggested={call && !state.chosen && !call.givenOutcome ? suggestedOutcome(call) : null}
            notes={state.notes}
            isOff={connecting}
            isSaving={state.save === "pending"}
            hasKeys={keysChoose}
            warning={state.warned ? t(state.outcome ? "notesWarningSuggested" : "notesWarning") : undefined}
            hint={
              ended && !state.chosen ? t(call?.givenOutcome ? "outcomeGiven" : "noOutcomeYet") : undefined
            }
            onChoose={chooseOutcome}
            onType={session.typeNotes}
          />
        ) : null}
        {leadNow ? (
          <LeadBrief
            lead={leadNow}
            isMissed={ended && isUnreached(state.outcome)}
            onOpenLead={minimiseOnPhones(onMinimise)}
          />
        ) : null}
        {asksOutcome && leadNow ? (
          <LeadPlanFields
            lead={leadNow}
            plan={state.plan}
            disabled={state.save === "pending"}
            onChange={session.planLead}
          />
        ) : null}
      </DialogBody>
      <CallDialogFooter session={session} asksOutcome={asksOutcome} />
    </DockedDialog>
  );
}

const focusButton = (button: HTMLButtonElement | null) => button?.focus();

function CallDialogFooter({ session, asksOutcome }: { session: CallSession; asksOutcome: boolean }) {
  const t = useMessages(callDialogMessages);
  const { phase, outcome, chosen, save, lead } = session.state;
  const footer = "flex-row flex-wrap justify-end px-4 py-3 sm:px-5";
  if (asksOutcome) {
    const pending = save === "pending";
    return (
      <DialogFooter className={footer}>
        {phase === "live" || phase === "connecting" ? (
          <EndCallButton session={session} className="mr-auto max-sm:flex-1" />
        ) : null}
        {save === "failed" ? (
          <Button variant="secondary" onClick={session.discard}>
            {t("closeWithoutSaving")}
          </Button>
        ) : null}
        {phase === "ended" && !chosen && save !== "failed" ? (
          <Button variant="secondary" className="max-sm:flex-1" onClick={session.close}>
            {t(session.state.call?.givenOutcome ? "done" : "decideLater")}
          </Button>
        ) : null}
        <Button
          className="max-sm:flex-1"
          pending={pending}
          disabled={!outcome}
          onClick={() => void session.save()}
        >
          {pending ? t("saving") : t("saveLog")}
        </Button>
      </DialogFooter>
    );
  }
  if (!lead) return null;
  return (
    <DialogFooter className={footer}>
      <Button variant="secondary" className="max-sm:flex-1" onClick={session.close}>
        {t("done")}
      </Button>
      {phase === "idle" ? (
        <Button
          // A call opened by a shortcut waits for another press; after a refusal the focus stays.
          ref={session.state.refusal === null ? focusButton : undefined}
          className="max-sm:flex-1"
          onClick={() => session.start(lead)}
        >
          {t("startCall")}
        </Button>
      ) : (
        <Button className="max-sm:flex-1" onClick={session.callAgain}>
          {t("callAgain")}
        </Button>
      )}
    </DialogFooter>
  );
}
