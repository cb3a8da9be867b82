import type { DialerSession } from "@portal/contract/entities/dialer";
import { Maximize2, Pause, Play } from "lucide-react";
import { formatDuration } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { useRootMark } from "../../../lib/root-mark.ts";
import { Button } from "../../../ui/button.tsx";
import { openDialer } from "../dialer-store.ts";
import { useDialerCommand } from "../queries.ts";
import { accepts, secondsUntilDue, talkSeconds } from "../session-state.ts";
import { dialerTexts } from "../texts.ts";
import { useServerNow } from "../use-server-now.ts";
import { placeOf } from "./session-actions.tsx";
import { StatusBadge, shownStatus } from "./status-badge.tsx";

interface DialerBarProps {
  session: DialerSession;
  clockOffset: number;
}

/** Says on every page that a session goes on behind a closed dialer, and leads back to it. */
export function DialerBar({ session, clockOffset }: DialerBarProps) {
  const t = useTexts(dialerTexts);
  const command = useDialerCommand(session);
  useRootMark("hasBottomBar");
  const { phase } = session;
  const now = useServerNow(clockOffset, phase === "countdown" || phase === "calling");
  const status = shownStatus(session);
  const name = session.call?.leadName ?? session.lead?.name ?? "";
  const wrapsUp = phase === "wrap_up";
  return (
    <section
      aria-label={t("bar", { status: t(status), name })}
      className="fixed inset-x-3 bottom-3 z-30 mx-auto flex max-w-xl items-center gap-2 rounded-xl border bg-surface py-2 pr-2.5 pl-4 shadow-float"
    >
      <div className="min-w-0 flex-1 text-sm leading-5">
        <p className="flex items-center gap-2 text-muted-foreground text-xs">
          <span className="flex shrink-0">
            <StatusBadge status={status} />
          </span>
          <span className="truncate tabular-nums">
            {t("positionShort", placeOf(session))} · {stepWords(session, now, t)}
          </span>
        </p>
        <p className="truncate font-medium">{name}</p>
      </div>
      {!wrapsUp && accepts(session, "pause") ? (
        <Button
          variant="secondary"
          size="icon"
          aria-label={t("pause")}
          pending={command.isPending}
          onClick={() => command.mutate("pause")}
        >
          {command.isPending ? null : <Pause aria-hidden />}
        </Button>
      ) : null}
      {!wrapsUp && accepts(session, "resume") ? (
        <Button
          variant="secondary"
          size="icon"
          aria-label={t("resumeAt", placeOf(session))}
          pending={command.isPending}
          onClick={() => command.mutate("resume")}
        >
          {command.isPending ? null : <Play aria-hidden />}
        </Button>
      ) : null}
      <Button size="sm" onClick={() => openDialer()}>
        {wrapsUp ? null : <Maximize2 aria-hidden className="max-sm:hidden" />}
        {t(wrapsUp ? "chooseOutcome" : "open")}
      </Button>
    </section>
  );
}

function stepWords(
  session: DialerSession,
  now: number,
  t: ReturnType<typeof useTexts<(typeof dialerTexts)["pairs"]>>,
): string {
  switch (session.step) {
    case "checking":
      return t("barChecking");
    case "ringing_you":
      return t("barRingingYou");
    case "ringing_lead":
      return t("barRingingLead");
    case "talking":
      return `${t("barTalking")} ${formatDuration(talkSeconds(session, now) ?? 0)}`;
    case "wrap_up":
      return t("barWrapUp");
    case "countdown":
      return t("barCountdown", { seconds: secondsUntilDue(session, now) ?? 0 });
    case "waiting":
      return t("barWaiting");
  }
}
