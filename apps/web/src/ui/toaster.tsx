import { limits } from "@portal/contract/limits";
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { type PointerEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { cn } from "../lib/cn.ts";
import { useMessages } from "../lib/i18n.ts";
import { LeadLink } from "./lead-link.tsx";
import { uiMessages } from "./messages.ts";
import { RequestId } from "./request-id.tsx";
import { dismissToast, type ToastMessage, type ToastTone, useCurrentToast } from "./toast.ts";

/** From this distance on a moving pointer swipes; less is a trembling press. */
const bufferPx = { touch: 10, other: 2 };

interface SwipeRight {
  /** How far it has been dragged, in px; null if it is not. */
  drawnPx: number | null;
  handlers: {
    onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    onPointerUp: () => void;
    onPointerCancel: () => void;
  };
}

/** Dismisses something by a swipe to the right of more than `thresholdPx`. */
function useSwipeRight(thresholdPx: number, onSwiped: () => void): SwipeRight {
  const [startX, setStartX] = useState<number | null>(null);
  const [drawnPx, setDrawn] = useState<number | null>(null);
  const end = () => {
    setStartX(null);
    setDrawn(null);
  };
  return {
    drawnPx,
    handlers: {
      onPointerDown: ({ button, clientX }) => {
        if (button === 0) setStartX(clientX);
      },
      onPointerMove: ({ clientX, currentTarget, pointerId, pointerType }) => {
        if (startX === null) return;
        const px = Math.max(0, clientX - startX);
        if (drawnPx === null && px <= bufferPx[pointerType === "touch" ? "touch" : "other"]) return;
        if (drawnPx === null) currentTarget.setPointerCapture?.(pointerId);
        setDrawn(px);
      },
      onPointerUp: () => {
        end();
        if (drawnPx !== null && drawnPx > thresholdPx) onSwiped();
      },
      onPointerCancel: end,
    },
  };
}

const ICONS: Record<ToastTone, { icon: typeof Info; className: string }> = {
  default: { icon: Info, className: "text-info-text" },
  success: { icon: CircleCheck, className: "text-success-text" },
  warning: { icon: TriangleAlert, className: "text-warning-text" },
  destructive: { icon: CircleAlert, className: "text-danger-text" },
};

/**
 * Shows toasts: at the bottom right, at full width on phones, without overlapping dialogs and bars (`data-toasts` in styles.css). F8
 * focuses them. Escape dismisses the toast unless something else handles it: an open dialog or menu comes first.
 */
export function Toaster() {
  const t = useMessages(uiMessages);
  const current = useCurrentToast();
  const region = useRef<HTMLElement>(null);
  const before = useRef<HTMLElement | null>(null);
  // A focus inside the toast returns to where it was before.
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
  const t = useMessages(uiMessages);
  const { title, onOpen } = toast;
  // A title with another ending, as in a further language, has no link.
  const lead = toast.lead && onOpen && title.endsWith(toast.lead.name) ? toast.lead : null;
  const hold = useToastTimer(limits.toastMs, onClose);
  const { drawnPx, handlers } = useSwipeRight(limits.toastSwipePx, onClose);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const root = document.documentElement;
    root.style.setProperty("--toast-height", `${box.current?.offsetHeight ?? 0}px`);
    root.dataset.hasToast = "";
    return () => {
      delete root.dataset.hasToast;
    };
  }, []);
  return (
    <div
      ref={box}
      data-toast
      // Screen readers announce failures at once, other toasts when they are idle.
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
      <div className="grid min-w-0 gap-0.5 [overflow-wrap:anywhere]">
        <p className="font-semibold text-sm leading-5">
          {onOpen ? (
            <button
              type="button"
              aria-label={title}
              className="text-left after:absolute after:inset-0 after:rounded-xl"
              onClick={() => {
                onClose();
                onOpen();
              }}
            >
              {lead ? title.slice(0, -lead.name.length) : title}
            </button>
          ) : (
            title
          )}
          {lead ? (
            <>
              {" "}
              <LeadLink leadId={lead.id} onOpen={onClose} className="relative z-1">
                {lead.name}
              </LeadLink>
            </>
          ) : null}
        </p>
        {toast.description ? (
          <p className={cn("text-muted-foreground text-sm leading-5", onOpen && "line-clamp-3")}>
            {toast.description}
          </p>
        ) : null}
        <RequestId error={toast.error} />
      </div>
      <button
        type="button"
        aria-label={t("close")}
        onClick={onClose}
        className="absolute top-2.5 right-2.5 z-1 grid size-8 place-items-center rounded-md text-muted-foreground hover:bg-muted pointer-coarse:top-1 pointer-coarse:right-1 pointer-coarse:size-11"
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

interface HoldHandlers {
  onPointerEnter: () => void;
  onPointerLeave: () => void;
  onFocus: () => void;
  onBlur: () => void;
}

/**
 * Calls `onOver` after this time. The timer pauses while the window has no focus, and while the pointer or the focus is on the element with
 * these handlers.
 */
function useToastTimer(durationMs: number, onOver: () => void): HoldHandlers {
  const [isHeld, setHeld] = useState(false);
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    const away = () => setAway(true);
    const back = () => setAway(false);
    window.addEventListener("blur", away);
    window.addEventListener("focus", back);
    return () => {
      window.removeEventListener("blur", away);
      window.removeEventListener("focus", back);
    };
  }, []);
  const [clock] = useState({ leftMs: durationMs });
  useEffect(() => {
    if (isHeld || isAway) return;
    const since = Date.now();
    const timer = setTimeout(onOver, clock.leftMs);
    return () => {
      clearTimeout(timer);
      clock.leftMs -= Date.now() - since;
    };
  }, [isHeld, isAway, clock, onOver]);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return { onPointerEnter: hold, onPointerLeave: release, onFocus: hold, onBlur: release };
}
