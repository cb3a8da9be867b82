import { limits } from "@portal/contract/limits";
import { type FormEvent, type RefObject, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { overrideMessages } from "./contact-policy-messages.ts";
import type { Channel } from "./messages.ts";

interface OverrideDialogProps {
  channel: Channel;
  leadName: string;
  /** The contact policy's refusal as text. */
  refusal: string;
  onConfirm: (reason: string) => void;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Asks an administrator for the reason to override the contact policy. */
export default function OverrideDialog({
  channel,
  leadName,
  refusal,
  onConfirm,
  onClose,
  returnFocusTo,
}: OverrideDialogProps) {
  const t = useMessages(overrideMessages);
  const [reason, setReason] = useState("");
  const trimmed = reason.trim();

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (trimmed === "") return;
    onClose();
    onConfirm(trimmed);
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(`${channel}_title`, { name: leadName })}
      description={refusal}
      returnFocusTo={returnFocusTo}
      className="max-w-md"
    >
      <form onSubmit={submit} className="contents">
        <DialogBody>
          <Field label={t("reason")} hint={t("reasonHint")}>
            {(control) => (
              <Textarea
                {...control}
                maxLength={limits.overrideReasonMaxLength}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </Field>
        </DialogBody>
        <DialogFooter>
          <Button variant="secondary" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" disabled={trimmed === ""}>
            {t(`${channel}_confirm`)}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
