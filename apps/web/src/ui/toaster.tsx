import { limits } from "@portal/contract/limits";
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import * as ToastPrimitive from "radix-ui/toast";
import { cn } from "../lib/cn.ts";
import { useTexts } from "../lib/i18n.ts";
import { uiTexts } from "./texts.ts";
import { dismissToast, type ToastTone, useCurrentToast } from "./toast.ts";

const ICONS: Record<ToastTone, { icon: typeof Info; className: string }> = {
  default: { icon: Info, className: "text-info-text" },
  success: { icon: CircleCheck, className: "text-success-text" },
  warning: { icon: TriangleAlert, className: "text-warning-text" },
  destructive: { icon: CircleAlert, className: "text-danger-text" },
};

/**
 * Where toasts appear: bottom right, full width on phones, out of the way of dialogs and bars (`data-toasts` in styles.css). F8
 * focuses it, a swipe to the right dismisses.
 */
export function Toaster() {
  const t = useTexts(uiTexts);
  const current = useCurrentToast();
  return (
    <ToastPrimitive.Provider
      duration={limits.toastMs}
      swipeDirection="right"
      swipeThreshold={limits.toastSwipePx}
      label={t("notification")}
    >
      {current ? (
        <ToastPrimitive.Root
          key={current.id}
          data-toast
          type={current.tone === "destructive" ? "foreground" : "background"}
          onOpenChange={(open) => {
            if (!open) dismissToast(current.id);
          }}
          className={cn(
            "data-[state=open]:slide-in-from-bottom-3 data-[state=open]:fade-in-0 pointer-events-auto relative flex w-full items-start md:max-w-80 gap-3 rounded-xl border bg-surface p-4 pr-12 dark:bg-muted text-foreground shadow-float data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[state=open]:animate-in data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform",
            current.tone === "destructive" && "border-danger-text/40",
          )}
        >
          <ToastIcon tone={current.tone ?? "default"} />
          <div className="grid min-w-0 gap-0.5">
            <ToastPrimitive.Title className="font-semibold text-sm leading-5">
              {current.title}
            </ToastPrimitive.Title>
            {current.description ? (
              <ToastPrimitive.Description className="text-muted-foreground text-sm leading-5">
                {current.description}
              </ToastPrimitive.Description>
            ) : null}
          </div>
          <ToastPrimitive.Close
            aria-label={t("close")}
            className="absolute top-2.5 right-2.5 grid size-8 place-items-center rounded-md text-muted-foreground hover:bg-muted pointer-coarse:top-1 pointer-coarse:right-1 pointer-coarse:size-11"
          >
            <X aria-hidden className="size-4" />
          </ToastPrimitive.Close>
        </ToastPrimitive.Root>
      ) : null}
      <ToastPrimitive.Viewport
        label={t("notifications", { hotkey: "F8" })}
        data-toasts
        className="pointer-events-none fixed right-0 bottom-0 z-70 flex w-full flex-col items-end p-4 outline-none md:max-w-[420px]"
      />
    </ToastPrimitive.Provider>
  );
}

function ToastIcon({ tone }: { tone: ToastTone }) {
  const { icon: Icon, className } = ICONS[tone];
  return <Icon aria-hidden className={cn("mt-0.5 size-4.5 shrink-0", className)} />;
}
