import type { Meeting } from "@portal/contract/entities/meeting";
import ical, { ICalAttendeeStatus, ICalEventStatus } from "ical-generator";
import type { MeetingRow } from "./repository.ts";

/** Presents a meeting. */
export function presentMeeting(row: MeetingRow): Meeting {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    startTime: row.startsAt.toISOString(),
    endTime: row.endsAt.toISOString(),
    timeZone: row.timeZone,
    leadId: row.leadId,
    leadName: row.leadName,
    calendarType: row.calendarType,
    meetingLink: row.meetingLink,
    attendeeEmails: row.attendeeEmails,
    wantsMeetLink: row.wantsMeetLink,
    sync: row.sync,
    syncError: row.syncError,
  };
}

/**
 * A meeting as an iCalendar file (RFC 5545). Times are UTC, so that no time zone definitions are needed. The identifier is stable, so that
 * a newer file replaces an older one.
 */
export function calendarFile(
  meeting: MeetingRow,
  { organizer, host }: { organizer: { name: string; email: string }; host: string },
): string {
  const attendees = (meeting.attendeeEmails ?? "").split(",").map((email) => email.trim());
  const calendar = ical({ prodId: { company: "Lead Desk", product: "Meetings", language: "EN" } });
  calendar.createEvent({
    id: `meeting-${meeting.id}@${host}`,
    sequence: meeting.version - 1,
    stamp: meeting.updatedAt,
    created: meeting.createdAt,
    lastModified: meeting.updatedAt,
    start: meeting.startsAt,
    end: meeting.endsAt,
    summary: meeting.title,
    description: meeting.description,
    url: meeting.meetingLink?.startsWith("https://") ? meeting.meetingLink : null,
    location: meeting.meetingLink,
    status: ICalEventStatus.CONFIRMED,
    organizer,
    attendees: attendees
      .filter((email) => email !== "")
      .map((email) => ({ email, rsvp: true, status: ICalAttendeeStatus.NEEDSACTION })),
  });
  return calendar.toString();
}
