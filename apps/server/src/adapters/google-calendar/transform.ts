import type { calendar_v3 } from "@googleapis/calendar";
import type { SetupFault } from "@portal/contract/entities/meeting";
import { DateTime } from "luxon";
import type {
  CalendarEvent,
  ConferenceState,
  EventChange,
  EventFields,
  EventWrite,
} from "../../ports/calendar.ts";
import { ProviderError, type ProviderFailure } from "../../ports/provider-error.ts";

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

const provider = "google-calendar";
/** Reasons of a temporary 403. https://developers.google.com/workspace/calendar/api/guides/errors */
const passing = new Set(["rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded"]);
/**
 * The token endpoint refuses the portal's own keys. No consent is lost; requests succeed again when the keys are corrected (RFC 6749 §5.2).
 */
const refusedClient = new Set(["invalid_client", "unauthorized_client"]);
const refusedConsent = new Set(["insufficientPermissions", "authError", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"]);

/**
 * Reasons of a 403 that is not about the request: a setting must be changed first. `SERVICE_DISABLED` is the newer name of
 * `accessNotConfigured`.
 */
const setupReasons: Record<string, SetupFault> = {
  accessNotConfigured: "api_off",
  SERVICE_DISABLED: "api_off",
  domainPolicy: "domain_policy",
};
const setupWords: Record<SetupFault, string> = {
  api_off:
    "Google's Calendar API is not switched on for this portal. Administrators know; nothing is lost, it is tried again by itself.",
  domain_policy:
    "The Google Workspace of this calendar lets no other apps in. Administrators know; nothing is lost, it is tried again by itself.",
};

interface Refusal {
  status: number;
  reason: string;
  words: string;
  retryAfterSeconds: number | null;
}

/** Returns Google's error response; null if there was no response. Works with the errors of both Google libraries. */
export function refusalOf(error: unknown): Refusal | null {
  // The libraries bring their own fetch, whose headers are not instances of Node's class.
  type Headers = { get?: (name: string) => string | null };
  const { response } = (error ?? {}) as {
    response?: { status?: number; data?: unknown; headers?: Headers };
  };
  if (!response?.status) return null;
  const data = (typeof response.data === "object" && response.data !== null ? response.data : {}) as {
    error?: unknown;
    error_description?: unknown;
  };
  const retryAfter = Number(response.headers?.get?.("retry-after") ?? 0);
  const common = { status: response.status, retryAfterSeconds: retryAfter > 0 ? retryAfter : null };
  // The token endpoint responds with {error, error_description}, the API with {error: {errors: [{reason}], message}}.
  if (typeof data.error === "string")
    return { ...common, reason: data.error, words: String(data.error_description ?? "") };
  const { errors, details, message } = (data.error ?? {}) as {
    errors?: { reason?: string }[];
    details?: { reason?: string }[];
    message?: string;
  };
  const reason = [...(errors ?? []), ...(details ?? [])].find((each) => each.reason)?.reason ?? "";
  return { ...common, reason, words: message ?? "" };
}

function judge({ status, reason }: Refusal): [ProviderFailure, string] {
  if (refusedClient.has(reason)) return ["unavailable", "Google does not accept the portal's keys."];
  if (reason === "invalid_grant" || status === 401 || (status === 403 && refusedConsent.has(reason)))
    return ["auth", "Google no longer accepts the connection. Connect again."];
  if (status === 429 || (status === 403 && passing.has(reason)))
    return ["rate-limited", "Google is busy. It will be tried again."];
  if (status === 404 || status === 410) return ["not-found", "Google does not have this event."];
  // 412: the event was changed between our read and our write.
  if (status >= 500 || status === 408 || status === 412) return ["unavailable", `Google failed (${status}).`];
  if (status === 403) return ["invalid", "Google does not allow this change (403)."];
  return ["invalid", `Google refused the meeting (${status}).`];
}

/** Converts an error of the Google libraries into a `ProviderError`. Google's own text goes to the log. */
export function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const refusal = refusalOf(error);
  if (!refusal)
    return new ProviderError({
      provider,
      kind: "unavailable",
      message: "Google did not answer.",
      ambiguous: true,
      cause: new Error(error instanceof Error ? error.message : String(error)),
    });
  const setup = refusal.status === 403 ? (setupReasons[refusal.reason] ?? null) : null;
  const [kind, message] = setup ? (["unavailable", setupWords[setup]] as const) : judge(refusal);
  return new ProviderError({
    provider,
    kind,
    message,
    retryAfterSeconds: refusal.retryAfterSeconds,
    setup,
    cause: new Error(`${refusal.status} ${refusal.reason} ${refusal.words}`.trim()),
  });
}

/** The error while the circuit is open. No request was sent. */
export function circuitOpen(retryAfterSeconds: number): ProviderError {
  return new ProviderError({
    provider,
    kind: "unavailable",
    message: "Google is not answering at the moment. It will be tried again.",
    retryAfterSeconds,
  });
}
