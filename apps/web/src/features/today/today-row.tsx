import type { TodayEntry, TodayReason } from "@portal/contract/entities/today";
import { AlarmClock, CalendarClock, Check, MessageSquare, PhoneMissed, Repeat, Sparkles } from "lucide-react";
import { useClock } from "../../lib/clock.tsx";
import { cn } from "../../lib/cn.ts";
import { formatDate, formatRelative, formatSoon } from "../../lib/format.ts";
import { type Translate, useMessages } from "../../lib/i18n.ts";
import { Badge } from "../../ui/badge.tsx";
import { LeadLink, rowLinkClasses } from "../../ui/lead-link.tsx";
import { RowActions } from "../leads/rows/row-actions.tsx";
import { outcomeMessages, useRefusalMessage } from "../telephony/call/messages.ts";
import { todayMessages } from "./messages.ts";

type T = Translate<typeof todayMessages.pairs>;

const icons = {
  promise: AlarmClock,
  text: MessageSquare,
  missed_call: PhoneMissed,
  new_lead: Sparkles,
  retry: Repeat,
  follow_up: CalendarClock,
} as const;

/** The text of a reason at time `now`. */
function reasonText(
  { kind, at, overdue, rule, arrival }: TodayReason,
  { t, outcome, now }: { t: T; outcome: Translate<typeof outcomeMessages.pairs>; now: number },
): string {
  const ago = (instant: string) => formatRelative(instant, now);
  switch (kind) {
    case "promise":
      return t("promise", { when: at ? formatSoon(at, now) : "" });
    case "text":
    case "missed_call":
      return t(kind, { ago: at ? ago(at) : "" });
    case "new_lead": {
      const isOver = at !== null && Date.parse(at) <= now;
      const first = at
        ? t(isOver ? "newLeadMissed" : "newLeadBy", { ago: ago(at), when: formatSoon(at, now) })
        : t(kind);
      return arrival?.overdue && !isOver ? `${first} · ${t("arrived", { ago: ago(arrival.at) })}` : first;
    }
    case "retry":
      return rule
        ? t("retryOf", { outcome: outcome(rule.outcome), count: rule.tries, of: rule.of })
        : t(kind);
    case "follow_up":
      return overdue && at ? t("followUpSince", { date: formatDate(at) }) : t(kind);
  }
}

interface TodayRowProps {
  entry: TodayEntry;
  /** Nothing is due for the lead now; it keeps its place until the list is reloaded. */
  isDone: boolean;
}

/** A lead with its reasons and actions. */
/** Until when a lead is put off by a follow-up or the retry rules; a follow-up by day alone has no time. */
function putOffText(
  { reason, until }: NonNullable<TodayEntry["putOff"]>,
  lead: TodayEntry["lead"],
  t: T,
): string {
  if (reason === "retry_waiting") return t("untilRetry", { when: until ? formatSoon(until) : "" });
  if (lead.nextFollowUpDate && lead.nextFollowUpTime === null)
    return t("untilFollowUp", { when: formatDate(lead.nextFollowUpDate) });
  return t("untilPromise", { when: until ? formatSoon(until) : "" });
}

export function TodayRow({ entry: { lead, reasons, putOff }, isDone }: TodayRowProps) {
  const t = useMessages(todayMessages);
  const outcome = useMessages(outcomeMessages);
  const refused = useRefusalMessage("call");
  const words = useClock((now) =>
    reasons.map((reason) => reasonText(reason, { t, outcome, now })).join(" · "),
  );
  const isOverdue = !isDone && reasons.some(({ overdue }) => overdue);
  const Icon = isDone ? Check : icons[reasons[0]?.kind ?? "retry"];
  return (
    <li
      data-today={lead.id}
      className="relative grid min-h-12 grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 border-b px-3 py-1.5 text-sm last:border-b-0 hover:bg-muted/60 sm:px-4"
    >
      <Icon
        aria-hidden
        className={cn(
          "size-4.5",
          isOverdue ? "text-danger-text" : isDone ? "text-success-text" : "text-muted-foreground",
        )}
      />
      <div className="grid min-w-0 gap-x-4 md:grid-cols-[minmax(10rem,2fr)_minmax(0,3fr)] md:items-center">
        <span className="truncate">
          <LeadLink
            leadId={lead.id}
            className={cn("font-medium", rowLinkClasses, isDone && "text-muted-foreground")}
          >
            {lead.name}
          </LeadLink>
          {lead.company ? <span className="text-muted-foreground"> · {lead.company}</span> : null}
        </span>
        <div className="grid min-w-0">
          <p className={cn("min-w-0", isOverdue ? "font-medium text-danger-text" : "text-muted-foreground")}>
            {isDone ? (
              t("done")
            ) : (
              <>
                {isOverdue ? (
                  <Badge tone="danger" className="mr-1.5">
                    {t("overdue")}
                  </Badge>
                ) : null}
                {words}
              </>
            )}
          </p>
          {putOff && !isDone ? (
            <p className="min-w-0 text-muted-foreground text-xs">
              {putOff.reason === "promised" || putOff.reason === "retry_waiting"
                ? putOffText(putOff, lead, t)
                : refused(putOff.reason, putOff.until)}
            </p>
          ) : null}
        </div>
      </div>
      {isDone ? <span /> : <RowActions lead={lead} />}
    </li>
  );
}
