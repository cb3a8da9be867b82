import type { Lead } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { recordConsent, withdrawConsent } from "@portal/contract/routes/leads";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type RefObject, useState } from "react";
import { callRoute } from "../../../lib/api.ts";
import { errorText } from "../../../lib/errors.ts";
import { messagesOf, useMessages } from "../../../lib/i18n.ts";
import { refreshLeads, showSavedLead } from "../../../lib/lead-updates.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { toast } from "../../../ui/toast.ts";
import { consentMessages } from "./contact-policy-messages.ts";

interface ConsentDialogProps {
  action: "record" | "withdraw";
  lead: Pick<Lead, "id" | "name">;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Asks how a lead agreed to be contacted, or for confirmation of withdrawing the consent. Stays open if saving fails. */
export default function ConsentDialog({ action, lead, onClose, returnFocusTo }: ConsentDialogProps) {
  const t = useMessages(consentMessages);
  const [typed, setTyped] = useState("");
  const save = useConsent(lead);
  const source = action === "record" ? typed.trim() : null;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (source === "" || save.isPending) return;
    save.mutate(source, { onSuccess: onClose });
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(`${action}_title`, { name: lead.name })}
      description={t(`${action}_hint`)}
      returnFocusTo={returnFocusTo}
      closeOnOutside={typed === ""}
      className="max-w-md"
    >
      <form onSubmit={submit} className="contents">
        {action === "record" ? (
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
            {t(`${action}_confirm`)}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

/** Records a lead's consent, or withdraws it without a source. */
function useConsent({ id, name }: Pick<Lead, "id" | "name">) {
  const client = useQueryClient();
  const params = { id };
  return useMutation({
    mutationFn: (source: string | null) =>
      source === null
        ? callRoute(withdrawConsent, { params })
        : callRoute(recordConsent, { params, body: { source } }),
    onSuccess: (saved) => {
      void showSavedLead(client, saved);
      const t = messagesOf(consentMessages);
      const what = saved.consentAt ? "record" : "withdraw";
      toast({
        title: t(`${what}_done`),
        description: t(`${what}_doneText`, { name }),
        tone: "success",
      });
    },
    onError: (error) => {
      void refreshLeads(client);
      const t = messagesOf(consentMessages);
      toast({
        title: t("failedTitle"),
        description: errorText(error, t("failedText")),
        error,
        tone: "destructive",
      });
    },
  });
}
