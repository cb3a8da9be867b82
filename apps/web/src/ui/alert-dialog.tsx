import * as AlertDialogPrimitive from "radix-ui/alert-dialog";
import type { ReactNode, RefObject } from "react";
import { cn } from "../lib/cn.ts";
import { Button } from "./button.tsx";
import { DialogFooter, DialogMark, overlayClasses, panelClasses, useReturnFocus } from "./dialog.tsx";

interface AlertDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description: ReactNode;
  cancelLabel: string;
  confirmLabel: string;
  onConfirm: () => void;
  destructive?: boolean;
  pending?: boolean;
  /** Element that gets the focus afterwards, if the opener no longer exists by then (a menu item). */
  returnFocusTo?: RefObject<HTMLElement | null>;
}

/**
 * Asks for confirmation of something that cannot be undone; only its buttons and Escape close it. The caller closes it after confirming.
 */
export function AlertDialog({
  open,
  onOpenChange,
  title,
  description,
  cancelLabel,
  confirmLabel,
  onConfirm,
  destructive = false,
  pending = false,
  returnFocusTo,
}: AlertDialogProps) {
  const focusHandlers = useReturnFocus(returnFocusTo);
  return (
    <AlertDialogPrimitive.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialogPrimitive.Portal>
        <AlertDialogPrimitive.Overlay className={overlayClasses} />
        <AlertDialogPrimitive.Content data-dialog className={cn(panelClasses, "max-w-md")} {...focusHandlers}>
          <div className="grid gap-1.5 p-5 sm:px-6">
            <AlertDialogPrimitive.Title className="font-semibold text-lg leading-7">
              {title}
            </AlertDialogPrimitive.Title>
            <AlertDialogPrimitive.Description className="text-muted-foreground text-sm">
              {description}
            </AlertDialogPrimitive.Description>
          </div>
          <DialogFooter>
            <AlertDialogPrimitive.Cancel asChild>
              <Button variant="secondary">{cancelLabel}</Button>
            </AlertDialogPrimitive.Cancel>
            <Button variant={destructive ? "destructive" : "primary"} pending={pending} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </DialogFooter>
          <DialogMark open={open} />
        </AlertDialogPrimitive.Content>
      </AlertDialogPrimitive.Portal>
    </AlertDialogPrimitive.Root>
  );
}
