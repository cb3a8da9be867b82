import { z } from "zod";

export const recordingSidSchema = z.string().regex(/^RE[0-9a-f]{32}$/, "Not a recording id");

/** A recording at the telephony provider. Duration in seconds. */
export const recordingSchema = z.object({
  id: z.number(),
  recordingSid: z.string(),
  recordingStatus: z.string(),
  callSid: z.string(),
  leadId: z.number().nullable(),
  leadName: z.string().nullable(),
  /** The lead's number, or the number of an unknown caller. */
  leadPhone: z.string().nullable(),
  kind: z.enum(["call", "voicemail"]),
  duration: z.number().nullable(),
  createdAt: z.string(),
});
export type Recording = z.infer<typeof recordingSchema>;

/** A recording in the form used to match it with call logs. */
export const callRecordingSchema = z.object({
  id: z.number(),
  callSid: z.string().nullable(),
  recordingSid: z.string().nullable(),
  leadId: z.number().nullable(),
  duration: z.number().nullable(),
  callDate: z.string(),
  audioUrl: z.string(),
});
