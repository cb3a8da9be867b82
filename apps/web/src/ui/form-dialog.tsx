import type { FormEvent, ReactNode, RefObject } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogBody, DialogFooter } from "./dialog.tsx";

interface FormDialogProps {
  title: ReactNode;
  description?: ReactNode;
  cancel: string;
  /** The label of the main button, and its label while the form is submitted. */
  action: string;
  acting: string;
  isPending: boolean;
  onSubmit: () => void;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
  /** Sets the width. */
  className?: string;
  /** The fields. */
  children: ReactNode;
}

/** A form in a dialog that validates its fields and stays open until it is submitted or cancelled. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    description,
    cancel,
    action,
    acting,
    isPending,
    onSubmit,
    onClose,
    returnFocusTo,
    className = "max-w-md",
    children,
  } = props;
  function submit(event: FormEvent): void {
    event.preventDefault();
    onSubmit();
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={description}
      closeOnOutside={false}
      returnFocusTo={returnFocusTo}
      className={className}
    >
      <form onSubmit={submit} className="contents" noValidate>
        <DialogBody className="grid content-start gap-4">{children}</DialogBody>
        <DialogFooter>
          <Button variant="secondary" onClick={onClose}>
            {cancel}
          </Button>
          <Button type="submit" pending={isPending}>
            {isPending ? acting : action}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
