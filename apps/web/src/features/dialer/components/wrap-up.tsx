import { callOutcomes } from "@portal/contract/entities/call";
import type { DialerSession } from "@portal/contract/entities/dialer";
import { limits } from "@portal/contract/limits";
import { Pause, Play, SkipForward } from "lucide-react";
import { type RefObject, useEffect, useId, useRef } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { OutcomePicker } from "../../call-dialog/components/outcome-picker.tsx";
import { useDialerCommand, useWrapUp } from "../queries.ts";
import { dialerTexts } from "../texts.ts";
import { useSessionKeys } from "../use-session-keys.ts";
import { dropDraft, type WrapUpDraft } from "../wrap-up-draft.ts";
import { wrapUpTexts } from "../wrap-up-texts.ts";
import { ActionBar } from "./action-bar.tsx";
import { KeyHints } from "./key-hints.tsx";

interface WrapUpProps {
  session: DialerSession;
  callId: number;
  draft: WrapUpDraft;
  onChange: (part: Partial<WrapUpDraft>) => void;
  panel: RefObject<HTMLElement | null>;
}

/** The outcome of the call that has ended, and what keeps it, with notes and follow-up, by one gesture. */
export function WrapUp({ session, callId, draft, onChange: change, panel }: WrapUpProps) {
  const t = useTexts(wrapUpTexts);
  const words = useTexts(dialerTexts);
  const label = useId();
  const wrapUp = useWrapUp(session.id);
  const command = useDialerCommand(session);
  const outcome = draft.outcome ?? session.suggestedOutcome;
  const busy = wrapUp.isPending || command.isPending;
  const isLast = session.position + 1 >= session.total;
  const isPaused = session.status === "paused";
  const picker = useFocusedOutcome();
  useRoomOnPhones(panel);

  function save(): void {
    if (busy || !outcome) return;
    const notes = draft.notes.trim() || null;
    const nextFollowUpDate = draft.followUp;
    wrapUp.mutate(
      { callId, outcome, notes, ...(nextFollowUpDate !== undefined && { nextFollowUpDate }) },
      { onSuccess: () => dropDraft(callId) },
    );
  }
  const hasWords = draft.outcome !== null || draft.notes.trim() !== "" || draft.followUp !== undefined;
  const skip = () => {
    if (busy || !outcome) return;
    // Nothing that was chosen or typed is lost by going on.
    if (hasWords) save();
    else command.mutate("skip");
  };
  const pause = () => {
    if (!busy) command.mutate(isPaused ? "resume" : "pause");
  };
  useSessionKeys(panel, (key) => {
    if (key.kind === "outcome") {
      change({ outcome: key.outcome });
      // The focus follows, so that Enter saves this one and does not press another.
      picker.current?.querySelectorAll("button")[callOutcomes.indexOf(key.outcome)]?.focus();
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
          disabled={!outcome}
          onClick={save}
        >
          {wrapUp.isPending ? t("saving") : isPaused ? t("saveOnly") : t(isLast ? "saveAndEnd" : "save")}
        </Button>
        <Button variant="secondary" size="lg" className="max-sm:px-3.5" disabled={busy} onClick={pause}>
          {isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
          <span className="max-sm:sr-only">{words(isPaused ? "resume" : "pause")}</span>
        </Button>
        <Button
          variant="secondary"
          size="lg"
          className="max-sm:px-3.5"
          disabled={busy || !outcome}
          onClick={skip}
        >
          <SkipForward aria-hidden />
          <span className="max-sm:sr-only">{words("skip")}</span>
        </Button>
      </div>
      {outcome ? null : <p className="text-muted-foreground text-sm">{t("chooseFirst")}</p>}
      <KeyHints {...(!outcome && { only: ["outcome", "pause"] })} />
    </ActionBar>
  );
}

/** When the wrap-up comes the focus goes to its outcomes, unless something is being typed. */
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

/** On a phone the top of the page makes room for notes and outcomes. */
function useRoomOnPhones(panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (window.innerWidth < limits.mobileBreakpointPx) panel.current?.scrollIntoView({ block: "start" });
  }, [panel]);
}

interface CallNotesProps {
  notes: string;
  onChange: (notes: string) => void;
}

/** Notes of the call, which may be begun while one talks. */
export function CallNotes({ notes, onChange }: CallNotesProps) {
  const t = useTexts(wrapUpTexts);
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
