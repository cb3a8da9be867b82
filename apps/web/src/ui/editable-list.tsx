import { Plus, Trash2 } from "lucide-react";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import { AlertDialog } from "./alert-dialog.tsx";
import { Button } from "./button.tsx";
import { Dialog, DialogBody, DialogFooter } from "./dialog.tsx";

interface EditableListDialogProps<T> {
  title: string;
  description: string;
  addLabel: string;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
  list: (edit: (entry: T) => void) => ReactNode;
  /** Null for a new entry. */
  form: (edited: T | null, close: () => void) => ReactNode;
}

/** A list in a dialog. The form for a new or existing entry replaces the list until it is closed. */
export function EditableListDialog<T>(props: EditableListDialogProps<T>) {
  const { title, description, addLabel, onClose, returnFocusTo, list, form } = props;
  const [edited, setEdited] = useState<{ entry: T | null } | null>(null);
  if (edited) return form(edited.entry, () => setEdited(null));
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={description}
      returnFocusTo={returnFocusTo}
      className="max-w-xl"
    >
      <DialogBody className="grid content-start gap-4">{list((entry) => setEdited({ entry }))}</DialogBody>
      <DialogFooter>
        <Button onClick={() => setEdited({ entry: null })}>
          <Plus aria-hidden />
          {addLabel}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

/** Entries of the list under a heading. */
export function ListGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className="grid grid-cols-1 gap-2">
      <h3 className="font-medium text-muted-foreground text-xs">{label}</h3>
      <ul className="grid grid-cols-1 divide-y rounded-xl border">{children}</ul>
    </section>
  );
}

interface RemoveButtonProps {
  label: string;
  /** Texts of the confirmation. */
  question: { title: string; description: string; cancelLabel: string; confirmLabel: string };
  pending: boolean;
  /** `close` closes the confirmation. */
  onConfirm: (close: () => void) => void;
}

/** Deletes an entry after a confirmation. */
export function RemoveButton({ label, question, pending, onConfirm }: RemoveButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button ref={button} variant="ghost" size="icon-sm" aria-label={label} onClick={() => setAsking(true)}>
        <Trash2 aria-hidden />
      </Button>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        {...question}
        destructive
        pending={pending}
        onConfirm={() => onConfirm(() => setAsking(false))}
        returnFocusTo={button}
      />
    </>
  );
}
