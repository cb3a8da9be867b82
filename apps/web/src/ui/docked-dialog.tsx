import { Minus, X } from "lucide-react";
import { DismissableLayer, FocusScope } from "radix-ui/internal";
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useId, useRef } from "react";
import { createPortal } from "react-dom";
import { cn } from "../lib/cn.ts";
import { useRootMark } from "../lib/document.ts";
import { useMessages } from "../lib/i18n.ts";
import { buttonVariants } from "./button.tsx";
import { useReturnFocus } from "./dialog.tsx";
import { uiMessages } from "./messages.ts";

interface DockedDialogProps {
  title: ReactNode;
  /** One line under the title, announced by screen readers too. */
  description?: ReactNode;
  onClose: () => void;
  /** Minimises it to a bar; without it there is no such button. */
  onMinimise?: (() => void) | undefined;
  /** Element that gets the focus afterwards, if the opener no longer exists by then. */
  returnFocusTo?: RefObject<HTMLElement | null>;
  children: ReactNode;
}

const typed = "input, textarea, select, [contenteditable='true']";
const iconClasses = cn(buttonVariants({ variant: "ghost", size: "icon-sm" }), "text-muted-foreground");

/**
 * A non-modal dialog at the bottom right, on phones a sheet from the bottom: the page stays usable, without overlay, focus trap or scroll
 * lock. It takes the focus when it opens, unless the user types elsewhere. Its height does not depend on its content. Escape closes it
 * while the focus is inside or nowhere; otherwise the page handles Escape.
 */
export function DockedDialog(props: DockedDialogProps) {
  const { title, description, onClose, onMinimise, returnFocusTo, children } = props;
  const t = useMessages(uiMessages);
  const [titleId, descriptionId] = [useId(), useId()];
  const dock = useRef<HTMLDivElement>(null);
  const { onOpenAutoFocus, onCloseAutoFocus } = useReturnFocus(returnFocusTo);
  useRootMark("hasDock");
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    const { target } = event;
    const isInside = target instanceof Node && dock.current?.contains(target);
    const others = document.querySelectorAll(
      "[role='dialog'], [role='alertdialog'], [role='menu'], [role='listbox']",
    );
    if (!isInside && (target !== document.body || others.length > 1)) return;
    event.preventDefault();
    onClose();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener, true);
    return () => document.removeEventListener("keydown", listener, true);
  }, []);
  return createPortal(
    // A press here does not count as a press outside of a dialog below.
    <DismissableLayer.Branch>
      <FocusScope.FocusScope
        asChild
        onMountAutoFocus={(event) => {
          event.preventDefault();
          onOpenAutoFocus();
          const { activeElement } = document;
          if (!activeElement?.matches(typed)) dock.current?.focus({ preventScroll: true });
        }}
        onUnmountAutoFocus={onCloseAutoFocus}
      >
        <div
          ref={dock}
          role="dialog"
          aria-labelledby={titleId}
          aria-describedby={description ? descriptionId : undefined}
          tabIndex={-1}
          data-dock
          className="slide-in-from-bottom-4 fade-in-0 pointer-events-auto fixed z-50 flex animate-in flex-col border bg-surface text-foreground shadow-float outline-none duration-150 max-md:inset-x-0 max-md:bottom-0 max-md:h-[calc(100dvh-5.5rem)] max-md:rounded-t-2xl max-md:pb-[env(safe-area-inset-bottom)] md:right-4 md:bottom-4 md:h-[min(46rem,calc(100dvh-5.5rem))] md:w-[26.5rem] md:rounded-2xl"
        >
          <div className="grid grid-cols-1 gap-0.5 border-b pt-3.5 pr-24 pb-2.5 pl-4 [overflow-wrap:anywhere] sm:pl-5">
            <h2 id={titleId} className="font-semibold text-base leading-6">
              {title}
            </h2>
            {description ? (
              <p id={descriptionId} className="truncate text-muted-foreground text-sm">
                {description}
              </p>
            ) : null}
          </div>
          {children}
          <div className="absolute top-2.5 right-2.5 flex gap-0.5">
            {onMinimise ? (
              <button type="button" className={iconClasses} onClick={onMinimise}>
                <Minus aria-hidden />
                <span className="sr-only">{t("minimise")}</span>
              </button>
            ) : null}
            <button type="button" className={iconClasses} onClick={onClose}>
              <X aria-hidden />
              <span className="sr-only">{t("close")}</span>
            </button>
          </div>
        </div>
      </FocusScope.FocusScope>
    </DismissableLayer.Branch>,
    document.body,
  );
}
