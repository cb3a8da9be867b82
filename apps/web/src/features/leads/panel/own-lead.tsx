import type { Lead } from "@portal/contract/entities/lead";
import type { Meeting } from "@portal/contract/entities/meeting";
import { listMeetings } from "@portal/contract/routes/meetings";
import { useQuery } from "@tanstack/react-query";
import { Building2, CalendarPlus, Mail, Pencil, Phone, Trophy } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { formatLongDate, formatPhone } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { useLeadCommand } from "../../../lib/lead-commands.ts";
import { routeQuery } from "../../../lib/query-client.ts";
import { PriorityBadge, StatusBadge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { SectionBody, SectionFooter } from "../../../ui/dialog.tsx";
import { FailureText } from "../../../ui/request-id.tsx";
import { Timeline } from "../../activity/timeline.tsx";
import { MergesOfLead } from "../../lead-merge/merge-rows.tsx";
import { MeetingForm } from "../../meetings/meeting-dialog.tsx";
import { timeRange } from "../../meetings/meeting-values.ts";
import { UnsentMark } from "../../offline/unsent-mark.tsx";
import ConsentLine from "../../telephony/call/consent-line.tsx";
import { LastAttempt } from "../../telephony/call/last-attempt.tsx";
import { NextTry } from "../../telephony/call/next-try.tsx";
import { RecordingPlayer } from "../../telephony/player/recording-player.tsx";
import { CallNowButton } from "../components/call-now-button.tsx";
import { ConvertForm } from "../components/convert-dialog.tsx";
import { FurtherNumbers } from "../components/further-numbers.tsx";
import { LeadMenu } from "../components/lead-menu.tsx";
import { UpdateStatusForm } from "../components/update-status-dialog.tsx";
import { leadDialogMessages } from "../dialog-messages.ts";
import { LeadComposer } from "./lead-composer.tsx";
import { KnownFields, LeadFacts, LeadLanguage, LeadRegion, Section } from "./lead-facts.tsx";
import { leadPanelMessages } from "./messages.ts";

/** A lead that the user may act on: the call button first, then inputs, then data and history. */
export function OwnLead({ lead }: { lead: Lead }) {
  const t = useMessages(leadPanelMessages);
  const acts = useRef<HTMLDivElement>(null);
  // The shortcut only focuses the button, so that nobody is called unintentionally.
  useLeadCommand(lead.id, ["call"], () =>
    acts.current?.querySelector<HTMLElement>("[data-act=call]")?.focus(),
  );
  return (
    <>
      <div ref={acts} className="grid gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <StatusBadge status={lead.status} />
          <PriorityBadge priority={lead.priority} />
          <UnsentMark leadId={lead.id} />
          <LastAttempt lead={lead} className="min-w-0 text-muted-foreground text-sm" />
        </div>
        <NextTry lead={lead} withDecision />
        <ContactLine lead={lead} />
        <div className="flex flex-wrap gap-2">
          <CallNowButton lead={lead} />
          <LeadMenu lead={lead} />
        </div>
        <FurtherNumbers lead={lead} />
        {lead.isMerged ? <MergesOfLead leadId={lead.id} /> : null}
        <ConsentLine lead={lead} />
        {lead.aiRecordingUrl ? (
          <RecordingPlayer
            kind="aiRecording"
            url={lead.aiRecordingUrl}
            name={lead.name}
            seconds={lead.aiRecordingSeconds}
          />
        ) : null}
      </div>
      <StatusSection lead={lead} />
      <LeadComposer lead={lead} />
      <LeadMeetings lead={lead} />
      <Section title={t("known")}>
        <LeadLanguage lead={lead} />
        <LeadFacts lead={lead} withContact={false} />
        <LeadRegion leadId={lead.id} />
        <KnownFields leadId={lead.id} />
      </Section>
      <Section title={t("history")}>
        <Timeline lead={lead} />
      </Section>
    </>
  );
}

/** Contact data and company. */
function ContactLine({ lead }: { lead: Lead }) {
  const t = useMessages(leadPanelMessages);
  const look = "inline-flex min-w-0 items-center gap-1.5";
  const icon = "size-3.5 shrink-0 text-muted-foreground";
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      <span className={look}>
        <Phone aria-hidden className={icon} />
        <span className="tabular-nums">{lead.phone ? formatPhone(lead.phone) : t("noPhone")}</span>
      </span>
      <span className={look}>
        <Mail aria-hidden className={icon} />
        {lead.email ? (
          <a
            href={`mailto:${lead.email}`}
            className="inline-flex min-h-6 items-center underline-offset-4 [overflow-wrap:anywhere] hover:underline"
          >
            {lead.email}
          </a>
        ) : (
          t("noEmail")
        )}
      </span>
      {lead.company ? (
        <span className={look}>
          <Building2 aria-hidden className={icon} />
          <span className="[overflow-wrap:anywhere]">{lead.company}</span>
        </span>
      ) : null}
    </p>
  );
}

