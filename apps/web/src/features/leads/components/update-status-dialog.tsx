import { editableLeadStatuses, type Lead, priorities } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { Trophy } from "lucide-react";
import { type FormEvent, type RefObject, useState } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { leadLabelTexts } from "../../../lib/lead-label-texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { StatusBadge } from "../../../ui/lead-badges.tsx";
import { Select } from "../../../ui/select.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { leadDialogTexts } from "../dialog-texts.ts";
import { changeOf, draftOf, type LeadDraft } from "../lead-draft.ts";
import { useUpdateLead } from "../mutations.ts";
import { FollowUpField } from "./follow-up-field.tsx";

interface UpdateStatusDialogProps {
  lead: Lead;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
  /** Goes on to converting the lead. */
  onConvert: () => void;
}

/** Update Lead Status: status, priority, notes, follow-up date. What was typed stays when saving fails. */
export default function UpdateStatusDialog({
  lead,
  onClose,
  returnFocusTo,
  onConvert,
}: UpdateStatusDialogProps) {
  const t = useTexts(leadDialogTexts);
  const label = useTexts(leadLabelTexts);
  const [opened] = useState(() => draftOf(lead));
  const [draft, setDraft] = useState(opened);
  const update = useUpdateLead(lead);
  const change = (part: Partial<LeadDraft>) => setDraft((before) => ({ ...before, ...part }));

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (update.isPending) return;
    const changed = changeOf(draft, opened);
    if (changed) update.mutate(changed, { onSuccess: onClose });
    else onClose();
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("updateTitle")}
      description={lead.name}
      closeOnOutside={false}
      returnFocusTo={returnFocusTo}
    >
      <form onSubmit={submit} className="contents">
        <DialogBody className="grid content-start gap-4">
          <div className="grid gap-4 sm:grid-cols-2">
            {draft.status ? (
              <Field label={label("status")}>
                {(control) => (
                  <Select
                    {...control}
                    value={draft.status ?? "new"}
                    onValueChange={(status) => change({ status })}
                    options={editableLeadStatuses.map((value) => ({ value, label: label(value) }))}
                  />
                )}
              </Field>
            ) : (
              <div className="grid content-start gap-1.5">
                <p className="font-medium text-[0.8125rem] leading-5">{label("status")}</p>
                <p className="flex flex-wrap items-center gap-2 text-[0.8125rem] text-muted-foreground">
                  <StatusBadge status="converted" />
                  {t("convertedHint")}
                </p>
              </div>
            )}
            <Field label={label("priority")}>
              {(control) => (
                <Select
                  {...control}
                  value={draft.priority}
                  onValueChange={(priority) => change({ priority })}
                  options={priorities.map((value) => ({ value, label: label(value) }))}
                />
              )}
            </Field>
          </div>
          <FollowUpField
            value={draft.nextFollowUpDate}
            onChange={(nextFollowUpDate) => change({ nextFollowUpDate })}
          />
          <Field label={t("notes")}>
            {(control) => (
              <Textarea
                {...control}
                rows={4}
                maxLength={limits.notesMaxLength}
                placeholder={t("notesPlaceholder")}
                value={draft.notes}
                onChange={(event) => change({ notes: event.target.value })}
              />
            )}
          </Field>
        </DialogBody>
        <DialogFooter>
          {draft.status ? (
            <Button variant="soft" className="sm:mr-auto" disabled={update.isPending} onClick={onConvert}>
              <Trophy aria-hidden />
              {t("convert")}
            </Button>
          ) : null}
          <Button variant="secondary" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" pending={update.isPending}>
            {update.isPending ? t("updating") : t("update")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
