import type { Meeting } from "@portal/contract/entities/meeting";
import type { MeetingRow } from "./data.ts";

/** A meeting as the API answers it, field by field. */
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
