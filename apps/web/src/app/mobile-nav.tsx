import * as DialogPrimitive from "radix-ui/dialog";
import { useMessages } from "../lib/i18n.ts";
import { overlayClasses, useReturnFocus } from "../ui/dialog.tsx";
import { Logo } from "../ui/logo.tsx";
import { NavList } from "./nav-list.tsx";
import { shellMessages } from "./shell-messages.ts";

interface MobileNavProps {
  open: boolean;
  onClose: () => void;
}

/** The sidebar on screens below 768 px: an overlay, closed by a tap beside it, by Escape or after a navigation. */
export function MobileNav({ open, onClose }: MobileNavProps) {
  const t = useMessages(shellMessages);
  const focusHandlers = useReturnFocus();
  return (
    <DialogPrimitive.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <DialogPrimitive.Portal>
        <DialogPrimitive.Overlay className={overlayClasses} />
        <DialogPrimitive.Content
          aria-describedby={undefined}
          {...focusHandlers}
          className="data-[state=open]:slide-in-from-left data-[state=closed]:slide-out-to-left fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col border-r bg-surface shadow-float outline-none data-[state=closed]:animate-out data-[state=open]:animate-in data-[state=open]:duration-200"
        >
          <DialogPrimitive.Title className="sr-only">{t("navigation")}</DialogPrimitive.Title>
          <div className="flex h-14 shrink-0 items-center border-b px-5">
            <Logo />
          </div>
          <NavList compact={false} onNavigate={onClose} />
        </DialogPrimitive.Content>
      </DialogPrimitive.Portal>
    </DialogPrimitive.Root>
  );
}
