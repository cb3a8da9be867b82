import { z } from "zod";
import { daySchema, idSchema, noFilter, pageQuerySchema, repFilterSchema, text } from "../entities/fields.ts";
import {
  listedSmsSchema,
  messageDirections,
  messageSchema,
  unknownMessageSchema,
} from "../entities/message.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

const leadParams = z.object({ id: idSchema });

/** SMS with a lead, oldest first. For the assigned consultant and administrators. Polled every 5 s while the dialog is open. */
export const listMessages = defineRoute({
  method: "GET",
  path: "/api/leads/:id/sms",
  summary: "SMS messages with a lead",
  params: leadParams,
  response: z.array(messageSchema),
});

/**
 * Sends an SMS; the row is created before the provider is called. Repeating the request with the same `clientRef` sends only once. Errors:
 * `message_empty`, `message_too_long`, `message_unfilled`, `contact_refused` with its reason, `not_your_lead`, `provider_off`.
 */
export const sendMessage = defineRoute({
  method: "POST",
  path: "/api/leads/:id/sms",
  summary: "Send an SMS to a lead",
  params: leadParams,
  body: z.object({
    message: text(10_000),
    clientRef: z.uuid().optional(),
    /** The template version that the message was made from. */
    templateVersionId: idSchema.optional(),
    /** An administrator's reason to override the contact policy; recorded in the audit log. */
    overrideReason: text(limits.overrideReasonMaxLength).optional(),
  }),
  response: messageSchema,
});

/** Marks the lead's inbound SMS as seen. */
export const markMessagesRead = defineRoute({
  method: "POST",
  path: "/api/leads/:id/sms/read",
  summary: "Mark a lead's SMS messages as seen",
  params: leadParams,
  response: z.object({ marked: z.number() }),
});

/**
 * SMS counted by the reports, newest first: those the user sent and those with the user's leads; for administrators, everyone's.
 * Undelivered SMS are excluded. Empty values mean no filter.
 */
export const listSmsHistory = defineRoute({
  method: "GET",
  path: "/api/sms/texts",
  summary: "SMS messages behind the figures of the reports",
  query: pageQuerySchema.extend({
    range: z.enum(["week", "month", "all", ""]).optional(),
    /** One day in the organization's time zone; with `until`, the first day. */
    day: z.union([noFilter, daySchema]).optional(),
    until: z.union([noFilter, daySchema]).optional(),
    /** The sender; `any` for any consultant. */
    rep: repFilterSchema.optional(),
    direction: z.enum([...messageDirections, ""]).optional(),
  }),
  response: z.array(listedSmsSchema),
});

/** Number of unseen SMS of the user's leads, and of open SMS from unknown numbers. */
export const getUnreadMessages = defineRoute({
  method: "GET",
  path: "/api/sms/unread",
  summary: "Numbers of unseen SMS messages",
  response: z.object({ leads: z.number(), inbox: z.number() }),
});

/** SMS from numbers that belong to no lead, newest first. */
export const listUnknownMessages = defineRoute({
  method: "GET",
  path: "/api/sms/inbox",
  summary: "SMS messages from unknown numbers",
  query: pageQuerySchema,
  response: z.array(unknownMessageSchema),
});

/** Assigns all open SMS from that number to one of the user's leads. */
export const attachUnknownMessage = defineRoute({
  method: "POST",
  path: "/api/sms/inbox/:id/attach",
  summary: "Assign an unmatched SMS to a lead",
  params: z.object({ id: idSchema }),
  body: z.strictObject({ leadId: idSchema }),
  response: z.object({ attached: z.number() }),
});

/** Removes an open SMS from the inbox; it stays stored. */
export const dismissUnknownMessage = defineRoute({
  method: "POST",
  path: "/api/sms/inbox/:id/dismiss",
  summary: "Dismiss an unmatched SMS",
  params: z.object({ id: idSchema }),
  response: z.object({ dismissed: z.number() }),
});
