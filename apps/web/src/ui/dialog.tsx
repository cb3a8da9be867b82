import { X } from "lucide-react";
import * as DialogPrimitive from "radix-ui/dialog";
import { type ComponentProps, type FormEvent, type ReactNode, type RefObject, useRef } from "react";
import { cn } from "../lib/cn.ts";
import { useRootMark } from "../lib/document.ts";
import { useMessages } from "../lib/i18n.ts";
import { Button, buttonVariants } from "./button.tsx";
import { uiMessages } from "./messages.ts";

/** Turns a dialog into a drawer on the right, below dialogs that are opened from it. */
export const drawerClasses =
  "z-40 top-0 right-0 left-auto h-dvh max-h-dvh max-sm:max-h-dvh max-sm:rounded-none w-full max-w-xl translate-x-0 translate-y-0 rounded-none border-y-0 border-r-0 sm:w-[calc(100vw-3rem)]";

export const overlayClasses =
  "data-[state=open]:fade-in-0 data-[state=closed]:fade-out-0 fixed inset-0 z-40 bg-overlay backdrop-blur-[2px] data-[state=closed]:animate-out data-[state=open]:animate-in data-[state=open]:duration-150";
/** Centred in the window; on phones a sheet from the bottom. */
export const panelClasses =
  "max-sm:data-[state=open]:slide-in-from-bottom-8 max-sm:top-auto max-sm:bottom-0 max-sm:left-0 max-sm:max-h-[calc(100dvh-2rem)] max-sm:w-full max-sm:max-w-none max-sm:translate-x-0 max-sm:translate-y-0 max-sm:rounded-b-none max-sm:border-x-0 max-sm:border-b-0 max-sm:pb-[env(safe-area-inset-bottom)] data-[state=open]:fade-in-0 data-[state=open]:zoom-in-98 data-[state=closed]:fade-out-0 fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 -translate-y-1/2 flex-col rounded-2xl border bg-surface text-foreground shadow-float outline-none data-[state=closed]:animate-out data-[state=open]:animate-in data-[state=open]:duration-150";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** One line under the title, announced by screen readers too. */
  description?: ReactNode;
  children: ReactNode;
  className?: string;
  /** False keeps the dialog open after a click outside (Escape and the close button still work). */
  closeOnOutside?: boolean;
  /** Element that gets the focus afterwards, if the opener no longer exists by then (a menu item). */
  returnFocusTo?: RefObject<HTMLElement | null>;
}

/** A dialog: traps the focus, returns it to the opener, closes on Escape. Put `DialogBody` and `DialogFooter` inside. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  className,
  closeOnOutside = true,
  returnFocusTo,
}: DialogProps) {
  const t = useMessages(uiMessages);
  const focusHandlers = useReturnFocus(returnFocusTo);
  return (
    <DialogPrimitive.Root open={open} onOpenChange={onOpenChange}>
      <DialogPrimitive.Portal>
        <DialogPrimitive.Overlay className={overlayClasses} />
        <DialogPrimitive.Content
          data-dialog
          className={cn(panelClasses, className)}
          {...(description ? {} : { "aria-describedby": undefined })}
          {...focusHandlers}
          onInteractOutside={(event) => {
            if (!closeOnOutside || isToast(event.target)) event.preventDefault();
          }}
        >
          <div className="grid grid-cols-1 gap-1 pt-5 pr-14 pl-5 [overflow-wrap:anywhere] sm:pl-6">
            <DialogPrimitive.Title className="font-semibold text-lg leading-7">{title}</DialogPrimitive.Title>
            {description ? (
              <DialogPrimitive.Description className="text-muted-foreground text-sm">
                {description}
              </DialogPrimitive.Description>
            ) : null}
          </div>
          {children}
          <DialogMark open={open} />
          <DialogPrimitive.Close
            className={cn(
              buttonVariants({ variant: "ghost", size: "icon-sm" }),
              "absolute top-4 right-4 text-muted-foreground",
            )}
          >
            <X aria-hidden />
            <span className="sr-only">{t("close")}</span>
          </DialogPrimitive.Close>
        </DialogPrimitive.Content>
      </DialogPrimitive.Portal>
    </DialogPrimitive.Root>
  );
}

/** Marks the page while a dialog is open, so that toasts do not overlap it. */
export function DialogMark({ open }: { open: boolean }) {
  useRootMark("hasDialog", open);
  return null;
}

/** Dismissing a toast must not close the dialog below it. */
function isToast(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[data-toast]") !== null;
}

/** Renders the fields and buttons of a form that appears in a dialog or as a section of a page. */
export interface FormFrame {
  body: (props: ComponentProps<"div">) => ReactNode;
  footer: (props: ComponentProps<"div">) => ReactNode;
}

/** The scrolling part of a dialog; as a grid it has one column, which no long word widens. */
export function DialogBody({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      // Leaves room for the focus ring of elements that are scrolled into view.
      className={cn("min-h-0 flex-1 scroll-py-2 grid-cols-1 overflow-y-auto px-5 py-4 sm:px-6", className)}
      {...props}
    />
  );
}

/** The buttons of a dialog, the main one last. */
export function DialogFooter({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      className={cn(
        "flex flex-col-reverse gap-2 rounded-b-2xl border-t px-5 py-4 sm:flex-row sm:justify-end sm:px-6",
        className,
      )}
      {...props}
    />
  );
}

/** The fields of a form in a section. */
export function SectionBody(props: ComponentProps<"div">) {
  return <div {...props} />;
}

/** Its buttons, the main one last. */
export function SectionFooter({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("flex flex-wrap items-center justify-end gap-2 pt-3", className)} {...props} />;
}

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

interface FocusHandlers {
  onOpenAutoFocus: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/**
 * Returns the focus to the element that had it before a dialog opened. Radix does so only for its own triggers, but our dialogs are opened
 * by state. `target` comes first, for an opener that no longer exists by then (a menu item).
 */
export function useReturnFocus(target?: RefObject<HTMLElement | null>): FocusHandlers {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement;
    },
    onCloseAutoFocus: (event) => {
      event.preventDefault();
      // If the focus was moved meanwhile, for example to the heading of the next page, it stays there.
      if (document.activeElement !== document.body) return;
      const element = [target?.current, opener.current].find((each) => each?.isConnected);
      // Both may have been removed meanwhile: the focus then moves to the page.
      const next = element && element !== document.body ? element : document.querySelector("main");
      if (next instanceof HTMLElement) next.focus();
    },
  };
}
