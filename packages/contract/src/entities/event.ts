import { z } from "zod";

/** Topics of live events. An event only says what changed; the browser fetches the data itself. */
export const eventTopics = [
  /** A lead, or with id 0 many; sent to those whose leads they are. */
  "lead",
  /** Many leads of anybody, at the end of an import or a sync: concerns lists and figures of the whole team. */
  "all-leads",
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
  /** Problems that administrators have to fix; administrators only. */
  "admin-alert",
  /** A bulk change of leads. */
  "bulk-change",
  /** A merge of two leads, or the undo of one. */
  "lead-merge",
  /** A saved view of a list. */
  "saved-view",
  /** An SMS template. */
  "sms-template",
  /** A recorded message for voicemails, or the call that records one. */
  "voicemail-message",
  /** A person's availability; sent to that person and to administrators. */
  "availability",
  /** A user account; administrators only. */
  "team",
] as const;
export type EventTopic = (typeof eventTopics)[number];

export const liveEventSchema = z.object({ topic: z.enum(eventTopics), id: z.number() });
export type LiveEvent = z.infer<typeof liveEventSchema>;
