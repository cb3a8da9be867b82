import { type RefObject, useEffect, useId, useRef } from "react";
import { formatPhone } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { leadNeverRung, suggestedOutcome } from "./call-state.ts";
import { CallStatus } from "./call-status.tsx";
import { callDialogMessages } from "./dialog-messages.ts";
import { focusOutcome, OutcomePicker } from "./outcome-picker.tsx";
import type { CallSession } from "./use-call-session.ts";
import { useCallShortcuts } from "./use-call-shortcuts.ts";

interface CallDialogProps {
  session: CallSession;
  /** The button that opened it. */
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** The call dialog: what the call does now, its timer, its outcome and notes. */
export default function CallDialog({ session, returnFocusTo }: CallDialogProps) {
  const t = useMessages(callDialogMessages);
  const outcomeLabel = useId();
  const { state, chooseOutcome } = session;
  const { lead, call, phase } = state;
  const ended = phase === "ended";
  const connecting = phase === "connecting";
  // Shown while connecting too, though nothing can be chosen yet: the dialog keeps its size.
  const asksOutcome = connecting || phase === "live" || (ended && !leadNeverRung(state));
  // While the rep is to press 1 on the phone, a 1 pressed here is meant for the phone.
  const keysChoose = ended || call?.state === "ringing_lead" || call?.state === "in_progress";
  useUnsavedGuard(state.notes.trim() !== "" || state.chosen);

  const picker = useRef<HTMLElement>(null);
  useCallShortcuts(picker, (key) => {
    if (state.save === "pending") return;
    if (key.kind === "outcome" && keysChoose) {
      chooseOutcome(key.outcome);
      focusOutcome(picker.current, key.outcome);
    }
    // Nothing that the provider alone suggests is saved while the call goes on.
    if (key.kind === "save" && state.outcome && (ended || state.chosen)) void session.save();
  });

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) session.close();
      }}
      closeOnOutside={false}
      returnFocusTo={returnFocusTo}
      className="max-w-xl"
      title={t("title", { name: lead?.name ?? "" })}
      description={[lead?.company, lead?.phone ? formatPhone(lead.phone) : null].filter(Boolean).join(" · ")}
    >
      <DialogBody className="grid content-start gap-5">
        <CallStatus session={session} />
        {asksOutcome ? (
          <>
            <section ref={picker} className="grid gap-2">
              <div className="flex items-baseline justify-between gap-3">
                <h3 id={outcomeLabel} className="font-medium text-[0.8125rem]">
                  {t("outcome")}
                </h3>
                {keysChoose ? (
                  <p className="text-muted-foreground text-xs max-sm:hidden pointer-coarse:hidden">
                    {t("outcomeHint")}
                  </p>
                ) : null}
              </div>
              <OutcomePicker
                labelledBy={outcomeLabel}
                value={state.outcome}
                suggested={call && !state.chosen ? suggestedOutcome(call) : null}
                onChoose={chooseOutcome}
                disabled={connecting || state.save === "pending"}
              />
            </section>
            <Field
              label={t("notes")}
              error={state.warned ? t(state.outcome ? "notesWarningSuggested" : "notesWarning") : undefined}
              hint={ended && !state.chosen ? t("noOutcomeYet") : undefined}
            >
              {(control) => (
                <Textarea
                  {...control}
                  disabled={connecting}
                  value={state.notes}
                  placeholder={t("notesPlaceholder")}
                  onChange={(event) => session.typeNotes(event.target.value)}
                />
              )}
            </Field>
          </>
        ) : null}
      </DialogBody>
      <CallDialogFooter session={session} asksOutcome={asksOutcome} />
    </Dialog>
  );
}

function CallDialogFooter({ session, asksOutcome }: { session: CallSession; asksOutcome: boolean }) {
  const t = useMessages(callDialogMessages);
  const { phase, outcome, chosen, save, lead } = session.state;
  if (asksOutcome) {
    const pending = save === "pending";
    return (
      <DialogFooter>
        {save === "failed" ? (
          <Button variant="secondary" onClick={session.discard}>
            {t("closeWithoutSaving")}
          </Button>
        ) : null}
        {phase === "ended" && !chosen && save !== "failed" ? (
          <Button variant="secondary" onClick={session.close}>
            {t("decideLater")}
          </Button>
        ) : null}
        <Button pending={pending} disabled={!outcome} onClick={() => void session.save()}>
          {pending ? t("saving") : t("saveLog")}
        </Button>
      </DialogFooter>
    );
  }
  if (!lead) return null;
  return (
    <DialogFooter>
      <Button variant="secondary" onClick={session.close}>
        {t("done")}
      </Button>
      {phase === "idle" ? (
        <Button onClick={() => session.start(lead)}>{t("startCall")}</Button>
      ) : (
        <Button onClick={session.callAgain}>{t("callAgain")}</Button>
      )}
    </DialogFooter>
  );
}

/** Asks before the page is left with an outcome or notes that are not kept yet. */
function useUnsavedGuard(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return;
    const guard = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", guard);
    return () => window.removeEventListener("beforeunload", guard);
  }, [unsaved]);
}
