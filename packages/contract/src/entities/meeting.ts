import { z } from "zod";

/** The calendar a meeting is also stored in. Outlook is a label only. */
export const calendarTypes = ["google", "outlook", "local"] as const;
export type CalendarType = (typeof calendarTypes)[number];

/** Whether Google has the current version of the meeting. `none`: it is not synced to Google. */
export const meetingSyncStates = ["none", "pending", "synced", "failed"] as const;

/** A meeting. Timestamps are ISO strings. */
export const meetingSchema = z.object({
  id: z.number(),
  title: z.string(),
  description: z.string().nullable(),
  startTime: z.string(),
  endTime: z.string(),
  /** The IANA time zone it was scheduled in. */
  timeZone: z.string(),
  leadId: z.number().nullable(),
  leadName: z.string().nullable(),
  calendarType: z.enum(calendarTypes),
  meetingLink: z.string().nullable(),
  /** Comma-separated valid addresses; null if nobody is invited. */
  attendeeEmails: z.string().nullable(),
  /** Whether to create a Google Meet link. */
  wantsMeetLink: z.boolean(),
  sync: z.enum(meetingSyncStates),
  /** Why the sync to Google failed, as a message; null if it did not fail. */
  syncError: z.string().nullable(),
});
export type Meeting = z.infer<typeof meetingSchema>;

/** A user that leads can be assigned to. */
export const salesRepSchema = z.object({ id: z.number(), name: z.string(), email: z.string() });
export type SalesRep = z.infer<typeof salesRepSchema>;

export const googleStates = [
  /** No API keys are configured. Google is off, local meetings work. */
  "off",
  "never_connected",
  "connected",
  /** Google rejects the stored token; the user must connect again. */
  "disconnected",
] as const;

/**
 * What must be enabled at Google before any calendar can be reached. `api_off`: the Calendar API in the portal's Cloud project.
 * `domain_policy`: third-party apps in the Workspace of the calendar's owner.
 */
export const setupFaults = ["api_off", "domain_policy"] as const;
export type SetupFault = (typeof setupFaults)[number];

/** The consultant's own connection to Google Calendar. */
export const googleStatusSchema = z.object({
  connected: z.boolean(),
  state: z.enum(googleStates),
  /** Email address of the Google account. */
  email: z.string().nullable(),
  lastSyncedAt: z.string().nullable(),
  /** Number of the consultant's meetings not yet sent to Google. */
  pending: z.number(),
  /** What an administrator must enable before they can be sent; otherwise null. */
  waitsFor: z.enum(setupFaults).nullable(),
});
export type GoogleStatus = z.infer<typeof googleStatusSchema>;
