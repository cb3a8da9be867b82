import { z } from "zod";
import { noTranscriptionReasons } from "./call.ts";

/** Kinds of entries that the timeline can be filtered by. */
export const timelineKinds = ["calls", "texts", "notes", "meetings", "changes"] as const;
export type TimelineKind = (typeof timelineKinds)[number];

/** One entry of a lead's timeline: a call, an SMS, or a change with its old and new values. */
export const timelineEntrySchema = z.object({
  /** Unique within the timeline, for example `event:12` or `text:4`. */
  key: z.string(),
  at: z.string(),
  kind: z.string(),
  /** The user who did it; null for the CRM, a provider or the system. */
  actorName: z.string().nullable(),
  /** For changes: the field's name, then its old and new value. */
  field: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  /** For calls: the outcome and the duration. */
  outcome: z.string().nullable(),
  durationSeconds: z.number().nullable(),
  /** The consultant reported the duration; the provider did not measure it. */
  durationReported: z.boolean(),
  recordingSid: z.string().nullable(),
  recordingSeconds: z.number().nullable(),
  direction: z.string().nullable(),
  /** Notes of a call or a conversion, the body of an SMS, the transcription of a voicemail, or why a call could not be made. */
  text: z.string().nullable(),
  /** Why a voicemail has no transcription, if known. */
  noTranscription: z.enum(noTranscriptionReasons).nullable(),
  /** Delivery status of an SMS, and the number of files sent with it. */
  status: z.string().nullable(),
  attachments: z.number().nullable(),
  /** For calls: changes made with the call, oldest first: outcome, lead status, follow-up. */
  related: z.array(
    z.object({
      key: z.string(),
      at: z.string(),
      actorName: z.string().nullable(),
      field: z.string().nullable(),
      before: z.unknown(),
      after: z.unknown(),
    }),
  ),
});
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;
