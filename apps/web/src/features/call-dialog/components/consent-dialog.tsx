import type { Lead } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { type FormEvent, type RefObject, useState } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { consentTexts } from "../consent-texts.ts";
import { useConsent } from "../use-consent.ts";

interface ConsentDialogProps {
  act: "record" | "withdraw";
  lead: Pick<Lead, "id" | "name">;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Asks how a lead agreed to be contacted, or whether that is to be taken back. Stays open where it could not be saved. */
export default function ConsentDialog({ act, lead, onClose, returnFocusTo }: ConsentDialogProps) {
  const t = useTexts(consentTexts);
  const [typed, setTyped] = useState("");
  const save = useConsent(lead);
  const source = act === "record" ? typed.trim() : null;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (source === "" || save.isPending) return;
    save.mutate(source, { onSuccess: onClose });
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(`${act}_title`, { name: lead.name })}
      description={t(`${act}_hint`)}
      returnFocusTo={returnFocusTo}
      closeOnOutside={typed === ""}
      className="max-w-md"
    >
      <form onSubmit={submit} className="contents">
        {act === "record" ? (
          <DialogBody>
            <Field label={t("source")} hint={t("sourceHint")}>
              {(control) => (
                <Textarea
                  {...control}
                  autoFocus
                  required
                  maxLength={limits.consentSourceMaxLength}
                  placeholder={t("sourcePlaceholder")}
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                />
              )}
            </Field>
          </DialogBody>
        ) : (
          <div className="h-4" />
        )}
        <DialogFooter>
          <Button variant="secondary" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" pending={save.isPending} disabled={source === ""}>
            {t(`${act}_confirm`)}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
