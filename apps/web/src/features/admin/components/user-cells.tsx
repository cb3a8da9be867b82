import type { AvailabilityState } from "@portal/contract/entities/availability";
import { limits } from "@portal/contract/limits";
import type { RepState } from "@portal/contract/routes/admin";
import { useClock } from "../../../lib/clock.tsx";
import { cn } from "../../../lib/cn.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { LeadLink } from "../../../ui/lead-link.tsx";
import { formatAgo, formatInstant, formatMoment, formatRate, formatSince } from "../format-spanish.ts";
import { monitorMessages } from "../messages.ts";

const activityTones: Record<ActivityWord, BadgeTone> = {
  active: "success",
  recent: "warning",
  inactive: "neutral",
};

/** Activity and online state, always two lines high so that nothing moves. */
export function StatusCell({ lastActivity, isOnline }: { lastActivity: string | null; isOnline: boolean }) {
  const t = useMessages(monitorMessages);
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
  free: "plain",
  ringing: "info",
  checking: "info",
  on_call: "success",
  wrap_up: "violet",
  paused: "warning",
};

export interface Live {
  state: RepState;
  since: string | null;
  leadId: number | null;
  leadName: string | null;
  availability: { state: AvailabilityState; until: string | null };
}

/** The state of a user without a call: free, or why not. */
function idleWord({ availability }: Live, isOnline: boolean): "free" | "away" | "outside_hours" | "offline" {
  if (availability.state !== "available") return availability.state;
  return isOnline ? "free" : "offline";
}

/** What a user is doing, for how long and with whom. */
export function LiveCell({ live, isOnline }: { live: Live | undefined; isOnline: boolean }) {
  const t = useMessages(monitorMessages);
  const idle = live?.state === "free" ? idleWord(live, isOnline) : null;
  const time = useClock((now) =>
    live?.since && (idle === null || idle === "free") ? formatSince(live.since, now) : null,
  );
  if (!live) return <span className="text-muted-foreground">—</span>;
  return (
    <span className="grid min-w-0 gap-0.5">
      <span className="flex items-center gap-2">
        <Badge tone={idle === "away" ? "warning" : stateTones[live.state]}>{t(idle ?? live.state)}</Badge>
        <span className="whitespace-nowrap text-xs tabular-nums">{time}</span>
      </span>
      <span
        title={live.leadName ?? undefined}
        className="block min-h-4 truncate text-muted-foreground text-xs leading-4"
      >
        {live.leadName && live.leadId !== null ? (
          <LeadLink leadId={live.leadId}>{live.leadName}</LeadLink>
        ) : null}
        {idle && idle !== "free" && idle !== "offline" && live.availability.until
          ? t("until", { time: formatMoment(live.availability.until) })
          : null}
      </span>
    </span>
  );
}

/** 'hace 3 min', with the instant on hover. */
export function LastActivityCell({ lastActivity }: { lastActivity: string | null }) {
  const t = useMessages(monitorMessages);
  const ago = useClock((now) => (lastActivity ? formatAgo(lastActivity, now) : null));
  if (!lastActivity) return <span className="text-muted-foreground">{t("never")}</span>;
  return (
    <time dateTime={lastActivity} title={formatInstant(lastActivity)} className="whitespace-nowrap">
      {ago ?? t("now")}
    </time>
  );
}

const barClasses = { green: "bg-success-text", yellow: "bg-spark", red: "bg-destructive" } as const;

/** Due work with an outcome today, as a bar: 80 or more green, 60 or more yellow, else red. */
export function ProductivityBar({ score }: { score: number | null }) {
  const t = useMessages(monitorMessages);
  if (score === null) return <span title={t("nothingDue")}>—</span>;
  return (
    <span className="flex items-center gap-2">
      {/* The figure next to it has the same information. */}
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

type ActivityWord = "active" | "recent" | "inactive";

/** Under 5 minutes 'Activo', under 30 'Reciente', otherwise 'Inactivo'. */
export function activityOf(lastActivity: string | null, now: number): ActivityWord {
  if (lastActivity === null) return "inactive";
  const minutes = (now - Date.parse(lastActivity)) / 60_000;
  if (minutes < limits.activeMinutes) return "active";
  return minutes < limits.recentMinutes ? "recent" : "inactive";
}

type BarTone = "green" | "yellow" | "red";

/** 80 or more green, 60 or more yellow, else red. */
export function barToneOf(score: number): BarTone {
  if (score >= limits.productivityGreen) return "green";
  return score >= limits.productivityYellow ? "yellow" : "red";
}
