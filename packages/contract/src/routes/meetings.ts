import { z } from "zod";
import { idSchema, instantSchema, pageQuerySchema, text } from "../entities/fields.ts";
import { calendarTypes, googleStates, googleStatusSchema, meetingSchema } from "../entities/meeting.ts";
import { isTimeZone } from "../follow-up-time.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

const zoneSchema = text(60).refine(isTimeZone, "Must be a time zone as America/New_York");
const meetingParams = z.object({ id: idSchema });

const meetingFields = {
  title: text(limits.nameMaxLength),
  description: text(limits.notesMaxLength).nullish(),
  startTime: instantSchema,
  endTime: instantSchema,
  /** IANA zone of who schedules; the organisation's where left out. */
  timeZone: text(60).optional(),
  leadId: idSchema.nullish(),
  calendarType: z.enum(calendarTypes).default("google"),
  meetingLink: text(2_000).nullish(),
  /** Comma-separated; each address is checked by itself. */
  attendeeEmails: text(4_000).nullish(),
  wantsMeetLink: z.boolean().default(false),
};

/** One's own meetings by start time, from the start of today on unless `from` says otherwise; without `limit` all of them. */
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

/** One's own meetings that were over by an instant (the start of today unless `before` says otherwise), the latest first. */
export const listEarlierMeetings = defineRoute({
  method: "GET",
  path: "/api/calendar/earlier",
  summary: "The consultant's meetings that are over",
  query: pageQuerySchema.extend({ before: instantSchema.optional() }),
  response: z.array(meetingSchema),
});

/**
 * Times at which a meeting of one's own could begin: of the next three days (of two weeks) that have some, up to four each. They lie within one's
 * working hours (9 to 18 of working days where none are set), outside absences, beside what takes time in one's calendar here and in Google,
 * and between 8 and 21 on the lead's clock. `readAt` is when Google was last read; null where no calendar there is connected.
 */
export const listFreeSlots = defineRoute({
  method: "GET",
  path: "/api/calendar/free-slots",
  summary: "Times at which one is free for a meeting",
  query: z.object({
    minutes: z.coerce
      .number()
      .refine(
        (minutes) => limits.meetingMinutes.some((length) => length === minutes),
        "Must be a length of meetings",
      )
      .default(limits.meetingDefaultMinutes),
    /** The zone of one's own clock; the organisation's where left out. */
    zone: zoneSchema.optional(),
    /** The zone of the lead's clock, where it is known. */
    leadZone: zoneSchema.optional(),
  }),
  response: z.object({
    slots: z.array(z.object({ startTime: z.string(), endTime: z.string() })),
    google: z.enum(googleStates),
    readAt: z.string().nullable(),
  }),
});

/**
 * Schedules a meeting. A repeated request with the same `clientRef` answers the first one's meeting. With `onlyIfFree` Google is read again
 * first, and a time that is taken by now is not promised.
 * Errors: `invalid` (blank title, end not after start, over 24 h, an address that is none: named), `not_found`, `not_your_lead`; with
 * `onlyIfFree` `slot_taken`, and `provider_unavailable` where Google cannot be read.
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

/** Changes the fields that are sent. Errors: as `createMeeting`, `forbidden` (somebody else's). */
export const updateMeeting = defineRoute({
  method: "PATCH",
  path: "/api/calendar/events/:id",
  summary: "Change a meeting",
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

/** Deletes a meeting, at Google too; deleting it again changes nothing. Errors: `not_found`, `forbidden`. */
export const deleteMeeting = defineRoute({
  method: "DELETE",
  path: "/api/calendar/events/:id",
  summary: "Delete a meeting",
  params: meetingParams,
  response: z.object({ message: z.string() }),
});

/** A meeting of one's own that overlaps this time, or null: said while choosing, never refused. */
export const findClash = defineRoute({
  method: "GET",
  path: "/api/calendar/clash",
  summary: "A meeting of one's own at this time",
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

/** The consultant's own Google connection. */
export const getGoogleStatus = defineRoute({
  method: "GET",
  path: "/api/google/status",
  summary: "State of the Google Calendar connection",
  response: googleStatusSchema,
});

/** Where the browser goes to consent. Errors: `provider_off`. */
export const getGoogleAuth = defineRoute({
  method: "GET",
  path: "/api/google/auth",
  summary: "Begin to connect Google Calendar",
  response: z.object({ authUrl: z.string() }),
});

/**
 * Google sends the browser back here; answers with a redirect to /calendar, whose `google` says how it went: `connected`, `denied`,
 * `failed`, or `signed-out` for a browser without a session.
 */
export const googleCallback = defineRoute({
  method: "GET",
  path: "/api/google/callback",
  summary: "Google's answer to the consent",
  query: z.object({
    state: text(200).optional(),
    code: text(2_000).optional(),
    error: text(200).optional(),
    scope: text(2_000).optional(),
  }),
  response: z.unknown(),
});

/** Revokes the tokens and forgets them; the meetings stay here and there. */
export const disconnectGoogle = defineRoute({
  method: "DELETE",
  path: "/api/google/disconnect",
  summary: "Disconnect Google Calendar",
  response: z.object({ message: z.string() }),
});

/** Takes in what changed in Google now. Errors: `provider_off`, `conflict` (not connected). */
export const syncGoogle = defineRoute({
  method: "POST",
  path: "/api/google/sync",
  summary: "Take in changes from Google Calendar",
  response: googleStatusSchema,
});
