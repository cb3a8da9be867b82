import type { DialerSession } from "@portal/contract/entities/dialer";
import { Link } from "@tanstack/react-router";
import { cn } from "../../../lib/cn.ts";
import { formatDuration } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { closeDialer } from "../dialer-store.ts";
import { heldByTyping, secondsUntilDialled, secondsUntilDue, talkSeconds } from "../session-state.ts";
import type { DialerStage } from "../stage.ts";
import { dialerTexts } from "../texts.ts";

interface StageViewProps {
  session: DialerSession;
  stage: DialerStage;
  /** The server's clock in ms. */
  now: number;
}

const tones: Record<DialerStage["tone"], string> = {
  calm: "bg-muted/60",
  ringing: "border-primary/40 bg-surface",
  talking: "border-primary/40 bg-primary-soft",
  paused: "border-warning-text/30 bg-warning-soft",
};

/** What happens now. A screen reader hears each step, not each second. */
export function StageView({ session, stage, now }: StageViewProps) {
  const t = useTexts(dialerTexts);
  const talk = session.phase === "wrap_up" || session.step === "talking" ? talkSeconds(session, now) : null;
  return (
    <section
      className={cn(
        "grid justify-items-center gap-1.5 rounded-xl border px-4 py-4 text-center",
        tones[stage.tone],
      )}
    >
      <div role="status" className="grid gap-0.5">
        <p className="text-balance font-semibold text-base sm:text-lg">
          {stage.tone === "ringing" ? <Pulse /> : null}
          {stage.title}
        </p>
        {stage.hint ? (
          <p className="text-balance text-muted-foreground text-sm in-[.bg-warning-soft]:text-warning-text">
            {stage.hint}
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

/** Until the next call, or until one that waits for the account's pace goes out. */
function Countdown({ session, now }: { session: DialerSession; now: number }) {
  const t = useTexts(dialerTexts);
  const due = secondsUntilDue(session, now);
  const seconds = due ?? secondsUntilDialled(session, now);
  const words = heldByTyping(session, now)
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
      <p className="text-muted-foreground text-sm">{words}</p>
    </>
  );
}
