import { z } from "zod";
import { noTranscriptionReasons } from "./call.ts";
import { text } from "./fields.ts";

/** Id of an inbox entry: a lead, a number that belongs to no lead, or a single call with a withheld number. */
export const inboxEntryIdSchema = text(60).regex(
  /^(?:lead:\d{1,9}|number:[^:\s]{1,40}|call:\d{1,9})$/,
  "Must be the id of an inbox item",
);

/** An inbound SMS that needs a response. */
const inboxTextSchema = z.object({
  id: z.number(),
  /** Empty if the message has only files. */
  message: z.string(),
  attachments: z.number(),
  createdAt: z.string(),
});

/** A missed inbound call that needs a response. */
const inboxCallSchema = z.object({
  /** Id of the inbound call. */
  id: z.number(),
  /** Id of its call log. */
  logId: z.number().nullable(),
  /** The number that called, E.164; null where it was withheld. */
  number: z.string().nullable(),
  result: z.enum(["missed", "voicemail"]),
  startedAt: z.string(),
  recordingSid: z.string().nullable(),
  recordingSeconds: z.number().nullable(),
  transcription: z.string().nullable(),
  noTranscription: z.enum(noTranscriptionReasons).nullable(),
});

/** Everything from one person that needs a response, listed together because one response settles it. */
export const inboxEntrySchema = z.object({
  id: inboxEntryIdSchema,
  /** Null if the sender or caller is not a lead. */
  lead: z
    .object({
      id: z.number(),
      name: z.string(),
      company: z.string().nullable(),
      assignedTo: z.number().nullable(),
      salesRepName: z.string().nullable(),
    })
    .nullable(),
  /** The number of a sender or caller who is not a lead, as the provider reports it; null if withheld. */
  number: z.string().nullable(),
  /** When the newest item arrived. */
  at: z.string(),
  /** Number of open SMS and calls. */
  textCount: z.number(),
  callCount: z.number(),
  /** Highest ids among them. Done settles items up to these ids; later ones stay open. */
  lastTextId: z.number().nullable(),
  lastCallId: z.number().nullable(),
  /** The newest items, newest first. */
  texts: z.array(inboxTextSchema),
  calls: z.array(inboxCallSchema),
});
export type InboxEntry = z.infer<typeof inboxEntrySchema>;
export type InboxCall = InboxEntry["calls"][number];
