import { z } from "zod";

export const messageDirections = ["inbound", "outbound"] as const;

/** Where a text is on its way. Only forward: requested < queued < sending < sent < delivered, undelivered or failed. */
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

/** A text. */
export const messageSchema = z.object({
  id: z.number(),
  direction: z.enum(messageDirections),
  status: z.enum(messageStatuses),
  /** The other side's number, E.164: a lead may have several since another was merged into it. */
  number: z.string(),
  /** Empty where only files came. */
  message: z.string(),
  /** Files that came with it; they stay with the provider. */
  attachments: z.number(),
  createdAt: z.string(),
  /** Why it failed, in words for the rep; null when it did not. */
  failure: z.string().nullable(),
  /** The provider's code of the failure, for the tooltip. */
  errorCode: z.number().nullable(),
  /** Who wrote it, for outbound texts. */
  senderName: z.string().nullable(),
});
export type Message = z.infer<typeof messageSchema>;

/** A text among those of all leads. */
export const listedSmsSchema = z.object({
  id: z.number(),
  /** Null for a number that belongs to no lead. */
  leadId: z.number().nullable(),
  leadName: z.string().nullable(),
  /** Whether one may open the lead's conversation: one's own text stays in one's figures when the lead goes to somebody else. */
  mayOpen: z.boolean(),
  /** The other side's number, E.164. */
  number: z.string(),
  direction: z.enum(messageDirections),
  status: z.enum(messageStatuses),
  message: z.string(),
  attachments: z.number(),
  createdAt: z.string(),
  senderName: z.string().nullable(),
});
export type ListedSms = z.infer<typeof listedSmsSchema>;

/** A text from a number that belongs to no lead. */
export const unknownMessageSchema = z.object({
  id: z.number(),
  from: z.string(),
  message: z.string(),
  attachments: z.number(),
  createdAt: z.string(),
});
export type UnknownMessage = z.infer<typeof unknownMessageSchema>;
