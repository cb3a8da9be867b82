import type { Meeting } from "@portal/contract/entities/meeting";
import { addDays } from "date-fns/addDays";
import { isSameDay } from "date-fns/isSameDay";

/** The meetings of one day of the browser's zone. */
export interface MeetingDay {
  key: string;
  label: "today" | "tomorrow" | "date";
  /** An instant of the day. */
  at: string;
  meetings: Meeting[];
}

/** Meetings by day, all sorted by start time (specification §2, Calendar page); of earlier ones the latest day comes first. */
export function groupMeetings(
  meetings: readonly Meeting[],
  now: number,
  order: "soonest" | "latest" = "soonest",
): MeetingDay[] {
  const days: MeetingDay[] = [];
  const sorted = [...meetings].sort(
    (one, other) => Date.parse(one.startTime) - Date.parse(other.startTime) || one.id - other.id,
  );
  for (const meeting of sorted) {
    const start = new Date(meeting.startTime);
    const key = start.toDateString();
    const last = days.at(-1);
    if (last?.key === key) last.meetings.push(meeting);
    else {
      const label = isSameDay(start, now) ? "today" : isSameDay(start, addDays(now, 1)) ? "tomorrow" : "date";
      days.push({ key, label, at: meeting.startTime, meetings: [meeting] });
    }
  }
  return order === "latest" ? days.reverse() : days;
}

/** How many people are invited. */
export function attendeeCount({ attendeeEmails }: Pick<Meeting, "attendeeEmails">): number {
  return attendeeEmails ? attendeeEmails.split(",").length : 0;
}
