import { z } from "zod";
import { daySchema, idSchema, text } from "../entities/fields.ts";
import { scheduledSmsSchema } from "../entities/scheduled-sms.ts";
import { isClockTime } from "../follow-up-time.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

const params = z.object({ id: idSchema });

/** The texts of one's leads that wait or are held back, those that go first first; administrators get everyone's. */
export const listScheduledSms = defineRoute({
  method: "GET",
  path: "/api/scheduled-sms",
  summary: "Texts that go out later",
  response: z.array(scheduledSmsSchema).max(limits.scheduledSmsListed),
});

/**
 * The texts of a lead that wait or are held back, and the zone in which a new one's time is chosen; the assignee and administrators may.
 * Errors: `not_found`, `not_your_lead`.
 */
export const listLeadScheduledSms = defineRoute({
  method: "GET",
  path: "/api/leads/:id/scheduled-sms",
  summary: "Texts that go out to a lead later",
  params,
  response: z.object({ timeZone: z.string(), texts: z.array(scheduledSmsSchema) }),
});

/**
 * Keeps a text that goes out at a day and time of the lead's clock, under whoever has the lead then; the same `clientRef` again answers the
 * one that it made. It is asked of the contact policy now for that time, and again when it goes.
 * Errors: `message_empty`, `message_too_long`, `message_unfilled`, `invalid` (a time that is over, or too far ahead, too many texts waiting),
 * `contact_refused` with its reason, `not_found`, `not_your_lead`, `provider_off`.
 */
export const scheduleSms = defineRoute({
  method: "POST",
  path: "/api/leads/:id/scheduled-sms",
  summary: "Send a text to a lead later",
  params,
  body: z.strictObject({
    message: text(10_000),
    day: daySchema,
    time: z.string().refine(isClockTime, "Must be HH:MM"),
    clientRef: z.uuid(),
    templateVersionId: idSchema.optional(),
  }),
  response: scheduledSmsSchema,
});

/** Takes a text back that waits or is held. Errors: `not_found`, `not_your_lead`, `conflict` (it is being sent, or was). */
export const cancelScheduledSms = defineRoute({
  method: "POST",
  path: "/api/scheduled-sms/:id/cancel",
  summary: "Take back a text that goes out later",
  params,
  response: scheduledSmsSchema,
});

/**
 * Sends a text that waits or is held now, whatever the lead did meanwhile; the contact policy is asked all the same. Errors: `not_found`,
 * `not_your_lead`, `conflict` (it is being sent, or was).
 */
export const releaseScheduledSms = defineRoute({
  method: "POST",
  path: "/api/scheduled-sms/:id/send",
  summary: "Send a text now that was to go out later",
  params,
  response: scheduledSmsSchema,
});
