import type { Lead } from "@portal/contract/entities/lead";
import type { Meeting } from "@portal/contract/entities/meeting";
import { listMeetings } from "@portal/contract/routes/meetings";
import { useQuery } from "@tanstack/react-query";
import { CalendarPlus, Pencil } from "lucide-react";
import { useState } from "react";
import { formatLongDate } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { routeQuery } from "../../../lib/query-client.ts";
import { Button } from "../../../ui/button.tsx";
import { SectionBody, SectionFooter } from "../../../ui/dialog.tsx";
import { FailureText } from "../../../ui/request-id.tsx";
import { MeetingForm } from "../../meetings/meeting-dialog.tsx";
import { timeRange } from "../../meetings/meeting-values.ts";
import { Section } from "./lead-facts.tsx";
import { leadPanelMessages } from "./messages.ts";

/** The user's meetings with the lead from today on; live. */
const leadMeetingsQuery = (leadId: number) => ({
  ...routeQuery(listMeetings, { query: { leadId, limit: 20 } }),
  staleTime: 0,
});

/** The user's meetings with a lead, and the form for a new or edited one. */
export function LeadMeetings({ lead }: { lead: Lead }) {
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
