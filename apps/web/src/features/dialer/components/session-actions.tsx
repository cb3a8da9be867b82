import type { DialerSession } from "@portal/contract/entities/dialer";
import { Hand, Pause, Phone, PhoneOff, Play, SkipForward } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { cn } from "../../../lib/cn.ts";
import { useRootMark } from "../../../lib/document.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { singleKeys } from "../../../lib/keys.ts";
import { useStore } from "../../../lib/store.ts";
import { Button } from "../../../ui/button.tsx";
import { useEndCall } from "../../telephony/call/queries.ts";
import { useCallShortcuts } from "../../telephony/call/use-call-shortcuts.ts";
import { dialerMessages, lineMessages, wrapUpMessages } from "../messages.ts";
import { useDialerCommand } from "../queries.ts";
import { accepts, ringsAgain, type SessionCommand } from "../session-state.ts";

interface SessionActionsProps {
  session: DialerSession;
  panel: RefObject<HTMLElement | null>;
  /** Whether the shown lead, and the buttons, have been visible long enough for a press to refer to them. */
  isLeadSeen: boolean;
  isSeen: boolean;
}

/**
 * The buttons that apply now, outside of the wrap-up. A press while another command is being sent is queued; a button that does not accept
 * one yet is shown as such.
 */
export function SessionActions({ session, panel, isLeadSeen, isSeen }: SessionActionsProps) {
  const t = useMessages(dialerMessages);
  const line = useMessages(lineMessages);
  const { give, underWay } = useDialerCommand(session);
  const end = useEndCall();
  const { phase, call } = session;
  const shows = (word: SessionCommand) => accepts(session, word);
  const pending = (word: SessionCommand) => underWay.includes(word);
  // After the pending command another lead follows, which was not on screen when this was pressed.
  const leaves = pending("skip") || pending("stop") || session.skipping;
  // The buttons that dial or skip a lead do not accept the second click of a double click on their predecessor.
  const off = leaves || !isSeen;
  // No shortcut ends a call: during one, only the button skips.
  const skipsByKey = shows("skip") && (phase === "countdown" || phase === "waiting");
  useCallShortcuts(panel, ({ kind }) => {
    if (kind === "pause" && (shows("pause") || pending("resume"))) give("pause");
    if (kind === "skip" && skipsByKey && !leaves && isLeadSeen) give("skip");
  });
  return (
    <ActionBar>
      {phase === "calling" && call && call.state !== "ended" ? (
        <Button
          variant="destructive"
          size="lg"
          className="flex-1 basis-full sm:basis-40"
          pending={end.isPending}
          onClick={() => end.mutate(call)}
        >
          <PhoneOff aria-hidden />
          {t("endCall")}
        </Button>
      ) : null}
      {shows("call_now") ? (
        <Button
          size="lg"
          className="flex-1 basis-full sm:basis-40"
          pending={pending("call_now")}
          disabled={off}
          onClick={() => give("call_now")}
        >
          <Phone aria-hidden />
          {t("callNow")}
        </Button>
      ) : null}
      {shows("resume") ? (
        <Button
          size="lg"
          className="flex-1 basis-full whitespace-normal sm:basis-40"
          pending={pending("resume")}
          disabled={off}
          onClick={() => give("resume")}
        >
          <Play aria-hidden />
          {ringsAgain(session)
            ? line("ringAgain")
            : phase === "waiting"
              ? t("resumeAt", positionText(session))
              : t("resume")}
        </Button>
      ) : null}
      {shows("hold") ? (
        <Button
          variant="secondary"
          size="lg"
          className="max-sm:flex-1"
          pending={pending("hold")}
          disabled={leaves}
          onClick={() => give("hold")}
        >
          <Hand aria-hidden />
          {t("hold")}
        </Button>
      ) : null}
      {shows("pause") ? (
        <Button
          variant="secondary"
          size="lg"
          className="max-sm:flex-1"
          pending={pending("pause")}
          disabled={pending("stop")}
          onClick={() => give("pause")}
        >
          <Pause aria-hidden />
          {t("pause")}
        </Button>
      ) : null}
      {shows("skip") || session.skipping ? (
        <Button
          variant="secondary"
          size="lg"
          className="max-sm:flex-1"
          pending={pending("skip") || session.skipping}
          disabled={off}
          onClick={() => give("skip")}
        >
          <SkipForward aria-hidden />
          {t("skip")}
        </Button>
      ) : null}
      <KeyHints
        only={[...(shows("pause") ? ["pause" as const] : []), ...(skipsByKey ? ["skip" as const] : [])]}
      />
    </ActionBar>
  );
}

/** 'lead 7 of 42', counted from one. */
export function positionText({ position, total }: Pick<DialerSession, "position" | "total">) {
  return { position: formatNumber(Math.min(position + 1, total)), total: formatNumber(total) };
}

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
