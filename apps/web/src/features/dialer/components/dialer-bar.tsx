import type { DialerSession } from "@portal/contract/entities/dialer";
import { Maximize2, Pause, PhoneOff, Play } from "lucide-react";
import { useRootMark } from "../../../lib/document.ts";
import { formatDuration } from "../../../lib/format.ts";
import { messagesOf, useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { talkSeconds } from "../../telephony/call/call-state.ts";
import { callMessages, outcomeMessages } from "../../telephony/call/messages.ts";
import { useEndCall } from "../../telephony/call/queries.ts";
import { LeaveMessage } from "../../telephony/voicemail-messages/leave-message.tsx";
import { openDialer } from "../dialer-store.ts";
import { dialerMessages } from "../messages.ts";
import { useDialerCommand } from "../queries.ts";
import { useServerNow } from "../session-query.ts";
import { accepts, secondsUntilDue } from "../session-state.ts";
import { LineCallers } from "./line-strip.tsx";
import { positionText } from "./session-actions.tsx";
import { StatusBadge, shownStatus } from "./session-header.tsx";

interface DialerBarProps {
  session: DialerSession;
  clockOffset: number;
}

/** Shown on every page while the dialer is closed and a session continues; opens the dialer. */
export function DialerBar({ session, clockOffset }: DialerBarProps) {
  const t = useMessages(dialerMessages);
  const { give, underWay } = useDialerCommand(session);
  useRootMark("hasBottomBar");
  const { phase } = session;
  const now = useServerNow(clockOffset, phase === "countdown" || phase === "calling");
  const status = shownStatus(session);
  const name = session.call?.leadName ?? session.lead?.name ?? "";
  const wrapsUp = phase === "wrap_up";
  // Only the latest caller; the open dialer lists all of them.
  const callers = session.callers.filter(({ isNext }) => !isNext).slice(-1);
  const message = session.call?.message ? session.call : null;
  const hasMore = message !== null || callers.length > 0;
  return (
    <>
      {/* Space for the bar, so that it never covers the end of the page. */}
      <div className={hasMore ? "h-32" : "h-16"} />
      <section
        aria-label={t("bar", { status: t(status), name })}
        className="fixed inset-x-3 bottom-[calc(0.75rem+var(--phone-bar))] z-40 grid sm:right-4 sm:left-auto sm:min-w-96 sm:max-w-xl gap-2 rounded-xl border bg-surface py-2 pr-2.5 pl-4 shadow-float"
      >
        <LineCallers session={session} callers={callers} />
        {message ? <LeaveMessage call={message} /> : null}
        <div className="flex items-center gap-2">
          <div className="min-w-0 flex-1 text-sm leading-5">
            <p className="flex items-center gap-2 text-muted-foreground text-xs">
              <span className="flex shrink-0">
                <StatusBadge status={status} />
              </span>
              <span className="truncate tabular-nums">
                {t("positionShort", positionText(session))} · {stepLabel(session, now, t)}
              </span>
            </p>
            <p className="truncate font-medium">{name}</p>
          </div>
          {phase === "calling" && session.call && session.call.state !== "ended" ? (
            <EndCall call={session.call} />
          ) : null}
          {!wrapsUp && accepts(session, "pause") ? (
            <Button
              variant="secondary"
              size="icon"
              aria-label={t("pause")}
              pending={underWay.includes("pause")}
              onClick={() => give("pause")}
            >
              {underWay.includes("pause") ? null : <Pause aria-hidden />}
            </Button>
          ) : null}
          {!wrapsUp && accepts(session, "resume") ? (
            <Button
              variant="secondary"
              size="icon"
              aria-label={t("resumeAt", positionText(session))}
              pending={underWay.includes("resume")}
              onClick={() => give("resume")}
            >
              {underWay.includes("resume") ? null : <Play aria-hidden />}
            </Button>
          ) : null}
          <Button size="sm" onClick={() => openDialer()}>
            {wrapsUp ? null : <Maximize2 aria-hidden className="max-sm:hidden" />}
            {t(wrapsUp ? "chooseOutcome" : "open")}
          </Button>
        </div>
      </section>
    </>
  );
}

function EndCall({ call }: { call: NonNullable<DialerSession["call"]> }) {
  const t = useMessages(dialerMessages);
  const end = useEndCall();
  return (
    <Button
      variant="destructive"
      size="icon"
      aria-label={t("endCall")}
      pending={end.isPending}
      onClick={() => end.mutate(call)}
    >
      {end.isPending ? null : <PhoneOff aria-hidden />}
    </Button>
  );
}

function stepLabel(
  session: DialerSession,
  now: number,
  t: ReturnType<typeof useMessages<(typeof dialerMessages)["pairs"]>>,
): string {
  const call = messagesOf(callMessages);
  const outcome = messagesOf(outcomeMessages);
  switch (session.step) {
    case "checking":
      return t("barChecking");
    case "ringing_you":
      return t(session.call?.officeLine ? "barRingingOffice" : "barRingingYou");
    case "ringing_lead":
      return t("barRingingLead");
    case "talking": {
      const talk = talkSeconds(session.call, now);
      if (talk === null) return call("checking");
      const machine = session.call?.answeredBy === "machine";
      return `${machine ? outcome("voicemail") : t("barTalking")} ${formatDuration(talk)}`;
    }
    case "wrap_up":
      return t("barWrapUp");
    case "countdown":
      return t("barCountdown", { seconds: secondsUntilDue(session, now) ?? 0 });
    case "waiting":
      return t("barWaiting");
  }
}
