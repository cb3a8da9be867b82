import type { DialerSession } from "@portal/contract/entities/dialer";
import { Hand, Pause, Phone, PhoneOff, Play, SkipForward } from "lucide-react";
import type { RefObject } from "react";
import { formatNumber } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { useEndCall } from "../../telephony/call/queries.ts";
import { useCallShortcuts } from "../../telephony/call/use-call-shortcuts.ts";
import { lineMessages } from "../line-messages.ts";
import { dialerMessages } from "../messages.ts";
import { useDialerCommand } from "../queries.ts";
import { accepts, ringsAgain, type SessionCommand } from "../session-state.ts";
import { ActionBar, KeyHints } from "./action-bar.tsx";

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
