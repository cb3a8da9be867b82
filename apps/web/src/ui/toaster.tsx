import { limits } from "@portal/contract/limits";
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { useCallback, useEffect, useRef } from "react";
import { cn } from "../lib/cn.ts";
import { useTexts } from "../lib/i18n.ts";
import { uiTexts } from "./texts.ts";
import { dismissToast, type ToastMessage, type ToastTone, useCurrentToast } from "./toast.ts";
import { useSwipeRight } from "./use-swipe-right.ts";
import { useToastTimer } from "./use-toast-timer.ts";

const ICONS: Record<ToastTone, { icon: typeof Info; className: string }> = {
  default: { icon: Info, className: "text-info-text" },
  success: { icon: CircleCheck, className: "text-success-text" },
  warning: { icon: TriangleAlert, className: "text-warning-text" },
  destructive: { icon: CircleAlert, className: "text-danger-text" },
};

/**
 * Where toasts appear: bottom right, full width on phones, out of the way of dialogs and bars (`data-toasts` in styles.css). F8
 * focuses them. Escape puts the toast away where nothing else answers to it: an open dialog or menu goes first.
 */
export function Toaster() {
  const t = useTexts(uiTexts);
  const current = useCurrentToast();
  const region = useRef<HTMLElement>(null);
  const before = useRef<HTMLElement | null>(null);
  // Who was in the toast goes back to where they came from.
  const putAway = useCallback(() => {
    if (region.current?.contains(document.activeElement)) before.current?.focus();
    dismissToast();
  }, []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.code === "F8") region.current?.focus();
      if (event.key === "Escape" && !event.defaultPrevented) putAway();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [putAway]);
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-live="polite"
      aria-relevant="additions text"
      aria-label={t("notifications", { hotkey: "F8" })}
      onFocus={({ relatedTarget }) => {
        if (relatedTarget instanceof HTMLElement && !region.current?.contains(relatedTarget))
          before.current = relatedTarget;
      }}
      data-toasts
      className="group/toasts pointer-events-none fixed right-0 bottom-0 z-70 flex w-full flex-col items-end p-4 outline-none md:max-w-[420px]"
    >
      {current ? <Toast key={current.id} toast={current} onClose={putAway} /> : null}
    </section>
  );
}

function Toast({ toast, onClose }: { toast: ToastMessage; onClose: () => void }) {
  const t = useTexts(uiTexts);
  const hold = useToastTimer(limits.toastMs, onClose);
  const { drawnPx, handlers } = useSwipeRight(limits.toastSwipePx, onClose);
  return (
    <div
      data-toast
      // What failed is told at once, the rest when the reader is silent.
      {...(toast.tone === "destructive" && { role: "alert" })}
      {...hold}
      {...handlers}
      style={drawnPx === null ? undefined : { translate: `${drawnPx}px` }}
      className={cn(
        "slide-in-from-bottom-3 fade-in-0 pointer-events-auto relative flex w-full animate-in touch-pan-y select-none items-start gap-3 rounded-xl border bg-surface p-4 pr-12 text-foreground shadow-float outline-ring outline-offset-2 transition-[translate] group-focus-visible/toasts:outline-2 md:max-w-80 dark:bg-muted",
        drawnPx !== null && "transition-none",
        toast.tone === "destructive" && "border-danger-text/40",
      )}
    >
      <ToastIcon tone={toast.tone ?? "default"} />
      <div className="grid min-w-0 gap-0.5">
        <p className="font-semibold text-sm leading-5">{toast.title}</p>
        {toast.description ? (
          <p className="text-muted-foreground text-sm leading-5">{toast.description}</p>
        ) : null}
      </div>
      <button
        type="button"
        aria-label={t("close")}
        onClick={onClose}
        className="absolute top-2.5 right-2.5 grid size-8 place-items-center rounded-md text-muted-foreground hover:bg-muted pointer-coarse:top-1 pointer-coarse:right-1 pointer-coarse:size-11"
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}

function ToastIcon({ tone }: { tone: ToastTone }) {
  const { icon: Icon, className } = ICONS[tone];
  return <Icon aria-hidden className={cn("mt-0.5 size-4.5 shrink-0", className)} />;
}
