import type { DialerSession } from "@portal/contract/entities/dialer";
import { Link } from "@tanstack/react-router";
import { cn } from "../../../lib/cn.ts";
import { formatDuration, formatPhone } from "../../../lib/format.ts";
import { messagesOf, type Translate, useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { isChecking, talkSeconds } from "../../telephony/call/call-state.ts";
import type { callDialogMessages } from "../../telephony/call/dialog-messages.ts";
import { confirmingTitle, isJoining, talkProgress } from "../../telephony/call/progress-values.ts";
import { closeDialer } from "../dialer-store.ts";
import { dialerMessages, lineMessages } from "../messages.ts";
import { heldByTyping, isLineRung, secondsUntilDialled, secondsUntilDue } from "../session-state.ts";

interface ProgressViewProps {
  session: DialerSession;
  progress: DialerProgress;
  /** The server's time in ms. */
  now: number;
}

const tones: Record<DialerProgress["tone"], string> = {
  calm: "bg-muted/60",
  ringing: "border-primary/40 bg-surface",
  talking: "border-primary/40 bg-primary-soft",
  paused: "border-warning-text/30 bg-warning-soft",
};

/** The session's current step. Screen readers announce each step, not each second. */
export function ProgressView({ session, progress, now }: ProgressViewProps) {
  const t = useMessages(dialerMessages);
  const talk =
    session.phase === "wrap_up" || session.step === "talking" ? talkSeconds(session.call, now) : null;
  return (
    <section
      className={cn(
        "grid justify-items-center gap-1.5 rounded-xl border px-4 py-4 text-center",
        tones[progress.tone],
      )}
    >
      <div role="status" className="grid gap-0.5">
        <p className="text-balance font-semibold text-base sm:text-lg">
          {progress.tone === "ringing" ? <Pulse /> : null}
          {progress.title}
        </p>
        {progress.hint ? (
          <p className="text-balance text-muted-foreground text-sm in-[.bg-warning-soft]:text-warning-text">
            {progress.hint}
          </p>
        ) : null}
      </div>
      {session.phase === "countdown" || secondsUntilDialled(session, now) > 0 ? (
        <Countdown session={session} now={now} />
      ) : null}
      {talk === null ? null : (
        <p
          role="timer"
          aria-label={t("talkTimer")}
          className="font-semibold text-3xl tabular-nums leading-9 tracking-tight"
        >
          {formatDuration(talk)}
        </p>
      )}
      {session.status === "paused" && session.pauseReason === "rep_without_phone" ? (
        <Button asChild variant="secondary" className="mt-1">
          <Link to="/settings" onClick={closeDialer}>
            {t("openSettings")}
          </Link>
        </Button>
      ) : null}
    </section>
  );
}

function Pulse() {
  return (
    <span aria-hidden className="relative mr-2.5 inline-flex size-2.5 align-baseline">
      <span className="absolute inline-flex size-full animate-ping rounded-full bg-primary opacity-60" />
      <span className="relative inline-flex size-2.5 rounded-full bg-primary" />
    </span>
  );
}

/** Seconds until the next call, or until a call that waits for the account's pace. */
function Countdown({ session, now }: { session: DialerSession; now: number }) {
  const t = useMessages(dialerMessages);
  const due = secondsUntilDue(session, now);
  const seconds = due ?? secondsUntilDialled(session, now);
  const hint = heldByTyping(session, now)
    ? t("typing")
    : seconds > 0
      ? t("countdownIn", { count: seconds })
      : t("countdownNow");
  return (
    <>
      <p
        role="timer"
        aria-label={t(due === null ? "pacedTimer" : "countdownTimer")}
        className="font-semibold text-4xl tabular-nums leading-11 tracking-tight"
      >
        {seconds}
      </p>
      <p className="text-muted-foreground text-sm">{hint}</p>
    </>
  );
}

/** The session's current step as text: a title, and a hint on what to do. */
interface DialerProgress {
  readonly title: string;
  readonly hint: string | null;
  readonly tone: "calm" | "ringing" | "talking" | "paused";
}

type Say = Translate<(typeof dialerMessages)["pairs"]>;
type SayCall = Translate<(typeof callDialogMessages)["pairs"]>;

interface ProgressInput {
  session: DialerSession;
  serverNow: number;
}

export function dialerProgress({ session, serverNow }: ProgressInput, t: Say, call: SayCall): DialerProgress {
  const { phase, status, pauseReason } = session;
  const name = session.call?.leadName ?? session.lead?.name ?? "";
  const paused = status === "paused";
  const line = lineProgress(session);
  if (line) return line;
  switch (phase) {
    case "checking":
      return paused ? pausedProgress(pauseReason, t) : calm(t("checking", { name }), t("checkingHint"));
    case "calling": {
      const progress = callingProgress(session, name, serverNow, t, call);
      return paused ? { ...progress, hint: t("pausedCallGoesOn") } : progress;
    }
    case "wrap_up":
      return calm(t("wrapUp", { name }), wrapUpHint(session, t, call));
    case "countdown":
      return calm(t("countdown", { name }), session.again ? t("countdownAgain") : null);
    case "waiting":
      if (paused) return pausedProgress(pauseReason, t);
      return calm(t("waiting", { name }), session.autoDial ? t("waitingHeld") : t("waitingByHand"));
  }
}

/** The step of the consultant's line while the session waits for it, else null. */
function lineProgress(session: DialerSession): DialerProgress | null {
  const { line, status, phase } = session;
  const t = messagesOf(lineMessages);
  if (!line) return null;
  if (isLineRung(session)) {
    if (line.state === "confirming") return ringing(t("confirming"), t("confirmingHint"));
    if (line.state === "requested") return ringing(t("requested"), t("ringingHint"));
    const { officeLine } = line;
    const title = officeLine ? t("ringingOffice", { phone: formatPhone(officeLine) }) : t("ringing");
    return ringing(title, t("ringingHint"));
  }
  const hasEnded = status === "paused" && phase === "waiting" && line.state === "ended";
  if (!hasEnded || session.pauseReason !== "line_ended") return null;
  const reason = line.endReason && t(`end_${line.endReason}`);
  return { title: t("ended"), hint: line.failure ?? reason, tone: "paused" };
}

function wrapUpHint({ status, call, pauseReason }: DialerSession, t: Say, say: SayCall): string {
  if (call && isChecking(call)) return say("checking");
  if (status === "paused")
    return pauseReason === "not_connecting" ? t("reason_not_connecting") : t("pausedTitle");
  return call?.result === "not_connected" ? say("results_not_connected") : t("wrapUpHint");
}

function calm(title: string, hint: string | null): DialerProgress {
  return { title, hint, tone: "calm" };
}

function pausedProgress(reason: DialerSession["pauseReason"], t: Say): DialerProgress {
  return { title: t("pausedTitle"), hint: reason ? t(`reason_${reason}`) : null, tone: "paused" };
}

function callingProgress(
  session: DialerSession,
  name: string,
  serverNow: number,
  t: Say,
  call: SayCall,
): DialerProgress {
  const seconds = secondsUntilDialled(session, serverNow);
  // The seconds are a separate element: screen readers announce each step, not each second.
  if (seconds > 0) return calm(t("paced"), call("waitingHint"));
  if (session.call?.ending) return calm(call("ending"), null);
  if (session.call && isJoining(session.call)) return calm(call("joining"), call("joiningHint", { name }));
  switch (session.call?.state) {
    case "ringing_rep": {
      const { officeLine } = session.call;
      const title = officeLine
        ? call("ringingOffice", { phone: formatPhone(officeLine) })
        : call("ringingPersonal");
      return ringing(title, call("ringingHint", { name }));
    }
    case "confirming":
      return ringing(confirmingTitle(session.call, call), call("confirmingHint", { name }));
    case "ringing_lead":
      return ringing(call("ringingLead", { name }), call("ringingLeadHint"));
    case "in_progress": {
      const { title, hint } = talkProgress(session.call, name, call);
      return { title, hint, tone: "talking" };
    }
    case "ended":
      return calm(t("callEnded"), t("callEndedHint"));
    default:
      return calm(t("connecting"), t("connectingHint"));
  }
}

function ringing(title: string, hint: string): DialerProgress {
  return { title, hint, tone: "ringing" };
}
