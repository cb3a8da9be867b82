/** What a person's consent gave us; kept encrypted. */
export interface CalendarTokens {
  accessToken: string;
  refreshToken: string;
  /** Unix milliseconds; null where it is not known. */
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
  /** Each one valid, without repeats. */
  attendees: string[];
  /** Where one joins: the conference's link, or else what stands in the place field. */
  link: string | null;
}

/** State of the conference that was asked for with an event. */
export type ConferenceState = "none" | "pending" | "made" | "failed";

/** An event as the calendar holds it. */
export interface CalendarEvent {
  id: string;
  etag: string;
  /** Null where the event lasts whole days or cannot be understood: it is none of ours to show. */
  fields: EventFields | null;
  conference: ConferenceState;
  /** The id of our meeting that it was made for, where we made it. */
  meetingRef: string | null;
  /** The account's owner said no to it, or it is no appointment: a birthday, a working place, focus time. */
  ignorable: boolean;
  /** The time of its owner that it takes, whole days and absences included; null where it takes none: shown as free, or declined. */
  busy: { from: string; until: string } | null;
}

/** A change of events: deleted ones have their id only. */
export type EventChange = { deleted: true; id: string } | { deleted: false; event: CalendarEvent };

export interface EventPage {
  changes: EventChange[];
  nextPage: string | null;
  /** On the last page: where the next sync goes on. */
  nextSync: string | null;
}

/** What is to be written: only the fields that are named. */
export interface EventWrite {
  fields: Partial<EventFields>;
  /** `make` asks for a conference, `drop` removes it; `keep` leaves it. */
  conference: "keep" | "make" | "drop";
  /** Names the request for a conference, so that a repeated write makes no second one. */
  conferenceRef: string;
  /** Whether the attendees are notified. */
  notify: boolean;
}

/**
 * One person's calendar. Every method throws `ProviderError`: `auth` (the consent is gone), `rate-limited`, `unavailable`,
 * `not-found` (no such event, or deleted there), `invalid` (refused for good). An `unavailable` whose `setup` is set waits for somebody to
 * switch something on at the provider. Nothing is tried again in here.
 */
export interface CalendarAccount {
  /** Makes the event under an id of ours; 'exists' where that id was used before: an earlier try went through. */
  insertEvent(id: string, meetingRef: string, write: EventWrite): Promise<CalendarEvent | "exists">;
  /** Changes the fields that are named. */
  patchEvent(id: string, write: EventWrite): Promise<CalendarEvent>;
  /** Deletes the event; one that is gone already counts as deleted. */
  deleteEvent(id: string, options: { notify: boolean }): Promise<void>;
  readEvent(id: string): Promise<CalendarEvent>;
  /**
   * Changes since `sync`, or all events between `from` and `to`. 'expired' where the calendar no longer knows `sync`: read all again.
   */
  eventPage(options: {
    sync: string | null;
    page: string | null;
    from: Date;
    to: Date;
  }): Promise<EventPage | "expired">;
}

/** The calendar provider. Errors as in `CalendarAccount`. */
export interface Calendar {
  /** Where the browser goes to consent. `verifier`: the PKCE secret that the exchange will need. */
  consentUrl(options: { state: string; verifier: string; email: string }): Promise<string>;
  /** Tokens for the code that the consent answered; `email` and whether the calendar may be written are what was granted. */
  exchangeCode(options: {
    code: string;
    verifier: string;
  }): Promise<{ tokens: CalendarTokens | null; scope: string; email: string | null; mayWrite: boolean }>;
  /** Ends the consent there. */
  revoke(tokens: CalendarTokens): Promise<void>;
  /** `onTokens` receives refreshed tokens, to be saved. */
  open(tokens: CalendarTokens, onTokens: (tokens: CalendarTokens) => void): CalendarAccount;
}
