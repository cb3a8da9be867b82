import type { Meeting } from "@portal/contract/entities/meeting";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTime } from "../../lib/clock.tsx";
import { formatTime } from "../../lib/format.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { settingsQuery } from "../../lib/shared-queries.ts";
import { STORAGE_KEYS } from "../../lib/storage-keys.ts";
import { toast } from "../../ui/toast.ts";
import {
  claimOnce,
  showDesktopNotification,
  useNotifiesOnDesktop,
} from "../notifications/show-desktop-notifications.ts";
import { reminderMessages } from "./meeting-messages.ts";
import { meetingsBetween } from "./queries.ts";

const clockMs = 15_000;
const hourMs = 3_600_000;
/** Meetings of the next hours are fetched, again every hour and when a meeting changes. */
const aheadHours = 3;

function remind(meeting: Meeting, now: number, onDesktop: boolean): void {
  const t = messagesOf(reminderMessages);
  const count = minutesUntil(meeting, now);
  const title = t("title", { count });
  const description = t("text", { title: meeting.title, time: formatTime(meeting.startTime) });
  toast({ title, description });
  const tag = `meeting-${meeting.id}-${meeting.startTime}`;
  if (onDesktop) showDesktopNotification(title, { body: description, tag, url: "/calendar" });
}

/** Reminds of the user's meetings ten minutes before, on any page and in one tab only; in hidden pages by desktop notifications only. */
export default function MeetingReminder() {
  const now = useTime(clockMs);
  const hour = Math.floor(now / hourMs) * hourMs;
  const from = new Date(hour).toISOString();
  const to = new Date(hour + aheadHours * hourMs).toISOString();
  const { data: meetings } = useQuery(meetingsBetween(from, to));
  const { data: settings, isPending } = useQuery(settingsQuery());
  const isWanted = settings?.notifications.meetings ?? true;
  const isNotifying = useNotifiesOnDesktop();
  useEffect(() => {
    if (isPending || isNotifying === null) return;
    const onDesktop = isWanted && isNotifying;
    // A toast in a hidden tab would go unseen, so the reminder waits until the page is visible.
    if (document.hidden && !onDesktop) return;
    for (const meeting of dueMeetings(meetings ?? [], now)) {
      void claimReminder(meeting, now).then((mine) => mine && remind(meeting, now, onDesktop));
    }
  }, [meetings, now, isPending, isWanted, isNotifying]);
  return null;
}

/** Time before a meeting at which the reminder is shown. */
const leadMs = 10 * 60_000;

/** Meetings that begin within ten minutes and have not begun. */
export function dueMeetings(meetings: readonly Meeting[], now: number): Meeting[] {
  return meetings.filter(({ startTime }) => {
    const until = Date.parse(startTime) - now;
    return until > 0 && until <= leadMs;
  });
}

/** Minutes until a meeting begins, at least one. */
export function minutesUntil({ startTime }: Pick<Meeting, "startTime">, now: number): number {
  return Math.max(1, Math.round((Date.parse(startTime) - now) / 60_000));
}

/** Whether this tab shows the meeting's reminder; a rescheduled meeting gets a new one. */
export function claimReminder({ id, startTime }: Meeting, now: number): Promise<boolean> {
  return claimOnce({
    store: STORAGE_KEYS.reminded,
    mark: `${id}@${startTime}`,
    // Marks of meetings that have begun can be removed.
    isOver: (mark) => Date.parse(mark.slice(mark.indexOf("@") + 1)) <= now,
  });
}
