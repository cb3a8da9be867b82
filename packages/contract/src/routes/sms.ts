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

/** The texts with a lead, oldest first; the assignee and administrators may read them. Polled every 5 s while the dialog is open. */
export const listMessages = defineRoute({
  method: "GET",
  path: "/api/leads/:id/sms",
  summary: "Texts with a lead",
  params: leadParams,
  response: z.array(messageSchema),
});

/**
 * Sends a text; the row exists before the provider is asked. `clientRef` makes a repeated request send once.
 * Errors: `message_empty`, `message_too_long`, `message_unfilled`, `contact_refused` with its reason, `not_your_lead`, `provider_off`.
 */
export const sendMessage = defineRoute({
  method: "POST",
  path: "/api/leads/:id/sms",
  summary: "Send a text to a lead",
  params: leadParams,
  body: z.object({
    message: text(10_000),
    clientRef: z.uuid().optional(),
    /** The version of the template that it was made of. */
    templateVersionId: idSchema.optional(),
    /** An administrator's reason to text although the contact policy says no; kept in the audit. */
    overrideReason: text(limits.overrideReasonMaxLength).optional(),
  }),
  response: messageSchema,
});

/** Marks the lead's inbound texts as seen. */
export const markMessagesRead = defineRoute({
  method: "POST",
  path: "/api/leads/:id/sms/read",
  summary: "Mark a lead's texts as seen",
  params: leadParams,
  response: z.object({ marked: z.number() }),
});

/**
 * The texts that reports count, newest first: those that one sent and those with one's leads, an administrator's everyone's; what was not
 * delivered counts as none. Empty values mean no filter.
 */
export const listSmsHistory = defineRoute({
  method: "GET",
  path: "/api/sms/texts",
  summary: "Texts that the reports count",
  query: pageQuerySchema.extend({
    range: z.enum(["week", "month", "all", ""]).optional(),
    /** One day of the organisation's clock; with `until` the first of several. */
    day: z.union([noFilter, daySchema]).optional(),
    until: z.union([noFilter, daySchema]).optional(),
    /** Who sent it; `any` for a consultant, whoever. */
    rep: repFilterSchema.optional(),
    direction: z.enum([...messageDirections, ""]).optional(),
  }),
  response: z.array(listedSmsSchema),
});

/** Unseen texts of one's leads, and texts of unknown numbers that wait. */
export const getUnreadMessages = defineRoute({
  method: "GET",
  path: "/api/sms/unread",
  summary: "Counts of unseen texts",
  response: z.object({ leads: z.number(), inbox: z.number() }),
});

/** Texts from numbers that belong to no lead, newest first. */
export const listUnknownMessages = defineRoute({
  method: "GET",
  path: "/api/sms/inbox",
  summary: "Texts from unknown numbers",
  query: pageQuerySchema,
  response: z.array(unknownMessageSchema),
});

/** Gives all waiting texts of that number to one of one's leads. */
export const attachUnknownMessage = defineRoute({
  method: "POST",
  path: "/api/sms/inbox/:id/attach",
  summary: "Give a waiting text to a lead",
  params: z.object({ id: idSchema }),
  body: z.strictObject({ leadId: idSchema }),
  response: z.object({ attached: z.number() }),
});

/** Takes a waiting text off the inbox; it is kept. */
export const dismissUnknownMessage = defineRoute({
  method: "POST",
  path: "/api/sms/inbox/:id/dismiss",
  summary: "Take a waiting text off the inbox",
  params: z.object({ id: idSchema }),
  response: z.object({ dismissed: z.number() }),
});
