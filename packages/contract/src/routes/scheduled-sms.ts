import { z } from "zod";
import { daySchema, idSchema, text } from "../entities/fields.ts";
import { scheduledSmsSchema } from "../entities/scheduled-sms.ts";
import { isClockTime } from "../follow-up-time.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

const params = z.object({ id: idSchema });

/** Scheduled SMS of the user's leads that are waiting or held, next to be sent first; administrators get everyone's. */
export const listScheduledSms = defineRoute({
  method: "GET",
  path: "/api/scheduled-sms",
  summary: "Scheduled SMS messages",
  response: z.array(scheduledSmsSchema).max(limits.scheduledSmsListed),
});

/**
 * A lead's scheduled SMS that are waiting or held, and the time zone in which a new one's time is chosen. For the assigned consultant and
 * administrators. Errors: `not_found`, `not_your_lead`.
 */
export const listLeadScheduledSms = defineRoute({
  method: "GET",
  path: "/api/leads/:id/scheduled-sms",
  summary: "Scheduled SMS messages to a lead",
  params,
  response: z.object({ timeZone: z.string(), texts: z.array(scheduledSmsSchema) }),
});

/**
 * Schedules an SMS for a day and time in the lead's time zone, sent for the consultant the lead is assigned to then. Repeating the request
 * with the same `clientRef` returns the first one. The contact policy is checked now for that time, and again when it is sent. Errors:
 * `message_empty`, `message_too_long`, `message_unfilled`, `invalid` (a time in the past or too far ahead, too many scheduled SMS),
 * `contact_refused` with its reason, `not_found`, `not_your_lead`, `provider_off`.
 */
export const scheduleSms = defineRoute({
  method: "POST",
  path: "/api/leads/:id/scheduled-sms",
  summary: "Schedule an SMS to a lead",
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

/** Cancels a waiting or held SMS. Errors: `not_found`, `not_your_lead`, `conflict` (it is being sent or was sent). */
export const cancelScheduledSms = defineRoute({
  method: "POST",
  path: "/api/scheduled-sms/:id/cancel",
  summary: "Cancel a scheduled SMS",
  params,
  response: scheduledSmsSchema,
});

/**
 * Sends a waiting or held SMS now, regardless of what the lead did since; the contact policy still applies. Errors: `not_found`,
 * `not_your_lead`, `conflict` (it is being sent or was sent).
 */
export const releaseScheduledSms = defineRoute({
  method: "POST",
  path: "/api/scheduled-sms/:id/send",
  summary: "Send a scheduled SMS now",
  params,
  response: scheduledSmsSchema,
});
