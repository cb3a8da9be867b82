import { z } from "zod";
import { noTranscriptionReasons } from "./call.ts";

/** Parts of a timeline that one may look at alone. */
export const timelineKinds = ["calls", "texts", "notes", "meetings", "changes"] as const;
export type TimelineKind = (typeof timelineKinds)[number];

/** One entry of a lead's timeline: a call, a text, or a change with what was before and after. */
export const timelineEntrySchema = z.object({
  /** Unique within the timeline, for example `event:12`, `text:4`. */
  key: z.string(),
  at: z.string(),
  kind: z.string(),
  /** Who did it; null for the CRM, a provider or the system. */
  actorName: z.string().nullable(),
  /** For changes: which field, and its values. */
  field: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  /** For calls. */
  outcome: z.string().nullable(),
  durationSeconds: z.number().nullable(),
  /** The duration is what the consultant reported, not the provider. */
  durationReported: z.boolean(),
  recordingSid: z.string().nullable(),
  recordingSeconds: z.number().nullable(),
  direction: z.string().nullable(),
  /** Notes of a call or a conversion, the body of a text, the words of a voicemail. */
  text: z.string().nullable(),
  /** For a voicemail without words: why, where that is known. */
  noTranscription: z.enum(noTranscriptionReasons).nullable(),
  /** Status of a text, and the files that came with it. */
  status: z.string().nullable(),
  attachments: z.number().nullable(),
  /** For calls: what changed with them, oldest first: the outcome, the lead's status and follow-up. */
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
