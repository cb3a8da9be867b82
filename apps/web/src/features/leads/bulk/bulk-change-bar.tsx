import { useQuery } from "@tanstack/react-query";
import { History, Undo2, X } from "lucide-react";
import { useEffect, useLayoutEffect, useRef } from "react";
import { useNow } from "../../../lib/clock.tsx";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { useStore } from "../../../lib/store.ts";
import { Button } from "../../../ui/button.tsx";
import { openDialog } from "../../../ui/dialog-outlet.tsx";
import { type ShownChange, shownChange } from "./bulk-store.ts";
import { bulkMessages } from "./messages.ts";
import { bulkChangeQuery, useChangeText, useUndo } from "./queries.ts";

const ChangesDialog = lateComponent(() => import("./changes-dialog.tsx"));

/** The last bulk change, in the list's bar: its result, Undo until it takes effect outside of the portal, and the progress of its SMS. */
export default function BulkChangeBar() {
  const shown = useStore(shownChange);
  return shown ? <ChangeBar key={shown.change.id} shown={shown} /> : null;
}

const dismiss = () => shownChange.set(null);

function ChangeBar({ shown }: { shown: ShownChange }) {
  const t = useMessages(bulkMessages);
  const { data: change = shown.change } = useQuery({
    ...bulkChangeQuery(shown.change.id),
    initialData: shown.change,
  });
  const { title, facts } = useChangeText(change);
  const undo = useUndo(change.id);
  const now = useNow(change.state !== "undone" && shown.until > Date.now());
  const seconds = Math.ceil((shown.until - now) / 1_000);
  const isWaiting = change.state !== "undone" && seconds > 0;
  const isText = change.kind === "text";
  const mayUndo = change.mayUndo && (isWaiting || isText);
  // The change is complete; it remains listed under 'Changes made together'.
  const isOver = change.state !== "undone" && !isWaiting && !isText && !undo.isPending;
  useEffect(() => {
    if (isOver) dismiss();
  }, [isOver]);
  const section = useFocusAfterDialog();
  return (
    <section
      ref={section}
      tabIndex={-1}
      data-bulk-change
      aria-label={t("region")}
      className="sticky bottom-[calc(1rem+var(--phone-bar))] z-20 mt-3 flex flex-wrap items-center gap-2 rounded-xl border bg-surface py-2 pr-2.5 pl-4 shadow-float"
    >
      <div role="status" className="min-w-0 flex-1 basis-48 text-sm tabular-nums">
        <p className="font-medium">{title}</p>
        <p className="text-[0.8125rem] text-muted-foreground">
          {[...facts, ...(isWaiting && change.mayUndo ? [t("goSoon")] : [])].join(" ")}
        </p>
      </div>
      {mayUndo ? (
        <Button variant="soft" size="sm" pending={undo.isPending} onClick={() => undo.mutate()}>
          <Undo2 aria-hidden />
          {t(isWaiting ? "undo" : "stop")}
          {isWaiting ? (
            <span aria-hidden className="min-w-5 text-right tabular-nums">
              {seconds}
            </span>
          ) : null}
        </Button>
      ) : null}
      <Button
        variant="secondary"
        size="sm"
        aria-haspopup="dialog"
        onClick={() => openDialog((close) => <ChangesDialog onClose={close} />)}
      >
        <History aria-hidden />
        <span className="max-sm:sr-only">{t("history")}</span>
      </Button>
      <Button variant="ghost" size="icon-sm" aria-label={t("dismiss")} title={t("dismiss")} onClick={dismiss}>
        <X aria-hidden />
      </Button>
    </section>
  );
}

const pageOf = () => document.querySelector<HTMLElement>("main");

/** Moves the focus from a closed dialog to the bar, so that Undo is the next stop, and returns it to the page when the bar disappears. */
function useFocusAfterDialog() {
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (activeElement === body || activeElement === pageOf()) section.current?.focus({ preventScroll: true });
    const shown = section.current;
    return () => {
      if (shown?.contains(document.activeElement)) pageOf()?.focus({ preventScroll: true });
    };
  }, []);
  return section;
}
