import type { CallOutcome, SavedOutcome } from "@portal/contract/entities/call";
import { type RefObject, useId } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { singleKeys } from "../../../lib/keys.ts";
import { useStore } from "../../../lib/store.ts";
import { Field } from "../../../ui/field.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { callDialogMessages } from "./dialog-messages.ts";
import { OutcomePicker } from "./outcome-picker.tsx";

interface CallAnswerProps {
  /** The element with the outcomes, for `useCallShortcuts`. */
  ref: RefObject<HTMLElement | null>;
  outcome: SavedOutcome | null;
  suggested: SavedOutcome | null;
  notes: string;
  /** No outcome can be given yet. */
  isOff: boolean;
  isSaving: boolean;
  /** Whether digits choose an outcome. */
  hasKeys: boolean;
  /** Warning that notes would be lost. */
  warning: string | undefined;
  hint: string | undefined;
  onChoose: (outcome: CallOutcome) => void;
  onType: (notes: string) => void;
}

/** Outcome and notes of an outbound or inbound call. */
export function CallAnswer(props: CallAnswerProps) {
  const { ref, outcome, suggested, notes, isOff, isSaving, hasKeys, warning, hint } = props;
  const t = useMessages(callDialogMessages);
  const areKeysOn = useStore(singleKeys);
  const label = useId();
  return (
    <>
      <section ref={ref} className="grid gap-2">
        <div className="flex items-baseline justify-between gap-3">
          <h3 id={label} className="font-medium text-[0.8125rem]">
            {t("outcome")}
          </h3>
          {hasKeys && areKeysOn ? (
            <p className="text-muted-foreground text-xs max-sm:hidden pointer-coarse:hidden">
              {t("outcomeHint")}
            </p>
          ) : null}
        </div>
        <OutcomePicker
          labelledBy={label}
          value={outcome}
          suggested={suggested}
          onChoose={props.onChoose}
          disabled={isOff || isSaving}
          compact
        />
      </section>
      <Field label={t("notes")} error={warning} hint={hint}>
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            className="min-h-16"
            disabled={isOff}
            value={notes}
            placeholder={t("notesPlaceholder")}
            onChange={(event) => props.onType(event.target.value)}
          />
        )}
      </Field>
    </>
  );
}
