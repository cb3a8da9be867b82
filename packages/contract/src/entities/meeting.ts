import { z } from "zod";

/** Where a meeting is kept besides here. Outlook is a label only. */
export const calendarTypes = ["google", "outlook", "local"] as const;
export type CalendarType = (typeof calendarTypes)[number];

/** Whether Google has the meeting as it stands here. `none`: it is not meant to go there. */
export const meetingSyncStates = ["none", "pending", "synced", "failed"] as const;

/** A meeting. Instants are ISO strings. */
export const meetingSchema = z.object({
  id: z.number(),
  title: z.string(),
  description: z.string().nullable(),
  startTime: z.string(),
  endTime: z.string(),
  /** IANA zone that it was scheduled in. */
  timeZone: z.string(),
  leadId: z.number().nullable(),
  leadName: z.string().nullable(),
  calendarType: z.enum(calendarTypes),
  meetingLink: z.string().nullable(),
  /** Comma-separated, each one valid; null where nobody is invited. */
  attendeeEmails: z.string().nullable(),
  /** A Google Meet link is asked for. */
  wantsMeetLink: z.boolean(),
  sync: z.enum(meetingSyncStates),
  /** Why Google does not have it, in words; null where it has. */
  syncError: z.string().nullable(),
});
export type Meeting = z.infer<typeof meetingSchema>;

/** A person leads can be assigned to. */
export const salesRepSchema = z.object({ id: z.number(), name: z.string(), email: z.string() });
export type SalesRep = z.infer<typeof salesRepSchema>;

export const googleStates = [
  /** No keys: Google is off, local meetings work. */
  "off",
  "never_connected",
  "connected",
  /** Google no longer takes our token: connect again. */
  "disconnected",
] as const;

/**
 * What has to be switched on at Google before a calendar can be reached at all: `api_off` the Calendar API in the portal's Cloud project,
 * `domain_policy` third-party apps in the Workspace of the calendar's owner.
 */
export const setupFaults = ["api_off", "domain_policy"] as const;
export type SetupFault = (typeof setupFaults)[number];

/** The consultant's own connection to Google Calendar. */
export const googleStatusSchema = z.object({
  connected: z.boolean(),
  state: z.enum(googleStates),
  /** The Google account's address. */
  email: z.string().nullable(),
  lastSyncedAt: z.string().nullable(),
  /** Meetings of one's own that wait to go to Google. */
  pending: z.number(),
  /** What they wait for, where it is an administrator's to switch on; null otherwise. */
  waitsFor: z.enum(setupFaults).nullable(),
});
export type GoogleStatus = z.infer<typeof googleStatusSchema>;
