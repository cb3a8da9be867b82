import type { ReactNode } from "react";
import { cn } from "../../../lib/cn.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { singleKeys } from "../../../lib/keys.ts";
import { useRootMark } from "../../../lib/root-mark.ts";
import { useStore } from "../../../lib/store.ts";
import { wrapUpMessages } from "../messages.ts";

/** The main buttons in a sticky bar at the bottom, in reach of a thumb. */
export function ActionBar({ children, className }: { children: ReactNode; className?: string }) {
  useRootMark("hasActionBar");
  return (
    <footer
      data-action-bar
      className={cn(
        "sticky bottom-(--phone-bar) z-10 [[data-dialog]_&]:bottom-0 -mx-4 mt-auto flex flex-wrap gap-2 rounded-b-xl border-t bg-surface px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:-mx-6 sm:px-6",
        className,
      )}
    >
      {children}
    </footer>
  );
}

const keyClasses =
  "rounded border bg-muted px-1.5 py-px font-medium font-sans text-[0.6875rem] text-foreground leading-4";

type HintedKey = "outcome" | "save" | "saveNotes" | "pause" | "skip";

/** Keyboard shortcuts of the session; hidden on touch screens. */
export function KeyHints({ only }: { only?: readonly HintedKey[] }) {
  const t = useMessages(wrapUpMessages);
  const hints: { id: HintedKey; keys: string; means: string }[] = [
    { id: "outcome", keys: "1–6", means: t("keyOutcome") },
    { id: "save", keys: t("enter"), means: t("keySave") },
    { id: "saveNotes", keys: `${t("control")} ${t("enter")}`, means: t("keySaveNotes") },
    { id: "pause", keys: t("space"), means: t("keyPause") },
    { id: "skip", keys: "S", means: t("keySkip") },
  ];
  const areKeysOn = useStore(singleKeys);
  if (only?.length === 0) return null;
  return (
    <ul
      aria-label={t("keys")}
      className="flex w-full flex-wrap gap-x-4 gap-y-1 text-muted-foreground text-xs max-sm:hidden pointer-coarse:hidden"
    >
      {hints
        .filter(({ id }) => only === undefined || only.includes(id))
        .filter(({ id }) => areKeysOn || (id !== "outcome" && id !== "skip"))
        .map(({ id, keys, means }) => (
          <li key={id}>
            <kbd className={keyClasses}>{keys}</kbd> {means}
          </li>
        ))}
    </ul>
  );
}
