import type { DialerSession } from "@portal/contract/entities/dialer";
import { limits } from "@portal/contract/limits";
import { Pause, Play, SkipForward } from "lucide-react";
import { type RefObject, useEffect, useId, useRef } from "react";
import { followUpChange, followUpOf } from "../../../lib/follow-up.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { focusOutcome, OutcomePicker } from "../../telephony/call/outcome-picker.tsx";
import { useCallShortcuts } from "../../telephony/call/use-call-shortcuts.ts";
import { dialerMessages, wrapUpMessages } from "../messages.ts";
import { useDialerCommand, useWrapUp } from "../queries.ts";
import { hasTypedContent, type WrapUpDraft } from "../wrap-up-draft.ts";
import { ActionBar, KeyHints } from "./session-actions.tsx";

interface WrapUpProps {
  session: DialerSession;
  callId: number;
  draft: WrapUpDraft;
  onChange: (part: Partial<WrapUpDraft>) => void;
  panel: RefObject<HTMLElement | null>;
}

/** The outcome of the ended call; choosing one saves it with notes and follow-up. */
export function WrapUp({ session, callId, draft, onChange: change, panel }: WrapUpProps) {
  const t = useMessages(wrapUpMessages);
  const dialer = useMessages(dialerMessages);
  const label = useId();
  const wrapUp = useWrapUp(session);
  const { give, underWay } = useDialerCommand(session);
  // A call that could not be connected needs no outcome from the consultant.
  const known = session.call?.result === "not_connected" ? session.call.result : null;
  const outcome = draft.outcome ?? session.suggestedOutcome ?? known;
  // The next lead is about to follow: only commands for the session are queued behind that.
  const leaves = wrapUp.isPending || underWay.includes("skip") || underWay.includes("stop");
  const isLast = session.position + 1 >= session.total;
  const isPaused = session.status === "paused";
  const picker = useFocusedOutcome();
  useRoomOnPhones(panel);

  function save(): void {
    if (leaves || !outcome) return;
    const notes = draft.notes.trim() || null;
    const followUp = followUpChange(draft.followUp, session.lead && followUpOf(session.lead));
    const status = draft.status !== null && draft.status !== session.lead?.status ? draft.status : undefined;
    wrapUp.mutate({ callId, outcome, notes, ...(status && { status }), ...followUp });
  }
  const skip = () => {
    if (leaves || !outcome) return;
    // Anything chosen or typed is saved when going on.
    if (hasTypedContent(draft)) save();
    else give("skip");
  };
  const pause = () => give(isPaused ? "resume" : "pause");
  const pausing = underWay.includes("pause") || underWay.includes("resume");
  useCallShortcuts(panel, (key) => {
    if (key.kind === "outcome") {
      if (wrapUp.isPending) return;
      change({ outcome: key.outcome });
      focusOutcome(picker.current, key.outcome);
    } else if (key.kind === "save") save();
    else if (key.kind === "skip") skip();
    else if (!isPaused) pause();
  });

  return (
    <ActionBar className="grid gap-3">
      <h3 id={label} className="sr-only">
        {t("outcome")}
      </h3>
      <div ref={picker}>
        <OutcomePicker
          labelledBy={label}
          value={outcome}
          suggested={draft.outcome ? null : session.suggestedOutcome}
          onChoose={(chosen) => change({ outcome: chosen })}
          disabled={wrapUp.isPending}
        />
      </div>
      <div className="flex gap-2">
        <Button
          size="lg"
          className="min-w-0 flex-1"
          pending={wrapUp.isPending}
          disabled={!outcome || leaves}
          onClick={save}
        >
          {wrapUp.isPending ? t("saving") : isPaused ? t("saveOnly") : t(isLast ? "saveAndEnd" : "save")}
        </Button>
        <Button variant="secondary" size="lg" className="max-sm:px-3.5" pending={pausing} onClick={pause}>
          {pausing ? null : isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
          <span className="max-sm:sr-only">{dialer(isPaused ? "resume" : "pause")}</span>
        </Button>
        <Button
          variant="secondary"
          size="lg"
          className="max-sm:px-3.5"
          disabled={leaves || !outcome}
          onClick={skip}
        >
          <SkipForward aria-hidden />
          <span className="max-sm:sr-only">{dialer("skip")}</span>
        </Button>
      </div>
      {outcome ? null : <p className="text-muted-foreground text-sm">{t("chooseFirst")}</p>}
      <KeyHints {...(!outcome && { only: ["outcome", "pause"] })} />
    </ActionBar>
  );
}

/** Focuses the outcomes when the wrap-up appears, unless the user is typing. */
function useFocusedOutcome(): RefObject<HTMLDivElement | null> {
  const picker = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement?.matches("input, textarea, select")) return;
    const buttons = picker.current?.querySelectorAll("button") ?? [];
    const chosen = [...buttons].find((button) => button.getAttribute("aria-pressed") === "true");
    (chosen ?? buttons[0])?.focus({ preventScroll: true });
  }, []);
  return picker;
}

/** On a phone, scrolls to make room for notes and outcomes. */
function useRoomOnPhones(panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (window.innerWidth < limits.mobileBreakpointPx) panel.current?.scrollIntoView({ block: "start" });
  }, [panel]);
}

interface CallNotesProps {
  notes: string;
  onChange: (notes: string) => void;
}

/** Notes of the call, which can be started during the call. */
export function CallNotes({ notes, onChange }: CallNotesProps) {
  const t = useMessages(wrapUpMessages);
  return (
    <Field label={t("notes")}>
      {(control) => (
        <Textarea
          {...control}
          rows={2}
          maxLength={limits.notesMaxLength}
          className="min-h-16"
          placeholder={t("notesPlaceholder")}
          value={notes}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
