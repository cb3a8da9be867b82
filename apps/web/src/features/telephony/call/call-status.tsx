import { useNow } from "../../../lib/clock.tsx";
import { cn } from "../../../lib/cn.ts";
import { formatDuration } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { talkSeconds, timerSeconds } from "./call-state.ts";
import { callDialogMessages } from "./dialog-messages.ts";
import { callMessages } from "./messages.ts";
import { callProgress } from "./progress-values.ts";
import type { CallSession } from "./use-call-session.ts";

/** The call's progress and timer. */
export function CallStatus({ session }: { session: CallSession }) {
  const t = useMessages(callDialogMessages);
  const calls = useMessages(callMessages);
  const { state } = session;
  const running = state.phase === "live";
  const now = useNow(running);
  const progress = callProgress(state, now, t);
  const talk = talkSeconds(state.call, now + state.clockOffset);
  return (
    <section
      className={cn(
        "grid justify-items-center gap-2.5 rounded-xl border px-3 py-3.5 text-center",
        progress.tone === "active" ? "border-primary/40 bg-primary-soft" : "bg-muted/60",
      )}
    >
      {/* With the height of its longest text, so that the content below does not move. */}
      <div role="status" className="grid min-h-16 content-center gap-0.5">
        <p className={cn("font-semibold text-base", progress.tone === "failed" && "text-danger-text")}>
          {progress.title}
        </p>
        {progress.hint ? <p className="text-muted-foreground text-sm">{progress.hint}</p> : null}
      </div>
      {/* While talking, the talk time is the large one. */}
      <div className="grid h-16 content-center gap-0.5">
        <p
          role="timer"
          aria-label={calls("timer")}
          className={cn(
            "tabular-nums",
            talk === null
              ? "font-semibold text-4xl leading-11 tracking-tight"
              : "text-muted-foreground text-sm leading-5",
          )}
        >
          {formatDuration(timerSeconds(state, now))}
        </p>
        <p className="font-semibold text-xl tabular-nums leading-7 tracking-tight empty:hidden">
          {talk === null ? null : t("talk", { time: formatDuration(talk) })}
        </p>
      </div>
      <CallSteps
        steps={progress.steps}
        under={running && !state.ending && !state.call?.ending}
        office={state.call?.repLine === "office"}
        onLine={state.call?.onLine ?? false}
      />
    </section>
  );
}

interface CallStepsProps {
  steps: number;
  /** Whether the step after the last completed one is in progress. */
  under: boolean;
  office: boolean;
  /** The lead joins the user's open line, so the user's phone is not rung. */
  onLine: boolean;
}

function CallSteps({ steps, under, office, onLine }: CallStepsProps) {
  const t = useMessages(callDialogMessages);
  const own = office ? t("stepOffice") : t("stepYou");
  const labels = [...(onLine ? [t("stepLine")] : [own, t("stepConfirm")]), t("stepLead"), t("stepTalk")];
  // With an open line, ringing and pressing 1 are one step: joining.
  const done = onLine ? Math.max(0, steps - 1) : steps;
  return (
    <ol aria-label={t("progress")} className="grid w-full max-w-sm auto-cols-fr grid-flow-col gap-1.5">
      {labels.map((label, index) => {
        const current = under && index === done;
        return (
          <li key={label} aria-current={current ? "step" : undefined} className="grid content-start gap-1.5">
            <span
              className={cn(
                "h-1 rounded-full bg-border",
                index < done && "bg-primary",
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
