import { z } from "zod";

/** What changed; the browser fetches it again. Nothing else travels on the stream. */
export const eventTopics = [
  "lead",
  "call",
  "call-log",
  "crm-sync",
  "session",
  "sms",
  "recording",
  "inbound-call",
  "meeting",
] as const;
export type EventTopic = (typeof eventTopics)[number];

export const liveEventSchema = z.object({ topic: z.enum(eventTopics), id: z.number() });
export type LiveEvent = z.infer<typeof liveEventSchema>;
