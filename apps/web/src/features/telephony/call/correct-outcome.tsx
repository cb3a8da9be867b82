import type { CallOutcome } from "@portal/contract/entities/call";
import { useId, useRef } from "react";
import { defineMessages, useMessages } from "../../../lib/i18n.ts";
import { Dialog, DialogBody } from "../../../ui/dialog.tsx";
import { OutcomePicker } from "./outcome-picker.tsx";
import type { OutcomeReport } from "./outcome-store.ts";
import { useSaveOutcome } from "./queries.ts";
import { useCallShortcuts } from "./use-call-shortcuts.ts";

const correctMessages = defineMessages("correct-outcome", {
  title: ["Correct the outcome", "Corregir el resultado"],
  label: ["How did the call with {name} end?", "¿Cómo terminó la llamada con {name}?"],
});

/** Replaces the last given outcome by another, chosen by a press or a key from 1 to 6. */
export default function CorrectOutcome({ kept, onClose }: { kept: OutcomeReport; onClose: () => void }) {
  const t = useMessages(correctMessages);
  const label = useId();
  const box = useRef<HTMLDivElement>(null);
  const save = useSaveOutcome();
  const { leadName, outcome } = kept;
  function choose(next: CallOutcome): void {
    if (save.isPending) return;
    if (next === outcome) onClose();
    else save.mutate({ ...kept, outcome: next, seen: outcome }, { onSuccess: onClose });
  }
  useCallShortcuts(box, (key) => {
    if (key.kind === "outcome") choose(key.outcome);
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t("title")}>
      <DialogBody>
        <div ref={box} className="grid gap-3 pb-2">
          <p id={label} className="text-sm">
            {t("label", { name: leadName })}
          </p>
          <OutcomePicker
            labelledBy={label}
            value={save.isPending ? save.variables.outcome : outcome}
            suggested={null}
            onChoose={choose}
            disabled={save.isPending}
          />
        </div>
      </DialogBody>
    </Dialog>
  );
}
