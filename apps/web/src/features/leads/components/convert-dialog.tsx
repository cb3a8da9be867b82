import type { Lead } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { type FormEvent, type RefObject, useRef, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogBody, DialogFooter, type FormFrame } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { leadDialogMessages } from "../dialog-messages.ts";
import { useConvertLead } from "../mutations.ts";

const largest = 999_999_999;

/** The typed amount, 0 if empty; null if it is not a valid amount. */
export function parseConversionValue(typed: string): number | null {
  if (typed.trim() === "") return limits.conversionValueDefault;
  const value = Number(typed);
  return value >= 0 && value <= largest ? value : null;
}

interface ConvertDialogProps {
  lead: Lead;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Converts a lead to a client, with the value of the deal (0 by default) and notes. */
export default function ConvertDialog({ lead, onClose, returnFocusTo }: ConvertDialogProps) {
  const t = useMessages(leadDialogMessages);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("convert")}
      description={t("convertHint", { name: lead.name })}
      closeOnOutside={false}
      returnFocusTo={returnFocusTo}
      className="max-w-md"
    >
      <ConvertForm lead={lead} onDone={onClose} body={DialogBody} footer={DialogFooter} />
    </Dialog>
  );
}

interface ConvertFormProps extends FormFrame {
  lead: Lead;
  /** Called when the lead was converted, or the form was canceled. */
  onDone: () => void;
}

/** The form for the deal's value and notes. */
export function ConvertForm({ lead, onDone, body: Body, footer: Footer }: ConvertFormProps) {
  const t = useMessages(leadDialogMessages);
  const [value, setValue] = useState(String(limits.conversionValueDefault));
  const [notes, setNotes] = useState("");
  const convert = useConvertLead(lead);
  const asked = useRef(false);
  const conversionValue = parseConversionValue(value);

  function submit(event: FormEvent): void {
    event.preventDefault();
    // A ref instead of the mutation's state, as a double click arrives before the next render.
    if (asked.current || conversionValue === null) return;
    asked.current = true;
    convert.mutate(
      { conversionValue, notes: notes.trim() || null },
      {
        onSuccess: onDone,
        onError: () => {
          asked.current = false;
        },
      },
    );
  }

  return (
    <form onSubmit={submit} className="contents" noValidate>
      <Body className="grid content-start gap-4">
        <Field
          label={t("conversionValue")}
          error={conversionValue === null ? t("conversionValueInvalid") : undefined}
        >
          {(control) => (
            <Input
              {...control}
              type="number"
              inputMode="decimal"
              min={0}
              step="0.01"
              value={value}
              onChange={(event) => setValue(event.target.value)}
            />
          )}
        </Field>
        <Field label={t("convertNotes")}>
          {(control) => (
            <Textarea
              {...control}
              maxLength={limits.notesMaxLength}
              value={notes}
              onChange={(event) => setNotes(event.target.value)}
            />
          )}
        </Field>
      </Body>
      <Footer>
        <Button variant="secondary" onClick={onDone}>
          {t("cancel")}
        </Button>
        <Button type="submit" pending={convert.isPending} disabled={conversionValue === null}>
          {convert.isPending ? t("converting") : t("convert")}
        </Button>
      </Footer>
    </form>
  );
}