/** Status, priority, follow-up and notes, editable in place; and conversion to a client. */
function StatusSection({ lead }: { lead: Lead }) {
  const t = useMessages(leadDialogMessages);
  const panel = useMessages(leadPanelMessages);
  const [isConverting, setConverting] = useState(false);
  const isClient = lead.status === "converted";
  const form = useRef<HTMLDivElement>(null);
  useLeadCommand(lead.id, ["followUp"], () =>
    form.current?.querySelector<HTMLElement>("[data-act=followUp]")?.focus(),
  );
  useEffect(() => {
    if (isClient) setConverting(false);
  }, [isClient]);
  return (
    <Section title={panel("status")}>
      <div ref={form} className="contents">
        <UpdateStatusForm
          lead={lead}
          onConvert={() => setConverting(true)}
          body={FieldsInPlace}
          footer={SectionFooter}
        />
      </div>
      {isConverting ? (
        <div className="rounded-xl border p-4">
          <p className="flex items-center gap-2 pb-3 font-medium text-sm">
            <Trophy aria-hidden className="size-4 text-muted-foreground" />
            {t("convertHint", { name: lead.name })}
          </p>
          <ConvertForm
            lead={lead}
            onDone={() => setConverting(false)}
            body={SectionBody}
            footer={SectionFooter}
          />
        </div>
      ) : null}
    </Section>
  );
}

/** The fields of the recorded dialog in a compact layout. */
function FieldsInPlace(props: Parameters<typeof SectionBody>[0]) {
  return <SectionBody {...props} className="grid content-start gap-3 [&>:first-child]:grid-cols-2" />;
}

/** The user's meetings with the lead from today on; live. */
const leadMeetingsQuery = (leadId: number) => ({
  ...routeQuery(listMeetings, { query: { leadId, limit: 20 } }),
  staleTime: 0,
});

/** The user's meetings with a lead, and the form for a new or edited one. */
function LeadMeetings({ lead }: { lead: Lead }) {
  const t = useMessages(leadPanelMessages);
  const { data: meetings, error } = useQuery(leadMeetingsQuery(lead.id));
  const [edited, setEdited] = useState<Meeting | "new" | null>(null);
  return (
    <Section
      title={t("meetings")}
      action={
        edited === null ? (
          <Button variant="ghost" size="sm" onClick={() => setEdited("new")}>
            <CalendarPlus aria-hidden />
            {t("bookMeeting")}
          </Button>
        ) : null
      }
    >
      {error && !meetings ? (
        <FailureText error={error} fallback={t("meetingsFailed")} className="text-sm" />
      ) : null}
      {edited !== null ? (
        <div className="rounded-xl border p-4">
          <MeetingForm
            key={edited === "new" ? "new" : edited.id}
            meeting={edited === "new" ? null : edited}
            lead={edited === "new" ? lead : null}
            onDone={() => setEdited(null)}
            body={MeetingFields}
            footer={SectionFooter}
          />
        </div>
      ) : null}
      {meetings && meetings.length === 0 && edited === null ? (
        <p className="text-muted-foreground text-sm">{t("noMeetings")}</p>
      ) : null}
      {meetings && meetings.length > 0 ? (
        <ul className="grid gap-1 text-sm">
          {meetings.map((meeting) => (
            <li key={meeting.id} className="flex items-center justify-between gap-3">
              <span className="min-w-0 [overflow-wrap:anywhere]">
                <span className="font-medium">{meeting.title}</span>
                <span className="block text-muted-foreground text-xs">
                  {formatLongDate(meeting.startTime)}, {timeRange(meeting)}
                </span>
              </span>
              <Button
                variant="ghost"
                size="icon-sm"
                aria-label={t("editMeeting", { title: meeting.title })}
                onClick={() => setEdited(meeting)}
              >
                <Pencil aria-hidden className="size-3.5" />
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
    </Section>
  );
}

function MeetingFields(props: Parameters<typeof SectionBody>[0]) {
  return <SectionBody {...props} className="grid content-start gap-4" />;
}
