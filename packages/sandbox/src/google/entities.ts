/** A moment of an event: a time with its zone, or a whole day. */
export interface EventTime {
  dateTime?: string;
  date?: string;
  timeZone?: string;
}

export interface ConferenceData {
  createRequest?: {
    requestId: string;
    conferenceSolutionKey: { type: string };
    status: { statusCode: "pending" | "success" | "failure" };
  };
  conferenceId?: string;
  conferenceSolution?: { key: { type: string }; name: string };
  entryPoints?: { entryPointType: string; uri: string; label: string }[];
}

export interface Attendee {
  email: string;
  responseStatus: string;
  /** A room or other resource, not a person. */
  resource?: boolean;
}

/** An event of Calendar v3, with the fields that the sandbox supports. */
export interface GoogleEvent {
  kind: "calendar#event";
  etag: string;
  id: string;
  status: "confirmed" | "tentative" | "cancelled";
  htmlLink: string;
  created: string;
  updated: string;
  summary?: string;
  description?: string;
  location?: string;
  creator: { email: string; self: boolean };
  organizer: { email: string; self: boolean };
  start: EventTime;
  end: EventTime;
  recurrence?: string[];
  recurringEventId?: string;
  originalStartTime?: EventTime;
  iCalUID: string;
  sequence: number;
  attendees?: Attendee[];
  hangoutLink?: string;
  conferenceData?: ConferenceData;
  extendedProperties?: { private?: Record<string, string>; shared?: Record<string, string> };
  reminders: { useDefault: boolean };
  /** Omitted if the event counts as busy time. */
  transparency?: "opaque" | "transparent";
  eventType: string;
}

/** An event in an account's calendar; `seq` increases with every change of any event. */
export interface StoredEvent {
  account: string;
  seq: number;
  event: GoogleEvent;
}

/** A user's consent. */
export interface Grant {
  id: string;
  account: string;
  scope: string;
  refreshToken: string | null;
}

export interface AccessToken {
  grantId: string;
  expiresAt: number;
}

/** An authorization code that has not been exchanged yet; it can be used once. */
export interface AuthorizationCode {
  account: string;
  scope: string;
  redirectUri: string;
  codeChallenge: string | null;
  offline: boolean;
  expiresAt: number;
}

/** When conferences are created: at once, later by the control API, or never. */
export type MeetMode = "success" | "pending" | "failure";

/** Parameters of an OAuth request. */
export type Params = Record<string, string | undefined>;
