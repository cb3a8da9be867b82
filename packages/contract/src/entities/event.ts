import { z } from "zod";

/** What changed; the browser fetches it again. Nothing else travels on the stream. */
export const eventTopics = [
  "lead",
  "call",
  "call-log",
  "crm-sync",
  "crm-outbox",
  "crm-connection",
  "session",
  "sms",
  "recording",
  "inbound-call",
  "import",
  "webhook-source",
  "webhook-delivery",
  "dialer",
  "meeting",
  /** The go-live checklist and its test call; administrators only. */
  "go-live",
  /** What administrators have to fix; administrators only. */
  "admin-alert",
  /** An act on many leads. */
  "bulk-change",
  /** A merge of two leads, or its undoing. */
  "lead-merge",
  /** A saved view of a list. */
  "saved-view",
  /** A template of texts. */
  "sms-template",
  /** A recorded message for voicemails, or the call that records one. */
  "voicemail-message",
  /** Whether somebody can be reached; themselves and administrators. */
  "availability",
  /** An account; administrators only. */
  "team",
] as const;
export type EventTopic = (typeof eventTopics)[number];

export const liveEventSchema = z.object({ topic: z.enum(eventTopics), id: z.number() });
export type LiveEvent = z.infer<typeof liveEventSchema>;
