/** OAuth tokens of a person's consent. Stored encrypted. */
export interface CalendarTokens {
  accessToken: string;
  refreshToken: string;
  /** Unix milliseconds; null if unknown. */
  expiresAt: number | null;
}

/** An event's fields that the portal and the calendar share. Instants are ISO strings in UTC. */
export interface EventFields {
  title: string;
  description: string | null;
  startTime: string;
  endTime: string;
  /** IANA zone. */
  timeZone: string;
  /** Valid email addresses without duplicates. */
  attendees: string[];
  /** Link to join: the conference's link, or else the event's location. */
  link: string | null;
}

/** State of the conference that was requested with an event. */
export type ConferenceState = "none" | "pending" | "made" | "failed";

/** An event as the calendar stores it. */
export interface CalendarEvent {
  id: string;
  etag: string;
  /** Null if the event lasts whole days or cannot be parsed; the portal does not show it. */
  fields: EventFields | null;
  conference: ConferenceState;
  /** Id of the meeting that the portal created the event for; null if the portal did not create it. */
  meetingRef: string | null;
  /** The account's owner declined it, or it is not a meeting: a birthday, a working location, focus time. */
  ignorable: boolean;
  /** When the event makes its owner busy, including whole-day events and absences. Null if it does not: shown as free, or declined. */
  busy: { from: string; until: string } | null;
}

/** A changed event. A deleted one has only its id. */
export type EventChange = { deleted: true; id: string } | { deleted: false; event: CalendarEvent };

export interface EventPage {
  changes: EventChange[];
  nextPage: string | null;
  /** On the last page: the token for the next sync. */
  nextSync: string | null;
}

/** What to write. Absent fields stay unchanged. */
export interface EventWrite {
  fields: Partial<EventFields>;
  /** `make` requests a conference, `drop` removes it, `keep` leaves it unchanged. */
  conference: "keep" | "make" | "drop";
  /** Id of the conference request, so that a repeated write creates no second conference. */
  conferenceRef: string;
  /** Whether the calendar notifies the attendees. */
  notify: boolean;
}

/**
 * One person's calendar. Every method throws `ProviderError`: `auth` (the consent was withdrawn), `rate-limited`, `unavailable`,
 * `not-found` (no such event, or it was deleted there), `invalid` (refused permanently). An `unavailable` with `setup` set needs somebody
 * to change a setting at the provider. No request is retried here.
 */
export interface CalendarAccount {
  /** Creates the event with an id of ours. Returns 'exists' if the id was used before, because an earlier request succeeded. */
  insertEvent(id: string, meetingRef: string, write: EventWrite): Promise<CalendarEvent | "exists">;
  /** Changes the given fields. */
  patchEvent(id: string, write: EventWrite): Promise<CalendarEvent>;
  /** Deletes the event; succeeds if it was deleted before. */
  deleteEvent(id: string, options: { notify: boolean }): Promise<void>;
  readEvent(id: string): Promise<CalendarEvent>;
  /**
   * Changes since `sync`, or all events between `from` and `to`. Returns 'expired' if the calendar no longer accepts `sync`: all events
   * must be read again.
   */
  eventPage(options: {
    sync: string | null;
    page: string | null;
    from: Date;
    to: Date;
  }): Promise<EventPage | "expired">;
}

/** The calendar provider. Errors: as in `CalendarAccount`. */
export interface Calendar {
  /** URL of the consent page for the browser. `verifier`: the PKCE secret that `exchangeCode` needs. */
  consentUrl(options: { state: string; verifier: string; email: string }): Promise<string>;
  /** Exchanges the code of the consent for tokens. `email` and `mayWrite` describe what was granted. */
  exchangeCode(options: {
    code: string;
    verifier: string;
  }): Promise<{ tokens: CalendarTokens | null; scope: string; email: string | null; mayWrite: boolean }>;
  /** Revokes the consent at the provider. */
  revoke(tokens: CalendarTokens): Promise<void>;
  /** `onTokens` receives refreshed tokens, which must be saved. */
  open(tokens: CalendarTokens, onTokens: (tokens: CalendarTokens) => void): CalendarAccount;
}
