import type { Meeting } from "@portal/contract/entities/meeting";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { formatTime } from "../../lib/format.ts";
import { textOf } from "../../lib/i18n.ts";
import { toast } from "../../ui/toast.ts";
import { desktopNotices } from "./desktop-notices.ts";
import { meetingsBetween } from "./queries.ts";
import { reminderTexts } from "./reminder-texts.ts";
import { claimReminder, dueMeetings, minutesUntil } from "./reminders.ts";
import { useClock } from "./use-clock.ts";

const clockMs = 15_000;
const hourMs = 3_600_000;
/** Meetings of so many hours are known ahead; the list is read anew every hour and when a meeting changes. */
const aheadHours = 3;

function remind(meeting: Meeting, now: number): void {
  const t = textOf(reminderTexts);
  const count = minutesUntil(meeting, now);
  const title = t("title", { count });
  const description = t("text", { title: meeting.title, time: formatTime(meeting.startTime) });
  toast({ title, description });
  if (desktopNotices() !== "on") return;
  const tag = `meeting-${meeting.id}-${meeting.startTime}`;
  try {
    const notice = new Notification(title, { body: description, tag, icon: "/favicon.svg" });
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
  } catch {
    // Chrome on Android takes notices from service workers only; the toast has told.
  }
}

/** Reminds of one's meetings ten minutes before, on whatever page; of all tabs one does, and where nobody looks only on the desktop. */
export default function MeetingReminder() {
  const now = useClock(clockMs);
  const hour = Math.floor(now / hourMs) * hourMs;
  const from = new Date(hour).toISOString();
  const to = new Date(hour + aheadHours * hourMs).toISOString();
  const { data: meetings } = useQuery(meetingsBetween(from, to));
  useEffect(() => {
    // A toast in a tab that nobody sees is gone before they come; then the next look at the page reminds.
    if (document.hidden && desktopNotices() !== "on") return;
    for (const meeting of dueMeetings(meetings ?? [], now)) {
      void claimReminder(meeting, now).then((mine) => mine && remind(meeting, now));
    }
  }, [meetings, now]);
  return null;
}
