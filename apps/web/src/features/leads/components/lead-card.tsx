import type { Lead } from "@portal/contract/entities/lead";
import {
  Building2,
  CalendarClock,
  Factory,
  Mail,
  Pencil,
  Phone,
  RefreshCw,
  TriangleAlert,
} from "lucide-react";
import { memo, type ReactNode, Suspense, useEffect, useState } from "react";
import { useRelativeTime } from "../../../lib/clock.tsx";
import { cn } from "../../../lib/cn.ts";
import { followUpState, leadFollowUpClock } from "../../../lib/follow-up.ts";
import { formatDate, formatPhone } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { useIsMobile } from "../../../lib/use-is-mobile.ts";
import { PriorityBadge, StatusBadge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { SelectBox } from "../../../ui/checkbox.tsx";
import { LeadLink } from "../../../ui/lead-link.tsx";
import { UnsentMark } from "../../offline/unsent-mark.tsx";
import { SendSmsButton } from "../../sms/components/send-sms-button.tsx";
import { preloadSmsDialog } from "../../sms/sms-dock.tsx";
import { preloadCallDialog } from "../../telephony/call/call-provider.tsx";
import { LastAttempt } from "../../telephony/call/last-attempt.tsx";
import { leadCardMessages } from "../messages.ts";
import { CallNowButton } from "./call-now-button.tsx";
import { CardToggle, ClosedCard, useIsCardOpen } from "./closed-card.tsx";
import { LeadMenu } from "./lead-menu.tsx";
import { LeadNotes } from "./lead-notes.tsx";
import { HistoryButton, openEditName, openUpdateStatus, preloadLeadDialogs } from "./open-lead-dialogs.tsx";

const RecordingPlayer = lateComponent(async () => {
  const { RecordingPlayer } = await import("../../telephony/player/recording-player.tsx");
  return { default: RecordingPlayer };
});

const ConsentLine = lateComponent(() => import("../../telephony/call/consent-line.tsx"));

interface LeadCardProps {
  lead: Lead;
  /** Whether the card is selected; undefined outside of the selection mode. */
  selected: boolean | undefined;
  onSelect: (id: number) => void;
}

/** On hover or focus of a card, as one of its buttons may be pressed next. */
function preloadDialogs(): void {
  preloadLeadDialogs();
  preloadCallDialog();
  preloadSmsDialog();
}

/** A lead's card: name, contact data, follow-up and actions; collapsed on a phone. */
export const LeadCard = memo(function LeadCard(props: LeadCardProps) {
  const isMobile = useIsMobile();
  const isOpen = useIsCardOpen(props.lead.id);
  return isMobile && !isOpen ? (
    <ClosedCard {...props} onNear={preloadDialogs} />
  ) : (
    <WholeCard {...props} isClosable={isMobile} />
  );
});

function WholeCard({ lead, selected, onSelect, isClosable }: LeadCardProps & { isClosable: boolean }) {
  const t = useMessages(leadCardMessages);
  return (
    <article
      aria-label={lead.name}
      onPointerEnter={preloadDialogs}
      onFocus={preloadDialogs}
      className={cn(
        "flex h-full min-w-0 flex-col gap-3 rounded-xl border bg-surface p-4 shadow-card",
        selected && "border-primary",
      )}
    >
      <header className="flex items-start justify-between gap-3">
        {selected === undefined ? null : (
          <SelectBox
            aria-label={t("select", { name: lead.name })}
            checked={selected}
            onChange={() => onSelect(lead.id)}
            className="-m-2.5 -mr-3"
          />
        )}
        <div className="min-w-0 flex-1">
          <div className="flex items-start gap-0.5">
            <h2 className="min-w-0 break-words py-0.5 font-semibold text-base leading-6">
              <LeadLink leadId={lead.id} className="block min-h-6">
                {lead.name}
              </LeadLink>
            </h2>
            <Button
              variant="ghost"
              size="icon-sm"
              className="-my-0.5 pointer-coarse:-my-2 text-muted-foreground"
              aria-label={t("editName", { name: lead.name })}
              onClick={() => openEditName(lead)}
            >
              <Pencil aria-hidden className="size-3.5" />
            </Button>
            <HistoryButton lead={lead} />
          </div>
          {lead.company ? (
            <p className="flex items-center gap-1.5 text-muted-foreground text-sm">
              <Building2 aria-hidden className="size-3.5 shrink-0" />
              <span className="truncate">{lead.company}</span>
            </p>
          ) : null}
        </div>
        <div className="flex shrink-0 flex-col items-end gap-1.5 pt-0.5">
          <StatusBadge status={lead.status} />
          <PriorityBadge priority={lead.priority} />
          <UnsentMark leadId={lead.id} />
        </div>
        {isClosable ? <CardToggle lead={lead} isOpen /> : null}
      </header>
      <ul className="grid gap-1.5 text-sm">
        <Fact icon={Phone} missing={!lead.phone}>
          <span className="tabular-nums">{lead.phone ? formatPhone(lead.phone) : t("noPhone")}</span>
        </Fact>
        <Fact icon={Mail} missing={!lead.email}>
          {lead.email ? (
            <a
              href={`mailto:${lead.email}`}
              className="truncate underline-offset-4 hover:underline pointer-coarse:-my-3 pointer-coarse:py-3"
            >
              {lead.email}
            </a>
          ) : (
            t("noEmail")
          )}
        </Fact>
        {lead.industry ? (
          <Fact icon={Factory}>
            <span className="sr-only">{t("industry")}: </span>
            <span className="truncate">{lead.industry}</span>
          </Fact>
        ) : null}
        {lead.nextFollowUpDate ? (
          <FollowUp
            date={lead.nextFollowUpDate}
            clock={leadFollowUpClock(lead)}
            isDone={lead.status === "converted"}
          />
        ) : null}
      </ul>
      {lead.aiRecordingUrl ? (
        // With the height of the player, so that nothing moves when it loads.
        <AfterCard fallback={playerRoom}>
          <RecordingPlayer
            kind="aiRecording"
            url={lead.aiRecordingUrl}
            name={lead.name}
            seconds={lead.aiRecordingSeconds}
          />
        </AfterCard>
      ) : null}
      {lead.consentAt ? (
        <Suspense fallback={<div className="h-5" />}>
          <ConsentLine lead={lead} />
        </Suspense>
      ) : null}
      {lead.notes ? <LeadNotes notes={lead.notes} /> : null}
      <footer className="mt-auto grid gap-3 pt-1">
        <div className="border-t pt-2.5">
          <LastAttempt lead={lead} className="pb-0.5 text-xs" />
          <DateLine lead={lead} />
        </div>
        <div className="flex flex-wrap gap-2">
          <CallNowButton lead={lead} />
          <SendSmsButton lead={lead} />
          <Button variant="secondary" className="flex-1" onClick={() => openUpdateStatus(lead)}>
            {t("updateStatus")} <span className="sr-only">{lead.name}</span>
          </Button>
          <LeadMenu lead={lead} />
        </div>
      </footer>
    </article>
  );
}

const playerRoom = <div className="h-12.5 rounded-lg bg-muted/70" />;

/** Renders its children after the card, which does not wait for their code. */
function AfterCard({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => setDrawn(true), []);
  return isDrawn ? <Suspense fallback={fallback}>{children}</Suspense> : fallback;
}

interface FactProps {
  icon: typeof Mail;
  missing?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

function Fact({ icon: Icon, missing = false, className, children }: FactProps) {
  return (
    <li
      className={cn("flex min-w-0 items-center gap-2", missing && "text-muted-foreground italic", className)}
    >
      <Icon aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />
      {children}
    </li>
  );
}

/** The next follow-up, highlighted when due, except for a client. */
function FollowUp({ date, clock, isDone }: { date: string; clock: string | null; isDone: boolean }) {
  const t = useMessages(leadCardMessages);
  const time = clock ? ` · ${clock}` : null;
  const state = isDone ? "upcoming" : followUpState(date, new Date());
  if (state === "overdue") {
    return (
      <li className="flex w-fit items-center gap-2 rounded-md bg-danger-soft px-2 py-0.5 font-medium text-danger-text">
        <TriangleAlert aria-hidden className="size-3.5 shrink-0" />
        {t("followUpOverdue", { date: formatDate(date) })}
        {time}
      </li>
    );
  }
  if (state === "today") {
    return (
      <li className="flex w-fit items-center gap-2 rounded-md bg-warning-soft px-2 py-0.5 font-medium text-warning-text">
        <CalendarClock aria-hidden className="size-3.5 shrink-0" />
        {t("followUpToday")}
        {time}
      </li>
    );
  }
  return (
    <Fact icon={CalendarClock}>
      {t("followUpUpcoming", { date: formatDate(date) })}
      {time}
    </Fact>
  );
}

function DateLine({ lead }: { lead: Lead }) {
  const t = useMessages(leadCardMessages);
  const since = lead.assignedAt
    ? t("assigned", { date: formatDate(lead.assignedAt) })
    : t("created", { date: formatDate(lead.createdAt) });
  const when = useRelativeTime(lead.lastContactedAt);
  const contact = lead.lastContactedAt
    ? t("lastContact", { when })
    : lead.attempts === 0
      ? t("neverContacted")
      : null;
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 text-muted-foreground text-xs">
      <span>{since}</span>
      {contact === null ? null : (
        <>
          <span aria-hidden>·</span>
          <span>{contact}</span>
        </>
      )}
      {lead.crmSync === "pending" || lead.crmSync === "failed" ? (
        <span
          className={cn("inline-flex items-center gap-1", lead.crmSync === "failed" && "text-danger-text")}
        >
          <RefreshCw aria-hidden className="size-3" />
          {lead.crmSync === "failed" ? t("crmFailed") : t("crmPending")}
        </span>
      ) : null}
    </p>
  );
}
