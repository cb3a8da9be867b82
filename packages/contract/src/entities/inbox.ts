import { z } from "zod";
import { noTranscriptionReasons } from "./call.ts";
import { text } from "./fields.ts";

/**
 * Who an entry of the inbox is about, and its name: a lead, a number that belongs to no lead, or one call of somebody who withheld theirs.
 */
export const inboxEntryIdSchema = text(60).regex(
  /^(?:lead:\d{1,9}|number:[^:\s]{1,40}|call:\d{1,9})$/,
  "Must be an entry of the inbox",
);

/** A text that waits. */
const inboxTextSchema = z.object({
  id: z.number(),
  /** Empty where only files came. */
  message: z.string(),
  attachments: z.number(),
  createdAt: z.string(),
});

/** An inbound call that nobody took, and that waits. */
const inboxCallSchema = z.object({
  /** Of the inbound call. */
  id: z.number(),
  /** Of its log. */
  logId: z.number().nullable(),
  result: z.enum(["missed", "voicemail"]),
  startedAt: z.string(),
  recordingSid: z.string().nullable(),
  recordingSeconds: z.number().nullable(),
  transcription: z.string().nullable(),
  noTranscription: z.enum(noTranscriptionReasons).nullable(),
});

/** All that waits from one person: it is listed together, because it is answered together. */
export const inboxEntrySchema = z.object({
  id: inboxEntryIdSchema,
  /** Null for a caller or texter who is no lead. */
  lead: z
    .object({
      id: z.number(),
      name: z.string(),
      company: z.string().nullable(),
      assignedTo: z.number().nullable(),
      salesRepName: z.string().nullable(),
    })
    .nullable(),
  /** Of whom is no lead, as the provider says it; null where it was withheld. */
  number: z.string().nullable(),
  /** When the newest of it came. */
  at: z.string(),
  /** How many texts and calls wait. */
  textCount: z.number(),
  callCount: z.number(),
  /** The highest ids of them, up to which Done counts: what comes later goes on waiting. */
  lastTextId: z.number().nullable(),
  lastCallId: z.number().nullable(),
  /** The newest of them, newest first. */
  texts: z.array(inboxTextSchema),
  calls: z.array(inboxCallSchema),
});
export type InboxEntry = z.infer<typeof inboxEntrySchema>;
export type InboxCall = InboxEntry["calls"][number];
