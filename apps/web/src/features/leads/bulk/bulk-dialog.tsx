import {
  editableLeadStatuses,
  type LeadStatus,
  type Priority,
  priorities,
} from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { smsSegments } from "@portal/contract/sms-segments";
import { type RefObject, useRef, useState } from "react";
import { recordedWithReason } from "../../../lib/errors.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { leadLabelMessages } from "../../../lib/lead-label-messages.ts";
import { FormDialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { BulkPreview } from "./bulk-preview.tsx";
import { focusAfterDialog } from "./bulk-store.ts";
import { bulkMessages } from "./messages.ts";
import { type AskedEdit, useBulkEdit } from "./queries.ts";

type Kind = "status" | "priority" | "text";

function editOf(kind: Kind, value: string): AskedEdit | null {
  if (kind === "text") return { kind, message: value.trim() };
  if (value === "") return null;
  if (kind === "priority") return { kind, priority: value as Priority };
  return { kind, status: value as Exclude<LeadStatus, "converted"> };
}

interface BulkDialogProps {
  kind: Kind;
  ids: readonly number[];
  onDone: () => void;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** Sets a status or priority of all selected leads, or sends them an SMS, with a preview. */
export default function BulkDialog({ kind, ids, onDone, onClose, returnFocusTo }: BulkDialogProps) {
  const t = useMessages(bulkMessages);
  const label = useMessages(leadLabelMessages);
  const [value, setValue] = useState("");
  const [tried, setTried] = useState(false);
  const save = useBulkEdit(ids);
  // A ref instead of the mutation's state, as a double click arrives before the next render.
  const asked = useRef(false);
  const edit = editOf(kind, value);
  const isText = kind === "text";
  const isMissing = value.trim() === "";
  const error = tried && isMissing ? t(isText ? "emptyText" : "missing") : undefined;

  function submit(): void {
    setTried(true);
    if (asked.current || isMissing || !edit) return;
    asked.current = true;
    save.mutate(edit, {
      onSuccess: () => {
        onDone();
        onClose();
      },
      onError: () => {
        asked.current = false;
      },
    });
  }

  return (
    <FormDialog
      title={t(`${kind}Title`)}
      description={t("chosen", { count: ids.length })}
      cancel={t("cancel")}
      action={t(isText ? "send" : "save")}
      acting={t(isText ? "sending" : "saving")}
      isPending={save.isPending}
      onSubmit={submit}
      onClose={onClose}
      returnFocusTo={focusAfterDialog(returnFocusTo)}
    >
      {isText ? (
        <Field label={t("message")} error={error} hint={t("sameWords")}>
          {(control) => (
            <Textarea
              {...control}
              dir="auto"
              maxLength={limits.smsMaxLength}
              value={value}
              onChange={(event) => setValue(event.target.value)}
            />
          )}
        </Field>
      ) : (
        <Field label={label(kind)} error={error}>
          {(control) => (
            <Select
              {...control}
              value={value}
              onValueChange={setValue}
              placeholder={t("pick")}
              options={(kind === "status" ? editableLeadStatuses : priorities).map((each) => ({
                value: each,
                label: label(each),
              }))}
            />
          )}
        </Field>
      )}
      {edit ? (
        <BulkPreview edit={edit} ids={ids} segments={isText ? smsSegments(value.trim()).segments : 0} />
      ) : null}
      {save.error ? (
        <p role="alert" className="text-danger-text text-sm">
          {recordedWithReason(save.error, t("failedText"))}
        </p>
      ) : null}
    </FormDialog>
  );
}
