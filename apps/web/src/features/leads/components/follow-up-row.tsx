import type { Lead } from "@portal/contract/entities/lead";
import type { FollowUpGroup } from "@portal/contract/routes/assignment";
import { AlarmClock, CalendarClock, Check, TriangleAlert } from "lucide-react";
import { useState } from "react";
import {
  type FollowUpChoice,
  followUpChange,
  followUpInstant,
  followUpOf,
  startOfDay,
} from "../../../lib/follow-up.ts";
import { followUpClock } from "../../../lib/follow-up-clock.ts";
import { formatDate, formatLongDate, formatPhone } from "../../../lib/format.ts";
import { defineMessages, useMessages } from "../../../lib/i18n.ts";
import { Badge, PriorityBadge, StatusBadge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Calendar } from "../../../ui/day-calendar.tsx";
import { FollowUpTime } from "../../../ui/follow-up-time.tsx";
import { LeadLink } from "../../../ui/lead-link.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../../../ui/popover.tsx";
import { UnsentMark } from "../../offline/unsent-mark.tsx";
import { LastAttempt } from "../../telephony/call/last-attempt.tsx";
import { useUpdateLead } from "../mutations.ts";
import { CallNowButton } from "./call-now-button.tsx";

/** Messages of the follow-ups dialog, loaded with it. */
export const followUpMessages = defineMessages("follow-ups", {
  title: ["Fechas de Seguimiento", "Fechas de seguimiento"],
  hint: ["Who to follow up with, by date.", "A quién dar seguimiento, por fecha."],
  groups: ["Follow-ups by date", "Seguimientos por fecha"],
  overdue: ["Overdue", "Atrasados"],
  today: ["Today", "Hoy"],
  week: ["Next 7 days", "7 días"],
  later: ["Later", "Luego"],
  loading: ["Loading the follow-ups…", "Cargando los seguimientos…"],
  failed: ["The follow-ups could not be loaded.", "No se pudieron cargar los seguimientos."],
  retry: ["Retry", "Reintentar"],
  empty_overdue: ["Nothing is overdue", "No hay nada atrasado"],
  empty_today: ["Nothing is due today", "No hay nada para hoy"],
  empty_week: ["Nothing is due in the next 7 days", "No hay nada en los próximos 7 días"],
  empty_later: ["Nothing is due later", "No hay nada más adelante"],
  emptyHint: [
    "Give a lead a follow-up date under Update Status.",
    "Ponle fecha de seguimiento a un prospecto en Actualizar estado.",
  ],
  more: ["The first {shown} of {total} are shown.", "Se muestran los primeros {shown} de {total}."],
  overdueSince: ["Overdue since {date}", "Atrasado desde el {date}"],
  allDue: ["All of them are due now and listed above.", "Todos aparecen arriba: ya es la hora."],
  dueNow: ["Due now", "Ya es la hora"],
  dueToday: ["Due today", "Para hoy"],
  dueOn: ["Due {date}", "Para el {date}"],
  done: ["Done", "Hecho"],
  doneFor: ["Follow-up with {name} is done", "Seguimiento de {name} hecho"],
  snooze: ["Snooze", "Posponer"],
  snoozeFor: ["Snooze the follow-up with {name}", "Posponer el seguimiento de {name}"],
  tomorrow: ["Tomorrow", "Mañana"],
  nextWeek: ["Next week", "En una semana"],
});

interface FollowUpRowProps {
  lead: Lead;
  /** `due` if its time has come. */
  group: FollowUpGroup | "due";
  /** The lead's consultant, in lists of everyone's leads. */
  salesRepName: string | null;
  /** Called when the follow-up was changed here and leaves the group. */
  onSettled: () => void;
  /** Called when the lead's panel opens, so that the dialog can close. */
  onOpenLead: () => void;
}

