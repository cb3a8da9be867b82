import type { Lead } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { type FormEvent, type RefObject, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogBody, DialogFooter, type FormFrame } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { toast } from "../../../ui/toast.ts";
import { leadDialogMessages } from "../dialog-messages.ts";
import { useRenameLead } from "../mutations.ts";

interface LeadDialogProps {
  lead: Lead;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Renames a lead. */
export default function EditNameDialog({ lead, onClose, returnFocusTo }: LeadDialogProps) {
  const t = useMessages(leadDialogMessages);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("editNameTitle")}
      returnFocusTo={returnFocusTo}
      className="max-w-md"
    >
      <EditNameForm lead={lead} onDone={onClose} body={DialogBody} footer={DialogFooter} />
    </Dialog>
  );
}

interface EditNameFormProps extends FormFrame {
  lead: Lead;
  /** Called when the name was saved, or the form was canceled. */
  onDone: () => void;
}

/** The form for a lead's name. */
export function EditNameForm({ lead, onDone, body: Body, footer: Footer }: EditNameFormProps) {
  const t = useMessages(leadDialogMessages);
  const [name, setName] = useState(lead.name);
  const [original] = useState(lead.name);
  const rename = useRenameLead(lead);
  const trimmed = name.trim();

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (rename.isPending) return;
    if (trimmed === "") {
      toast({ title: t("nameInvalidTitle"), description: t("nameInvalidText"), tone: "destructive" });
    } else if (trimmed === original) onDone();
    else rename.mutate(trimmed, { onSuccess: onDone });
  }

  return (
    <form onSubmit={submit} className="contents">
      <Body>
        <Field label={t("name")} hint={t("editNameHint")}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              maxLength={limits.nameMaxLength}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
      </Body>
      <Footer>
        <Button variant="secondary" onClick={onDone}>
          {t("cancel")}
        </Button>
        <Button type="submit" pending={rename.isPending} disabled={trimmed === "" || trimmed === original}>
          {rename.isPending ? t("saving") : t("save")}
        </Button>
      </Footer>
    </form>
  );
}
