import type { RepState } from "@portal/contract/routes/admin";
import { cn } from "../../../lib/cn.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { type ActivityWord, activityOf, barToneOf } from "../activity.ts";
import { formatAgo, formatInstant, formatRate, formatSince } from "../spanish-format.ts";
import { monitorTexts } from "../texts.ts";
import { useClock } from "../use-clock.ts";

const activityTones: Record<ActivityWord, BadgeTone> = {
  active: "success",
  recent: "warning",
  inactive: "neutral",
};

/** The activity word, and whether they are online. Two lines whatever they say, so that nothing moves. */
export function StatusCell({ lastActivity, isOnline }: { lastActivity: string | null; isOnline: boolean }) {
  const t = useTexts(monitorTexts);
  const word = useClock((now) => activityOf(lastActivity, now));
  return (
    <span className="grid justify-items-start gap-0.5">
      <Badge tone={activityTones[word]}>{t(word)}</Badge>
      <span
        className={cn(
          "flex items-center gap-1.5 whitespace-nowrap text-xs",
          !isOnline && "text-muted-foreground",
        )}
      >
        <span
          aria-hidden
          className={cn("size-2 rounded-full", isOnline ? "bg-primary" : "border border-muted-foreground")}
        />
        {t(isOnline ? "online" : "offline")}
      </span>
    </span>
  );
}

const stateTones: Record<RepState, BadgeTone> = {
  free: "neutral",
  ringing: "info",
  on_call: "success",
  wrap_up: "violet",
  paused: "warning",
};

export interface Live {
  state: RepState;
  since: string | null;
  leadName: string | null;
}

/** What somebody does now, for how long, and with whom. */
export function LiveCell({ live }: { live: Live | undefined }) {
  const t = useTexts(monitorTexts);
  const time = useClock((now) => (live?.since ? formatSince(live.since, now) : null));
  if (!live) return <span className="text-muted-foreground">—</span>;
  return (
    <span className="grid min-w-0 gap-0.5">
      <span className="flex items-center gap-2">
        <Badge tone={stateTones[live.state]}>{t(live.state)}</Badge>
        <span className="whitespace-nowrap text-xs tabular-nums">{time}</span>
      </span>
      <span
        title={live.leadName ?? undefined}
        className="block min-h-4 truncate text-muted-foreground text-xs leading-4"
      >
        {live.leadName}
      </span>
    </span>
  );
}

/** 'hace 3 min'; the instant itself on hover. */
export function LastActivityCell({ lastActivity }: { lastActivity: string | null }) {
  const t = useTexts(monitorTexts);
  const ago = useClock((now) => (lastActivity ? formatAgo(lastActivity, now) : null));
  if (!lastActivity) return <span className="text-muted-foreground">{t("never")}</span>;
  return (
    <time dateTime={lastActivity} title={formatInstant(lastActivity)} className="whitespace-nowrap">
      {ago ?? t("now")}
    </time>
  );
}

const barClasses = { green: "bg-success-text", yellow: "bg-spark", red: "bg-destructive" } as const;

/** Due work with an outcome today, as a bar (specification §9): 80 or more green, 60 or more yellow, else red. */
export function ProductivityBar({ score }: { score: number | null }) {
  const t = useTexts(monitorTexts);
  if (score === null) return <span title={t("nothingDue")}>—</span>;
  return (
    <span className="flex items-center gap-2">
      {/* The figure stands beside it in words. */}
      <span
        aria-hidden
        data-tone={barToneOf(score)}
        className="h-2 min-w-8 flex-1 overflow-hidden rounded-full bg-muted"
      >
        <span
          className={cn("block h-full rounded-full", barClasses[barToneOf(score)])}
          style={{ width: `${score}%` }}
        />
      </span>
      <span className="w-13 shrink-0 whitespace-nowrap text-end text-xs tabular-nums">
        {formatRate(score)}
      </span>
    </span>
  );
}
