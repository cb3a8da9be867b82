import type { Attendee, EventTime, GoogleEvent } from "./entities.ts";
import { GoogleError } from "./errors.ts";
import { conference, type GoogleData } from "./google-data.ts";

export type WriteBody = Record<string, unknown>;

/** Fields that a caller may write; all others are Google's own or not simulated. */
const WRITABLE = [
  "summary",
  "description",
  "location",
  "start",
  "end",
  "attendees",
  "recurrence",
  "extendedProperties",
  "reminders",
  "status",
  "transparency",
  "eventType",
] as const;

interface Write {
  data: GoogleData;
  account: string;
  body: WriteBody;
  /** conferenceDataVersion=1: without it the conference in the body is ignored and the event's own stays. */
  withConference: boolean;
}

/** Creates an event. Errors: `GoogleError` 400 for a body that Google refuses, 409 for an id that was used before. */
export function insertEvent({ data, account, body, withConference }: Write): GoogleEvent {
  const id = body.id === undefined ? newEventId() : body.id;
  if (typeof id !== "string" || !/^[a-v0-9]{5,1024}$/.test(id))
    throw new GoogleError(400, "invalid", "Invalid resource id value.");
  if (data.event(account, id)) throw new GoogleError(409);
  const now = new Date().toISOString();
  const self = { email: account, self: true };
  const event: GoogleEvent = {
    kind: "calendar#event",
    etag: "",
    id,
    status: "confirmed",
    htmlLink: `https://www.google.com/calendar/event?eid=${Buffer.from(id).toString("base64url")}`,
    created: now,
    updated: now,
    creator: self,
    organizer: self,
    start: {},
    end: {},
    iCalUID: `${id}@google.com`,
    sequence: 0,
    reminders: { useDefault: true },
    eventType: "default",
  };
  return data.save(account, written(event, { data, account, body, withConference }));
}

/** Changes the fields of the body: arrays are replaced, null removes. Errors: as `insertEvent`; 404, 410, 412 for another etag. */
export function patchEvent(id: string, ifMatch: string | undefined, write: Write): GoogleEvent {
  const event = requireEvent(write.data, write.account, id);
  if (event.status === "cancelled") throw new GoogleError(410);
  checkEtag(event, ifMatch);
  const changed = written(event, write);
  return write.data.save(write.account, { ...changed, sequence: event.sequence + 1 });
}

/** Errors: `GoogleError` 404, 410 if it is already deleted, 412. */
export function deleteEvent(data: GoogleData, account: string, id: string, ifMatch?: string): void {
  const event = requireEvent(data, account, id);
  if (event.status === "cancelled") throw new GoogleError(410);
  checkEtag(event, ifMatch);
  data.save(account, { ...event, status: "cancelled" });
}

/** The event, even if deleted. Errors: `GoogleError` 404. */
export function requireEvent(data: GoogleData, account: string, id: string): GoogleEvent {
  const event = data.event(account, id);
  if (!event) throw new GoogleError(404);
  return event;
}

function checkEtag(event: GoogleEvent, ifMatch: string | undefined): void {
  if (ifMatch && ifMatch !== "*" && ifMatch !== event.etag) throw new GoogleError(412);
}

function newEventId(): string {
  return Array.from({ length: 26 }, () => Math.floor(Math.random() * 32).toString(32)).join("");
}

function written(event: GoogleEvent, { data, body, withConference }: Write): GoogleEvent {
  const changed = { ...event } as GoogleEvent & Record<string, unknown>;
  for (const field of WRITABLE) {
    const value = body[field];
    if (value === undefined) continue;
    if (value === null || value === "") delete changed[field];
    else if (field === "start" || field === "end") changed[field] = timeOf(value);
    else if (field === "attendees") changed.attendees = attendeesOf(value);
    else Object.assign(changed, { [field]: value });
  }
  if (withConference && body.conferenceData !== undefined) {
    delete changed.conferenceData;
    delete changed.hangoutLink;
    const { createRequest } = (body.conferenceData ?? {}) as { createRequest?: WriteBody };
    if (createRequest) Object.assign(changed, conference(requestOf(createRequest), data.meetMode));
    else if (body.conferenceData) Object.assign(changed, keptConference(event));
  }
  checkTimes(changed);
  return changed;
}

function keptConference({ conferenceData, hangoutLink }: GoogleEvent): Partial<GoogleEvent> {
  return { ...(conferenceData && { conferenceData }), ...(hangoutLink && { hangoutLink }) };
}

function requestOf(request: WriteBody) {
  const { requestId, conferenceSolutionKey } = request;
  const { type = "hangoutsMeet" } = (conferenceSolutionKey ?? {}) as { type?: string };
  if (typeof requestId !== "string" || requestId === "")
    throw new GoogleError(400, "invalid", "Invalid conference create request: missing requestId.");
  if (type !== "hangoutsMeet") throw new GoogleError(400, "invalid", "Invalid conference type value.");
  return { requestId, conferenceSolutionKey: { type } };
}

function timeOf(value: unknown): EventTime {
  const { dateTime, date, timeZone } = value as EventTime;
  if (timeZone !== undefined && timeZone !== null && !isTimeZone(timeZone))
    throw new GoogleError(400, "invalid", "Invalid time zone definition.");
  if (dateTime) {
    const hasOffset = /(Z|[+-]\d\d:\d\d)$/.test(dateTime);
    if (Number.isNaN(Date.parse(dateTime))) throw new GoogleError(400, "invalid", "Bad Request");
    if (!hasOffset) throw new GoogleError(400, "required", "Missing time zone definition for start time.");
    return { dateTime, ...(timeZone && { timeZone }) };
  }
  if (!date || !/^\d{4}-\d\d-\d\d$/.test(date)) throw new GoogleError(400, "invalid", "Bad Request");
  return { date };
}

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return true;
  } catch {
    return false;
  }
}

function attendeesOf(value: unknown): Attendee[] {
  return (Array.isArray(value) ? value : []).map(
    (one: { email?: unknown; responseStatus?: unknown; resource?: unknown }) => {
      if (typeof one.email !== "string" || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(one.email))
        throw new GoogleError(400, "invalid", "Invalid attendee email.");
      return {
        email: one.email,
        responseStatus: String(one.responseStatus ?? "needsAction"),
        ...(one.resource === true && { resource: true }),
      };
    },
  );
}

/** An event's start or end in milliseconds; whole days begin at midnight UTC. */
export function momentOf({ dateTime, date }: EventTime): number {
  return Date.parse(dateTime ?? `${date}T00:00:00Z`);
}

function checkTimes({ start, end }: GoogleEvent): void {
  if (!start.dateTime && !start.date) throw new GoogleError(400, "required", "Missing start time.");
  if (!end.dateTime && !end.date) throw new GoogleError(400, "required", "Missing end time.");
  if (momentOf(end) < momentOf(start))
    throw new GoogleError(400, "timeRangeEmpty", "The specified time range is empty.");
}
