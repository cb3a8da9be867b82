import { limits } from "@portal/contract/limits";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { salesRepsQuery } from "../../../lib/shared-queries.ts";
import { Button } from "../../../ui/button.tsx";
import { CheckboxField } from "../../../ui/checkbox.tsx";
import { FormDialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { FailureText } from "../../../ui/request-id.tsx";
import { Select } from "../../../ui/select.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { toast } from "../../../ui/toast.ts";
import { assignmentMessages } from "../assignment-messages.ts";

/** The new consultant, the reason, and whether follow-up and meetings are transferred too. */
export interface HandOver {
  salesRepId: number;
  notes: string | null;
  takeAlong: boolean;
}

interface HandOverDialogProps {
  title: string;
  /** Names the leads. */
  description: ReactNode;
  /** Labels of the button, the second while saving. */
  action: string;
  acting: string;
  /** A consultant who is not offered: the current one. */
  exceptRep: number | null;
  /** Whether there may be a follow-up or a meeting to transfer. */
  asksTakeAlong: boolean;
  save: {
    isPending: boolean;
    mutate: (handOver: HandOver, then: { onSuccess: () => void; onError: () => void }) => void;
  };
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
  /** Content below the fields, for the selected consultant. */
  below?: (salesRepId: number | null) => ReactNode;
}

/** Dialog for assigning leads. The input stays if saving fails. */
export function HandOverDialog(props: HandOverDialogProps) {
  const {
    title,
    description,
    action,
    acting,
    exceptRep,
    asksTakeAlong,
    save,
    onClose,
    returnFocusTo,
    below,
  } = props;
  const t = useMessages(assignmentMessages);
  const [rep, setRep] = useState("");
  const [notes, setNotes] = useState("");
  const [takeAlong, setTakeAlong] = useState(true);
  const [tried, setTried] = useState(false);
  const asked = useRef(false);

  function submit(): void {
    // A ref instead of the mutation's state, as a double click arrives before the next render.
    if (asked.current) return;
    setTried(true);
    if (rep === "") {
      toast({ title: t("missingTitle"), description: t("missingText"), tone: "destructive" });
      return;
    }
    asked.current = true;
    save.mutate(
      { salesRepId: Number(rep), notes: notes.trim() || null, takeAlong },
      {
        onSuccess: onClose,
        onError: () => {
          asked.current = false;
        },
      },
    );
  }

  return (
    <FormDialog
      title={title}
      description={description}
      cancel={t("cancel")}
      action={action}
      acting={acting}
      isPending={save.isPending}
      onSubmit={submit}
      onClose={onClose}
      returnFocusTo={returnFocusTo}
    >
      <RepField
        except={exceptRep}
        value={rep}
        onChange={setRep}
        error={tried && rep === "" ? t("missingText") : undefined}
      />
      <Field label={t("notes")}>
        {(control) => (
          <Textarea
            {...control}
            maxLength={limits.notesMaxLength}
            placeholder={t("notesPlaceholder")}
            value={notes}
            onChange={(event) => setNotes(event.target.value)}
          />
        )}
      </Field>
      {asksTakeAlong ? <TakeAlong checked={takeAlong} onChange={setTakeAlong} /> : null}
      {below?.(rep === "" ? null : Number(rep))}
    </FormDialog>
  );
}

interface RepFieldProps {
  except: number | null;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

/** A select of the consultants except one. */
function RepField({ except, value, onChange, error }: RepFieldProps) {
  const t = useMessages(assignmentMessages);
  const reps = useQuery(salesRepsQuery());
  if (!reps.data && reps.error) {
    return (
      <div className="grid justify-items-start gap-2 text-sm">
        <FailureText error={reps.error} fallback={t("repsFailed")} />
        <Button variant="secondary" pending={reps.isFetching} onClick={() => void reps.refetch()}>
          {t("retry")}
        </Button>
      </div>
    );
  }
  const options = (reps.data ?? [])
    .filter(({ id }) => id !== except)
    .map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <Field
      label={t("salesRep")}
      error={error}
      hint={reps.data && options.length === 0 ? t("noReps") : undefined}
    >
      {(control) => (
        <Select
          {...control}
          value={value}
          onValueChange={onChange}
          options={options}
          placeholder={reps.data ? t("pickRep") : t("loadingReps")}
          disabled={reps.data !== undefined && options.length === 0}
        />
      )}
    </Field>
  );
}

function TakeAlong({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  const t = useMessages(assignmentMessages);
  return (
    <CheckboxField
      checked={checked}
      onChange={onChange}
      hint={t(checked ? "takeAlongOn" : "takeAlongOff")}
      className="font-medium"
    >
      {t("takeAlong")}
    </CheckboxField>
  );
}
