import type { calendar_v3 } from "@googleapis/calendar";
import { DateTime } from "luxon";
import type {
  CalendarEvent,
  ConferenceState,
  EventChange,
  EventFields,
  EventWrite,
} from "../../ports/calendar.ts";

type GoogleEvent = calendar_v3.Schema$Event;

/** The extended property with the id of the meeting that an event was created for. */
const meetingProperty = "portalEventId";

function instant(time: calendar_v3.Schema$EventDateTime | undefined): string | null {
  const ms = Date.parse(time?.dateTime ?? "");
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** A URL that a browser can open. The location field often holds other text. */
function webAddress(text: string | null | undefined): string | null {
  const address = text?.trim() ?? "";
  return /^https?:\/\/\S+$/.test(address) ? address : null;
}

function videoLink({ hangoutLink, conferenceData }: GoogleEvent): string | null {
  const video = conferenceData?.entryPoints?.find(({ entryPointType }) => entryPointType === "video");
  return webAddress(hangoutLink ?? video?.uri);
}

/** The zone if it is known to `Intl`; UTC otherwise, because browsers cannot show a time in an unknown zone. */
export function zoneOf(timeZone: string | null | undefined): string {
  const named = timeZone ?? "UTC";
  try {
    new Intl.DateTimeFormat("en", { timeZone: named });
    return named;
  } catch {
    return "UTC";
  }
}

function fieldsOf(event: GoogleEvent): EventFields | null {
  const startTime = instant(event.start);
  const endTime = instant(event.end);
  if (!startTime || !endTime) return null;
  const attendees = (event.attendees ?? [])
    .filter(({ self, resource, email }) => !self && !resource && email)
    .map(({ email }) => String(email));
  return {
    title: event.summary?.trim() || "(No title)",
    description: event.description?.trim() || null,
    startTime,
    endTime,
    timeZone: zoneOf(event.start?.timeZone),
    attendees: [...new Set(attendees)],
    link: videoLink(event) ?? webAddress(event.location),
  };
}

function conferenceOf(event: GoogleEvent): ConferenceState {
  const state = event.conferenceData?.createRequest?.status?.statusCode;
  if (state === "pending") return "pending";
  if (state === "failure") return "failed";
  return videoLink(event) ? "made" : "none";
}

/** The start of a date in a zone, as an ISO instant; null if the date is invalid. */
function dayStart(date: string | null | undefined, zone: string): string | null {
  const day = DateTime.fromISO(date ?? "", { zone });
  return day.isValid ? day.toUTC().toISO() : null;
}

function busyOf(event: GoogleEvent, calendarZone: string): CalendarEvent["busy"] {
  if (event.transparency === "transparent") return null;
  const from = instant(event.start) ?? dayStart(event.start?.date, calendarZone);
  const until = instant(event.end) ?? dayStart(event.end?.date, calendarZone);
  return from && until && from < until ? { from, until } : null;
}

/** Converts an event of Google. Whole days are those of the calendar's zone. */
export function toCalendarEvent(event: GoogleEvent, calendarZone = "UTC"): CalendarEvent {
  const declined = event.attendees?.some(({ self, responseStatus }) => self && responseStatus === "declined");
  const usual = event.eventType === undefined || event.eventType === null || event.eventType === "default";
  return {
    id: event.id ?? "",
    etag: event.etag ?? "",
    fields: fieldsOf(event),
    conference: conferenceOf(event),
    meetingRef: event.extendedProperties?.private?.[meetingProperty] ?? null,
    ignorable: Boolean(declined) || !(usual || event.eventType === "fromGmail"),
    busy: declined ? null : busyOf(event, calendarZone),
  };
}

/** Converts one item of a list. The caller drops items without an id. */
export function toEventChange(event: GoogleEvent, calendarZone?: string): EventChange {
  if (event.status === "cancelled") return { deleted: true, id: event.id ?? "" };
  return { deleted: false, event: toCalendarEvent(event, calendarZone) };
}

/** The body of an insert or patch, with only the fields to write. Null removes a field; arrays are replaced. */
export function toGoogleEvent({ fields, conference, conferenceRef }: EventWrite): GoogleEvent {
  const { title, description, startTime, endTime, timeZone, attendees, link } = fields;
  const zone = timeZone === undefined ? {} : { timeZone };
  // Google replaces start and end as a whole, so a changed zone needs both times.
  return {
    ...(title !== undefined && { summary: title }),
    ...(description !== undefined && { description }),
    ...(startTime !== undefined && { start: { dateTime: startTime, ...zone } }),
    ...(endTime !== undefined && { end: { dateTime: endTime, ...zone } }),
    ...(attendees !== undefined && { attendees: attendees.map((email) => ({ email })) }),
    ...(link !== undefined && conference === "keep" && { location: link }),
    ...(conference === "make" && {
      conferenceData: {
        createRequest: { requestId: conferenceRef, conferenceSolutionKey: { type: "hangoutsMeet" } },
      },
    }),
    // The vendor's types do not allow null, which removes a field (RFC 7396).
    ...(conference === "drop" && { conferenceData: null as unknown as undefined, location: link ?? null }),
  };
}

/** The event's attendees for these guests. Guests who stay keep their response; rooms and the account itself also stay. */
export function withGuests(event: GoogleEvent, guests: string[]): calendar_v3.Schema$EventAttendee[] {
  const wanted = new Map(guests.map((email) => [email.toLowerCase(), email]));
  const stay = (event.attendees ?? []).filter(
    ({ self, resource, email }) => self || resource || wanted.has(String(email).toLowerCase()),
  );
  for (const { email } of stay) wanted.delete(String(email).toLowerCase());
  return [...stay, ...[...wanted.values()].map((email) => ({ email }))];
}

/** Marks an event as created for a meeting of the portal. */
export function markOf(meetingRef: string): GoogleEvent {
  return { extendedProperties: { private: { [meetingProperty]: meetingRef } } };
}
