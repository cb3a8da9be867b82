import { z } from "zod";
import { idSchema, instantSchema, pageQuerySchema, text } from "../entities/fields.ts";
import { calendarTypes, googleStates, googleStatusSchema, meetingSchema } from "../entities/meeting.ts";
import { isTimeZone } from "../follow-up-time.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

const zoneSchema = text(60).refine(isTimeZone, "Must be a time zone such as America/New_York");
const meetingParams = z.object({ id: idSchema });

const meetingFields = {
  title: text(limits.nameMaxLength),
  description: text(limits.notesMaxLength).nullish(),
  startTime: instantSchema,
  endTime: instantSchema,
  /** The IANA time zone of the user who schedules it; defaults to the organization's. */
  timeZone: text(60).optional(),
  leadId: idSchema.nullish(),
  calendarType: z.enum(calendarTypes).default("google"),
  meetingLink: text(2_000).nullish(),
  /** Comma-separated; each address is validated. */
  attendeeEmails: text(4_000).nullish(),
  wantsMeetLink: z.boolean().default(false),
};

/** The user's meetings by start time, from the start of today or `from`; without `limit`, all of them. */
export const listMeetings = defineRoute({
  method: "GET",
  path: "/api/calendar/events",
  summary: "The consultant's meetings",
  query: pageQuerySchema.extend({
    from: instantSchema.optional(),
    to: instantSchema.optional(),
    leadId: idSchema.optional(),
  }),
  response: z.array(meetingSchema),
});

/** The user's meetings that ended before the start of today or `before`, latest first. */
export const listEarlierMeetings = defineRoute({
  method: "GET",
  path: "/api/calendar/earlier",
  summary: "Past meetings of the consultant",
  query: pageQuerySchema.extend({ before: instantSchema.optional() }),
  response: z.array(meetingSchema),
});

/**
 * Start times when the user is free for a meeting: up to four per day on the next three days with free times, within two weeks. They are
 * within the user's working hours (9 to 18 on working days if not set) and outside absences, do not overlap busy times in the portal's or
 * Google's calendar, and are between 8 and 21 in the lead's time zone. `readAt` is when Google was last read; null if no Google calendar is
 * connected.
 */
export const listFreeSlots = defineRoute({
  method: "GET",
  path: "/api/calendar/free-slots",
  summary: "Free times of the consultant for a meeting",
  query: z.object({
    minutes: z.coerce
      .number()
      .refine(
        (minutes) => limits.meetingMinutes.some((length) => length === minutes),
        "Must be an allowed meeting length",
      )
      .default(limits.meetingDefaultMinutes),
    /** The user's time zone; defaults to the organization's. */
    zone: zoneSchema.optional(),
    /** The lead's time zone, if known. */
    leadZone: zoneSchema.optional(),
  }),
  response: z.object({
    slots: z.array(z.object({ startTime: z.string(), endTime: z.string() })),
    google: z.enum(googleStates),
    readAt: z.string().nullable(),
  }),
});

/**
 * Schedules a meeting. Repeating the request with the same `clientRef` returns the first meeting. With `onlyIfFree`, Google is read again
 * first, and a slot that was taken since is refused. Errors: `invalid` (blank title, end not after start, longer than 24 h, an invalid
 * address, which is named), `not_found`, `not_your_lead`; with `onlyIfFree` also `slot_taken`, and `provider_unavailable` if Google cannot
 * be read.
 */
export const createMeeting = defineRoute({
  method: "POST",
  path: "/api/calendar/events",
  summary: "Schedule a meeting",
  body: z.object({
    ...meetingFields,
    clientRef: z.uuid().optional(),
    onlyIfFree: z.boolean().default(false),
  }),
  response: meetingSchema,
});

/** Changes the fields sent. Errors: as `createMeeting`, and `forbidden` (another user's meeting). */
export const updateMeeting = defineRoute({
  method: "PATCH",
  path: "/api/calendar/events/:id",
  summary: "Update a meeting",
  params: meetingParams,
  body: z
    .object({
      ...meetingFields,
      calendarType: z.enum(calendarTypes),
      wantsMeetLink: z.boolean(),
    })
    .partial(),
  response: meetingSchema,
});

/** Deletes a meeting, also at Google. Idempotent. Errors: `not_found`, `forbidden`. */
export const deleteMeeting = defineRoute({
  method: "DELETE",
  path: "/api/calendar/events/:id",
  summary: "Delete a meeting",
  params: meetingParams,
  response: z.object({ message: z.string() }),
});

/** A meeting of the user that overlaps this time, or null. Only a warning; overlaps are allowed. */
export const findClash = defineRoute({
  method: "GET",
  path: "/api/calendar/clash",
  summary: "Overlapping meeting of the consultant",
  query: z.object({ startTime: instantSchema, endTime: instantSchema, except: idSchema.optional() }),
  response: z.object({
    clash: z.object({ title: z.string(), startTime: z.string(), endTime: z.string() }).nullable(),
  }),
});

/** The meeting as an iCalendar file (RFC 5545). */
export const downloadMeeting = defineRoute({
  method: "GET",
  path: "/api/calendar/events/:id/ics",
  summary: "A meeting as an iCalendar file",
  params: meetingParams,
  response: z.unknown(),
});

/** The consultant's own Google Calendar connection. */
export const getGoogleStatus = defineRoute({
  method: "GET",
  path: "/api/google/status",
  summary: "Status of the Google Calendar connection",
  response: googleStatusSchema,
});

/** Returns the URL of Google's consent page. Errors: `provider_off`. */
export const getGoogleAuth = defineRoute({
  method: "GET",
  path: "/api/google/auth",
  summary: "Start connecting Google Calendar",
  response: z.object({ authUrl: z.string() }),
});

/**
 * Redirect target of Google's consent page; redirects to /calendar with the result in `google`: `connected`, `denied`, `failed`, or
 * `signed-out` for a browser without a session.
 */
export const googleCallback = defineRoute({
  method: "GET",
  path: "/api/google/callback",
  summary: "OAuth callback of Google Calendar",
  query: z.object({
    state: text(200).optional(),
    code: text(2_000).optional(),
    error: text(200).optional(),
    scope: text(2_000).optional(),
  }),
  response: z.unknown(),
});

/** Revokes and deletes the tokens; the meetings stay in both calendars. */
export const disconnectGoogle = defineRoute({
  method: "DELETE",
  path: "/api/google/disconnect",
  summary: "Disconnect Google Calendar",
  response: z.object({ message: z.string() }),
});

/** Syncs changes from Google now. Errors: `provider_off`, `conflict` (not connected). */
export const syncGoogle = defineRoute({
  method: "POST",
  path: "/api/google/sync",
  summary: "Sync changes from Google Calendar",
  response: googleStatusSchema,
});
