import { z } from "zod";

export const messageDirections = ["inbound", "outbound"] as const;

/** Status of an SMS. It only moves forward: requested < queued < sending < sent < delivered, undelivered or failed. */
export const messageStatuses = [
  "requested",
  "queued",
  "sending",
  "sent",
  "delivered",
  "undelivered",
  "failed",
  "received",
] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** An SMS. */
export const messageSchema = z.object({
  id: z.number(),
  direction: z.enum(messageDirections),
  status: z.enum(messageStatuses),
  /** The other party's number, E.164. A lead may have several after a merge. */
  number: z.string(),
  /** Empty if the message has only files. */
  message: z.string(),
  /** Number of files received with it; the files stay with the provider. */
  attachments: z.number(),
  createdAt: z.string(),
  /** Why it failed, as a message for the consultant; null if it did not fail. */
  failure: z.string().nullable(),
  /** The provider's error code, for the tooltip. */
  errorCode: z.number().nullable(),
  /** The sender's name, for outbound SMS. */
  senderName: z.string().nullable(),
});
export type Message = z.infer<typeof messageSchema>;

/** An SMS in the list across all leads. */
export const listedSmsSchema = z.object({
  id: z.number(),
  /** Null if the number belongs to no lead. */
  leadId: z.number().nullable(),
  leadName: z.string().nullable(),
  /** Whether the user may open the lead's conversation. An SMS counts for its sender even after the lead is assigned to somebody else. */
  mayOpen: z.boolean(),
  /** The other party's number, E.164. */
  number: z.string(),
  direction: z.enum(messageDirections),
  status: z.enum(messageStatuses),
  message: z.string(),
  attachments: z.number(),
  createdAt: z.string(),
  senderName: z.string().nullable(),
});
export type ListedSms = z.infer<typeof listedSmsSchema>;

/** An SMS from a number that belongs to no lead. */
export const unknownMessageSchema = z.object({
  id: z.number(),
  from: z.string(),
  message: z.string(),
  attachments: z.number(),
  createdAt: z.string(),
});
export type UnknownMessage = z.infer<typeof unknownMessageSchema>;