/** A lead with its follow-up and three actions. */
export function FollowUpRow({ lead, group, salesRepName, onSettled, onOpenLead }: FollowUpRowProps) {
  const t = useMessages(followUpMessages);
  const update = useUpdateLead(lead);
  const save = (followUp: FollowUpChoice | null) => {
    if (!update.isPending)
      update.mutate(followUpChange(followUp, followUpOf(lead)), { onSuccess: onSettled });
  };
  const facts = [lead.company, lead.phone && formatPhone(lead.phone), salesRepName].filter((fact) => fact);
  return (
    <li data-lead={lead.id} aria-label={lead.name} className="grid gap-2.5 py-4">
      <div className="flex items-start justify-between gap-3">
        <div className="grid min-w-0 gap-1">
          <h3 className="break-words font-semibold">
            <LeadLink leadId={lead.id} onOpen={onOpenLead}>
              {lead.name}
            </LeadLink>
          </h3>
          <p className="flex flex-wrap gap-x-1.5 text-muted-foreground text-sm">
            {facts.map((fact, index) => (
              <span key={fact} className="min-w-0 break-words">
                {fact}
                {index < facts.length - 1 ? " ·" : null}
              </span>
            ))}
          </p>
          <DueBadge lead={lead} group={group} />
          <LastAttempt lead={lead} className="text-sm" />
        </div>
        <div className="flex shrink-0 flex-col items-end gap-1.5 pt-0.5">
          <StatusBadge status={lead.status} />
          <PriorityBadge priority={lead.priority} />
          <UnsentMark leadId={lead.id} />
        </div>
      </div>
      {lead.notes ? (
        <p className="line-clamp-2 whitespace-pre-line break-words text-muted-foreground text-sm">
          {lead.notes}
        </p>
      ) : null}
      {/* On a phone the call button has its own line. */}
      <div className="flex flex-wrap gap-2 [&>:first-child]:basis-full sm:[&>:first-child]:basis-0">
        <CallNowButton lead={lead} />
        <Button
          variant="secondary"
          className="flex-1 sm:flex-none"
          aria-label={t("doneFor", { name: lead.name })}
          disabled={update.isPending}
          onClick={() => save(null)}
        >
          <Check aria-hidden />
          {t("done")}
        </Button>
        <SnoozeButton lead={lead} disabled={update.isPending} onSnooze={save} />
      </div>
    </li>
  );
}

function DueBadge({ lead, group }: { lead: Lead; group: FollowUpRowProps["group"] }) {
  const t = useMessages(followUpMessages);
  const followUp = followUpOf(lead);
  const date = followUp?.date ?? "";
  const clock = followUp && followUpClock(followUp);
  const time = clock ? ` · ${clock}` : null;
  if (group === "due")
    return (
      <Badge tone="warning" className="w-fit">
        <AlarmClock aria-hidden />
        {t("dueNow")}
        {time}
      </Badge>
    );
  if (group === "overdue")
    return (
      <Badge tone="danger" className="w-fit">
        <TriangleAlert aria-hidden />
        {t("overdueSince", { date: formatDate(date) })}
        {time}
      </Badge>
    );
  return (
    <Badge tone={group === "today" ? "warning" : "neutral"} className="w-fit">
      <CalendarClock aria-hidden />
      {group === "today" ? t("dueToday") : t("dueOn", { date: formatDate(date) })}
      {time}
    </Badge>
  );
}

interface SnoozeButtonProps {
  lead: Lead;
  disabled: boolean;
  onSnooze: (followUp: FollowUpChoice) => void;
}

function dayIn(days: number): Date {
  const day = startOfDay(new Date());
  day.setDate(day.getDate() + days);
  return day;
}

/** Postpones a follow-up to tomorrow, by a week from today, or to a chosen day; its time stays unless changed. */
function SnoozeButton({ lead, disabled, onSnooze }: SnoozeButtonProps) {
  const t = useMessages(followUpMessages);
  const [open, setOpen] = useState(false);
  const [changed, setChanged] = useState<FollowUpChoice | null>(null);
  const { name } = lead;
  const followUp = changed ??
    followUpOf(lead) ?? { date: followUpInstant(new Date()), time: null, zone: null };
  const choose = (day: Date) => {
    setOpen(false);
    onSnooze({ ...followUp, date: followUpInstant(day) });
  };
  return (
    <Popover open={open} onOpenChange={setOpen} modal>
      <PopoverTrigger asChild>
        <Button
          variant="secondary"
          className="flex-1 sm:flex-none"
          disabled={disabled}
          aria-label={t("snoozeFor", { name })}
        >
          <AlarmClock aria-hidden />
          {t("snooze")}
        </Button>
      </PopoverTrigger>
      <PopoverContent
        align="end"
        aria-label={t("snoozeFor", { name })}
        className="grid gap-1 max-[22.5rem]:px-1"
      >
        {[1, 7].map((days) => (
          <Button
            key={days}
            variant="ghost"
            className="h-auto min-h-9 flex-wrap justify-between gap-x-6 gap-y-0 whitespace-normal py-1"
            onClick={() => choose(dayIn(days))}
          >
            {days === 1 ? t("tomorrow") : t("nextWeek")}
            <span className="font-normal text-muted-foreground text-xs">{formatLongDate(dayIn(days))}</span>
          </Button>
        ))}
        <div className="w-72 justify-self-center border-t px-1 pt-3">
          <FollowUpTime value={followUp} leadZone={lead.timeZone} onChange={setChanged} />
        </div>
        <Calendar
          mode="single"
          required
          selected={undefined}
          disabled={{ before: startOfDay(new Date()) }}
          onSelect={choose}
          className="mt-1 justify-self-center border-t pt-3"
        />
      </PopoverContent>
    </Popover>
  );
}
