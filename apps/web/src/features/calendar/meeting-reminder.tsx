import type { Meeting } from "@portal/contract/entities/meeting";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { formatTime } from "../../lib/format.ts";
import { textOf } from "../../lib/i18n.ts";
import { settingsQuery } from "../../lib/settings-query.ts";
import { toast } from "../../ui/toast.ts";
import { desktopNotices, showDesktopNotice } from "../notices/desktop-notices.ts";
import { meetingsBetween } from "./queries.ts";
import { reminderTexts } from "./reminder-texts.ts";
import { claimReminder, dueMeetings, minutesUntil } from "./reminders.ts";
import { useClock } from "./use-clock.ts";

const clockMs = 15_000;
const hourMs = 3_600_000;
/** Meetings of so many hours are known ahead; the list is read anew every hour and when a meeting changes. */
const aheadHours = 3;

function remind(meeting: Meeting, now: number, onDesktop: boolean): void {
  const t = textOf(reminderTexts);
  const count = minutesUntil(meeting, now);
  const title = t("title", { count });
  const description = t("text", { title: meeting.title, time: formatTime(meeting.startTime) });
  toast({ title, description });
  const tag = `meeting-${meeting.id}-${meeting.startTime}`;
  if (onDesktop) showDesktopNotice(title, { body: description, tag });
}

/** Reminds of one's meetings ten minutes before, on whatever page; of all tabs one does, and where nobody looks only on the desktop. */
export default function MeetingReminder() {
  const now = useClock(clockMs);
  const hour = Math.floor(now / hourMs) * hourMs;
  const from = new Date(hour).toISOString();
  const to = new Date(hour + aheadHours * hourMs).toISOString();
  const { data: meetings } = useQuery(meetingsBetween(from, to));
  const { data: settings, isPending } = useQuery(settingsQuery());
  const isWanted = settings?.notifications.meetings ?? true;
  useEffect(() => {
    if (isPending) return;
    const onDesktop = isWanted && desktopNotices() === "on";
    // A toast in a tab that nobody sees is gone before they come; then the next look at the page reminds.
    if (document.hidden && !onDesktop) return;
    for (const meeting of dueMeetings(meetings ?? [], now)) {
      void claimReminder(meeting, now).then((mine) => mine && remind(meeting, now, onDesktop));
    }
  }, [meetings, now, isPending, isWanted]);
  return null;
}
