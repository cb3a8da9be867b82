import type { Meeting } from "@portal/contract/entities/meeting";
import type { Message } from "@portal/contract/entities/message";
import type { Settings } from "@portal/contract/entities/settings";
import type { CurrentUser } from "@portal/contract/entities/user";

/** A consultant of the demo, with overrides. */
export function buildUser(overrides: Partial<CurrentUser> = {}): CurrentUser {
  return {
    id: 2,
    name: "Ana Rivera",
    email: "ana@portal.test",
    role: "consultant",
    personalPhoneNumber: "+1 787 555 0101",
    profileImage: null,
    theme: "auto",
    language: "en",
    pressOne: true,
    singleKeys: true,
    autoDial: true,
    lists: {},
    sidebarPinned: false,
    ...overrides,
  };
}

/** The initial settings of an account, with overrides. */
export function buildSettings(overrides: Partial<Settings> = {}): Settings {
  return {
    notifications: { email: false, sms: true, calls: true, meetings: true, pushNames: false },
    calls: { callRecording: true, voicemailTranscription: true, autoDial: true, pressOne: true },
    mail: false,
    signIn: { password: true, provider: null },
    ...overrides,
  };
}

/** A meeting with a lead that exists only in the portal, with overrides. */
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

/** A delivered text of the consultant. */
export function buildMessage(overrides: Partial<Message> = {}): Message {
  return {
    id: 1,
    direction: "outbound",
    status: "delivered",
    number: "+13055550104",
    message: "Hola, Inés",
    attachments: 0,
    createdAt: new Date().toISOString(),
    failure: null,
    errorCode: null,
    senderName: "Ana Rivera",
    ...overrides,
  };
}
