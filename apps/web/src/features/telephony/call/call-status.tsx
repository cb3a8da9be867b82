import { PhoneOff } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { formatDuration } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { useNow } from "../../../lib/use-clock.ts";
import { Button } from "../../../ui/button.tsx";
import { callProgress } from "./call-progress.ts";
import { talkSeconds, timerSeconds } from "./call-state.ts";
import { callDialogMessages } from "./dialog-messages.ts";
import { callMessages } from "./messages.ts";
import type { CallSession } from "./use-call-session.ts";

/** What the call does now, how far it has come, how long it takes, and the way to end it. */
export function CallStatus({ session }: { session: CallSession }) {
  const t = useMessages(callDialogMessages);
  const calls = useMessages(callMessages);
  const { state, end } = session;
  const running = state.phase === "live";
  const connecting = state.phase === "connecting";
  const now = useNow(running);
  const progress = callProgress(state, now, t);
  const talk = talkSeconds(state.call, now + state.clockOffset);
  return (
    <section
      className={cn(
        "grid justify-items-center gap-3 rounded-xl border px-4 py-5 text-center",
        progress.tone === "active" ? "border-primary/40 bg-primary-soft" : "bg-muted/60",
      )}
    >
      <div role="status" className="grid gap-0.5">
        <p className={cn("font-semibold text-base", progress.tone === "failed" && "text-danger-text")}>
          {progress.title}
        </p>
        {progress.hint ? <p className="text-muted-foreground text-sm">{progress.hint}</p> : null}
      </div>
      <div className="grid gap-0.5">
        <p
          role="timer"
          aria-label={calls("timer")}
          className="font-semibold text-4xl tabular-nums leading-11 tracking-tight"
        >
          {formatDuration(timerSeconds(state, now))}
        </p>
        <p className="h-5 text-muted-foreground text-sm tabular-nums">
          {talk === null ? null : t("talk", { time: formatDuration(talk) })}
        </p>
      </div>
      <CallSteps
        steps={progress.steps}
        under={running && !state.ending && !state.call?.ending}
        office={state.call?.repLine === "office"}
      />
      {running || connecting ? (
        <Button
          variant="destructive"
          size="lg"
          className="mt-1 w-full sm:w-auto sm:min-w-48"
          pending={state.ending}
          disabled={connecting}
          onClick={() => void end()}
        >
          {state.ending ? null : <PhoneOff aria-hidden />}
          {t("endCall")}
        </Button>
      ) : null}
    </section>
  );
}

interface CallStepsProps {
  steps: number;
  /** Whether the step after the last done one is under way. */
  under: boolean;
  office: boolean;
}

function CallSteps({ steps, under, office }: CallStepsProps) {
  const t = useMessages(callDialogMessages);
  const labels = [office ? t("stepOffice") : t("stepYou"), t("stepConfirm"), t("stepLead"), t("stepTalk")];
  return (
    <ol aria-label={t("progress")} className="grid w-full max-w-sm grid-cols-4 gap-1.5">
      {labels.map((label, index) => {
        const current = under && index === steps;
        return (
          <li key={label} aria-current={current ? "step" : undefined} className="grid content-start gap-1.5">
            <span
              className={cn(
                "h-1 rounded-full bg-border",
                index < steps && "bg-primary",
                current && "animate-pulse bg-primary/60",
              )}
            />
            <span
              className={cn(
                "text-xs leading-4",
                current ? "font-medium text-foreground" : "text-muted-foreground",
              )}
            >
              {label}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
