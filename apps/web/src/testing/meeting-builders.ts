import type { Meeting } from "@portal/contract/entities/meeting";

/** A meeting with a lead that is kept here only, with overrides. */
export function buildMeeting(overrides: Partial<Meeting> = {}): Meeting {
  return {
    id: 11,
    title: "Solar offer",
    description: null,
    startTime: "2027-03-10T15:00:00.000Z",
    endTime: "2027-03-10T15:30:00.000Z",
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    leadId: 7,
    leadName: "Inés Duarte",
    calendarType: "google",
    meetingLink: null,
    attendeeEmails: null,
    wantsMeetLink: false,
    sync: "none",
    syncError: null,
    ...overrides,
  };
}
