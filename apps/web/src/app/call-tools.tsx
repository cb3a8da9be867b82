import { CalendarPlus, History, MessageSquare } from "lucide-react";
import { useRef } from "react";
import { openThread } from "../features/sms/sms-dock.tsx";
import { MissedYouButton } from "../features/sms/templates/missed-you-button.tsx";
import type { CallToolsProps } from "../features/telephony/call/call-tools-context.ts";
import { defineMessages, useMessages } from "../lib/i18n.ts";
import { lateComponent } from "../lib/late-module.ts";
import { Button } from "../ui/button.tsx";
import { openDialog } from "../ui/dialog-outlet.tsx";

const callToolsMessages = defineMessages("call-tools", {
  sendText: ["Send text", "Enviar mensaje"],
  bookMeeting: ["Book meeting", "Programar reunión"],
  history: ["History", "Historial"],
});

const MeetingDialog = lateComponent(() => import("../features/meetings/meeting-dialog.tsx"));
const TimelineDialog = lateComponent(() => import("../features/activity/timeline-dialog.tsx"));

/** Tools for the lead during a call: SMS, meeting, timeline. */
export default function CallTools({ lead, withHistory = true, isMissed = false }: CallToolsProps) {
  const t = useMessages(callToolsMessages);
  const meeting = useRef<HTMLButtonElement>(null);
  const history = useRef<HTMLButtonElement>(null);
  return (
    <div className="flex flex-wrap gap-2">
      {isMissed ? <MissedYouButton lead={lead} /> : null}
      <Button size="sm" variant="secondary" disabled={lead.phone === null} onClick={() => openThread(lead)}>
        <MessageSquare aria-hidden />
        {t("sendText")}
      </Button>
      <Button
        ref={meeting}
        size="sm"
        variant="secondary"
        onClick={() =>
          openDialog((close) => (
            <MeetingDialog lead={lead} fromCall onClose={close} returnFocusTo={meeting} />
          ))
        }
      >
        <CalendarPlus aria-hidden />
        {t("bookMeeting")}
      </Button>
      {withHistory ? (
        <Button
          ref={history}
          size="sm"
          variant="secondary"
          onClick={() =>
            openDialog((close) => <TimelineDialog lead={lead} onClose={close} returnFocusTo={history} />)
          }
        >
          <History aria-hidden />
          {t("history")}
        </Button>
      ) : null}
    </div>
  );
}
