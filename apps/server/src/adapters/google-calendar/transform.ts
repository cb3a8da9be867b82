import type { calendar_v3 } from "@googleapis/calendar";
import type {
  CalendarEvent,
  ConferenceState,
  EventChange,
  EventFields,
  EventWrite,
} from "../../ports/calendar.ts";

type GoogleEvent = calendar_v3.Schema$Event;

/** The extended property that says which meeting of ours an event was made for. */
const meetingProperty = "portalEventId";

function instant(time: calendar_v3.Schema$EventDateTime | undefined): string | null {
  const ms = Date.parse(time?.dateTime ?? "");
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

function videoLink({ hangoutLink, conferenceData }: GoogleEvent): string | null {
  const video = conferenceData?.entryPoints?.find(({ entryPointType }) => entryPointType === "video");
  return hangoutLink ?? video?.uri ?? null;
}

function placeLink(location: string | null | undefined): string | null {
  const place = location?.trim() ?? "";
  return /^https?:\/\/\S+$/.test(place) ? place : null;
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
    timeZone: event.start?.timeZone ?? "UTC",
    attendees: [...new Set(attendees)],
    link: videoLink(event) ?? placeLink(event.location),
  };
}

function conferenceOf(event: GoogleEvent): ConferenceState {
  const state = event.conferenceData?.createRequest?.status?.statusCode;
  if (state === "pending") return "pending";
  if (state === "failure") return "failed";
  return videoLink(event) ? "made" : "none";
}

/** An event of Google as the portal knows it. */
export function toCalendarEvent(event: GoogleEvent): CalendarEvent {
  const declined = event.attendees?.some(({ self, responseStatus }) => self && responseStatus === "declined");
  const usual = event.eventType === undefined || event.eventType === null || event.eventType === "default";
  return {
    id: event.id ?? "",
    etag: event.etag ?? "",
    fields: fieldsOf(event),
    conference: conferenceOf(event),
    meetingRef: event.extendedProperties?.private?.[meetingProperty] ?? null,
    ignorable: Boolean(declined) || !(usual || event.eventType === "fromGmail"),
  };
}

/** One item of a list; items without an id are dropped by the caller. */
export function toEventChange(event: GoogleEvent): EventChange {
  if (event.status === "cancelled") return { deleted: true, id: event.id ?? "" };
  return { deleted: false, event: toCalendarEvent(event) };
}

/** The body of an insert or patch: only what is to be written. Null removes a field, arrays are replaced. */
export function toGoogleEvent({ fields, conference, conferenceRef }: EventWrite): GoogleEvent {
  const { title, description, startTime, endTime, timeZone, attendees, link } = fields;
  const zone = timeZone === undefined ? {} : { timeZone };
  // Google takes start and end as wholes: whoever changes the zone names the times too.
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
    // The vendor's types leave null out, which is how a field is removed (RFC 7396).
    ...(conference === "drop" && { conferenceData: null as unknown as undefined, location: link ?? null }),
  };
}

/** Marks an event as made for a meeting of ours. */
export function markOf(meetingRef: string): GoogleEvent {
  return { extendedProperties: { private: { [meetingProperty]: meetingRef } } };
}
