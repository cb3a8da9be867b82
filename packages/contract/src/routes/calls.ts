import { z } from "zod";
import { callLogSchema, callSchema, loggedOutcomes } from "../entities/call.ts";
import { idSchema, pageQuerySchema, text } from "../entities/fields.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

/** Seconds, as a number, a string of digits, or 'minutes:seconds' (specification §3, Call log payload). */
export const durationSchema = z
  .union([z.number(), z.string().regex(/^\d{1,5}(:[0-5]\d)?$/, "Use seconds or minutes:seconds")])
  .transform((value) => {
    if (typeof value === "number") return value;
    const [head = "0", tail] = value.split(":");
    return tail === undefined ? Number(head) : Number(head) * 60 + Number(tail);
  })
  .pipe(z.number().int().min(0).max(limits.callMaxSeconds));

/**
 * Rings the consultant's own phone, then the lead (specification §1, §7). The call row exists before the provider is asked.
 * A second request while the same call is live answers with that call.
 * Errors: `lead_without_phone` ('El lead no tiene número de teléfono'), `rep_without_phone`, `number_changed`, `contact_refused` with
 * its reason, `rep_on_call`, `lead_on_call` (also by another lead's equal number), `not_your_lead`, `call_not_live` (ended or withdrawn
 * before it was dialled), `rate_limited` (its turn would come in over 30 s), `provider_refused`, `provider_unavailable`, `provider_off`.
 */
export const makeCall = defineRoute({
  method: "POST",
  path: "/api/make-call",
  access: "user",
  summary: "Call a lead: the consultant's phone first",
  body: z.object({ to: text(limits.phoneMaxLength).nullish(), leadId: idSchema }),
  response: z.object({ callSid: z.string(), callId: z.number() }),
});

/** The signed-in consultant's live call, or null. */
export const getLiveCall = defineRoute({
  method: "GET",
  path: "/api/calls/live",
  access: "user",
  summary: "The consultant's live call",
  response: z.object({ call: callSchema.nullable() }),
});

/** One call of one's own, live or ended; administrators see everyone's. */
export const getCall = defineRoute({
  method: "GET",
  path: "/api/calls/:id",
  access: "user",
  summary: "One call",
  params: z.object({ id: idSchema }),
  response: callSchema,
});

/** Ends a live call at the provider. Errors: `call_not_live`, `provider_unavailable`. */
export const endCall = defineRoute({
  method: "POST",
  path: "/api/calls/:id/end",
  access: "user",
  summary: "End a live call",
  params: z.object({ id: idSchema }),
  response: callSchema,
});

/**
 * Keeps the outcome of a call. With the `twilioCallSid` of a known call it confirms that call's log, and the provider's talk time
 * stays; without, it records one, whose duration must be above zero. `clientRef` makes a repeated request record once.
 * Errors: `not_found`, `forbidden`, `not_your_lead`, `invalid`, `conflict` (another person's `clientRef`).
 */
export const createCallLog = defineRoute({
  method: "POST",
  path: "/api/call-logs",
  access: "user",
  summary: "Keep the outcome of a call",
  body: z.object({
    leadId: idSchema,
    duration: durationSchema,
    outcome: z.enum(loggedOutcomes),
    notes: text(limits.notesMaxLength).nullish(),
    callType: text(40).default("browser"),
    twilioCallSid: text(64).nullish(),
    clientRef: z.uuid().optional(),
  }),
  response: callLogSchema,
});

/** Calls made by the consultant or to the leads assigned to them, newest first; `needsOutcome=true` keeps those without the rep's outcome. */
export const listCallLogs = defineRoute({
  method: "GET",
  path: "/api/call-logs",
  access: "user",
  summary: "Logged calls",
  query: pageQuerySchema.extend({
    leadId: idSchema.optional(),
    needsOutcome: z.enum(["true", "false"]).optional(),
  }),
  response: z.array(callLogSchema),
});
