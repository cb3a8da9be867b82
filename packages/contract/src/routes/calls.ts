import { z } from "zod";
import {
  callDirections,
  callLogSchema,
  callSchema,
  inboundCallSchema,
  loggedOutcomes,
  timeSources,
} from "../entities/call.ts";
import { daySchema, idSchema, noFilter, pageQuerySchema, repFilterSchema, text } from "../entities/fields.ts";
import { leadStatuses } from "../entities/lead.ts";
import { previousRanges } from "../entities/report.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

/** Seconds, as a number, a string of digits, or 'minutes:seconds'. */
export const durationSchema = z
  .union([z.number(), z.string().regex(/^\d{1,5}(:[0-5]\d)?$/, "Use seconds or minutes:seconds")])
  .transform((value) => {
    if (typeof value === "number") return value;
    const [head = "0", tail] = value.split(":");
    return tail === undefined ? Number(head) : Number(head) * 60 + Number(tail);
  })
  .pipe(z.number().int().min(0).max(limits.callMaxSeconds));

/**
 * Calls the consultant's own phone, then the lead. The call row is created before the provider is called. A second request while the same
 * call is live returns that call. Errors: `lead_without_phone` ('El lead no tiene número de teléfono'), `rep_without_phone`,
 * `number_changed`, `contact_refused` with its reason, `rep_on_call`, `lead_on_call` (also for another lead with the same number),
 * `not_your_lead`, `call_not_live` (ended or withdrawn before it was dialed), `rate_limited` (it would have to wait more than 30 s),
 * `provider_refused`, `provider_unavailable`, `provider_off`.
 */
export const makeCall = defineRoute({
  method: "POST",
  path: "/api/make-call",
  summary: "Call a lead; the consultant's phone rings first",
  body: z.object({
    /** The number shown: the lead's main one, or a further one of a merged lead; without it the main one is rung. */
    to: text(limits.phoneMaxLength).nullish(),
    leadId: idSchema,
    /** An administrator's reason to override the contact policy; recorded in the audit log. */
    overrideReason: text(limits.overrideReasonMaxLength).optional(),
  }),
  response: z.object({
    callSid: z.string(),
    callId: z.number(),
    /** The office line's number (E.164) if it rings instead of the consultant's own phone; otherwise null. */
    officeLine: z.string().nullable(),
  }),
});

/**
 * The signed-in consultant's live call (or null), and inbound calls that concern them: calls from leads that ring their phone, come from
 * their own leads or ring the office line for them, and unknown callers on the office line, whom any consultant may answer. The call they
 * answered comes first.
 */
export const getLiveCall = defineRoute({
  method: "GET",
  path: "/api/calls/live",
  summary: "The consultant's live call",
  response: z.object({ call: callSchema.nullable(), inboundCalls: z.array(inboundCallSchema).default([]) }),
});

/** One of the user's calls, live or ended. Administrators see everyone's. */
export const getCall = defineRoute({
  method: "GET",
  path: "/api/calls/:id",
  summary: "One call",
  params: z.object({ id: idSchema }),
  response: callSchema,
});

/** Ends a live call at the provider. Errors: `call_not_live`, `provider_unavailable`. */
export const endCall = defineRoute({
  method: "POST",
  path: "/api/calls/:id/end",
  summary: "End a live call",
  params: z.object({ id: idSchema }),
  response: callSchema,
});

/**
 * Ends an inbound call for both sides. For the user who answered it and administrators. Errors: `not_found`, `forbidden`, `call_not_live`
 * (not answered yet, or ended), `provider_unavailable`.
 */
export const endInboundCall = defineRoute({
  method: "POST",
  path: "/api/inbound-calls/:id/end",
  summary: "End an inbound call",
  params: z.object({ id: idSchema }),
  response: z.object({ ended: z.literal(true) }),
});

/**
 * Leaves the consultant's recorded message in the lead's language on the voicemail that answered. The lead's leg is redirected to the
 * message; for the consultant the call ends as if the lead had hung up. Idempotent. Errors: `not_found`, `forbidden`, `message_refused`
 * (switched off, no voicemail on the line, no message in that language), `contact_refused` (`no_consent` if the lead has no recorded
 * consent), `call_not_live`, `provider_unavailable`.
 */
export const leaveMessage = defineRoute({
  method: "POST",
  path: "/api/calls/:id/message",
  summary: "Leave a recorded message at a voicemail",
  params: z.object({ id: idSchema }),
  response: callSchema,
});

/**
 * Saves the outcome of a call. With the `twilioCallSid` of a call of this consultant (administrators: of any user) with this lead, it
 * confirms that call's log and keeps the provider's talk time. Otherwise it is stored as a reported call. Without a sid its duration must
 * be above zero. With a sid it stays separate (`unmatched`) until a call of the same consultant and lead turns out to have that sid;
 * repeating the report replaces the earlier one. Repeating the request with the same `clientRef` records only once. Errors: `not_found` (no
 * such lead), `not_your_lead`, `invalid` (also for a malformed sid, and for `not_connected` if the provider did not report it), `conflict`
 * (another user's `clientRef`), `changed_meanwhile` (with `seen`, the outcome the user saw or null for none: a different one was saved
 * since).
 */
export const createCallLog = defineRoute({
  method: "POST",
  path: "/api/call-logs",
  summary: "Save the outcome of a call",
  body: z.object({
    leadId: idSchema,
    duration: durationSchema,
    outcome: z.enum(loggedOutcomes),
    notes: text(limits.notesMaxLength).nullish(),
    callType: text(40).default("browser"),
    twilioCallSid: text(64).nullish(),
    clientRef: z.uuid().optional(),
    seen: z.enum(loggedOutcomes).nullable().optional(),
  }),
  response: callLogSchema,
});

/**
 * Filters of the call history, including those used by links from the reports. Empty values and 'all' mean no filter. Ranges end now and
 * cover today or the last 7 or 30 days; the previous ones cover as many days before, up to the same time of day.
 */
const historyFilters = {
  search: text(limits.searchMaxLength).optional(),
  /** 'none': calls without an outcome yet. */
  outcome: z.enum([...loggedOutcomes, "none", "all", ""]).optional(),
  range: z.enum(["all", "today", "week", "month", ...previousRanges, ""]).optional(),
  /**
   * One day (with `until`, the first day), or weekday (1 is Monday) and hour, in the organization's time zone: the bars of the report
   * charts.
   */
  day: z.union([noFilter, daySchema]).optional(),
  /** The last day if `day` is the first: weeks and months of the reports. */
  until: z.union([noFilter, daySchema]).optional(),
  weekday: z.union([noFilter, z.coerce.number().int().min(1).max(7)]).optional(),
  hour: z.union([noFilter, z.coerce.number().int().min(0).max(23)]).optional(),
  /** Calls made or answered by this consultant, or by any. */
  rep: repFilterSchema.optional(),
  direction: z.enum(callDirections).optional(),
  /** Calls with leads currently assigned to this consultant, and that have this status now. */
  owner: z.union([noFilter, idSchema]).optional(),
  leadStatus: z.enum([...leadStatuses, "all", ""]).optional(),
  /** By source of the duration: the provider (`measured`) or the consultant (`reported`); `unmatched` are reports that match no call. */
  time: z.enum([...timeSources, "all", ""]).optional(),
  /** Only calls of unknown callers, which are open to every consultant. */
  unknown: z.enum(["true", ""]).optional(),
};

/** Sort orders of the call history: those with an index for every filter. */
export const callLogSorts = ["newest", "oldest"] as const;

/**
 * Calls made or answered by the consultant and calls with the leads assigned to them, newest first by default; administrators get all.
 * `needsOutcome=true`: calls without the consultant's outcome. `missed=true`: callers who wait for a call back. `unknown=true`: unknown
 * callers, whom anyone may call back and who count for no consultant.
 */
export const listCallLogs = defineRoute({
  method: "GET",
  path: "/api/call-logs",
  summary: "Call logs",
  query: pageQuerySchema.extend({
    leadId: idSchema.optional(),
    needsOutcome: z.enum(["true", "false"]).optional(),
    missed: z.enum(["true"]).optional(),
    sort: z.enum([...callLogSorts, ""]).optional(),
    ...historyFilters,
  }),
  response: z.array(callLogSchema),
});

/**
 * Marks a missed call done (`done: true`) without calling back, or open again. For users who may act on the lead; for unknown callers, any
 * user. Idempotent. Errors: `not_found` (also if the call was not missed), `not_your_lead`.
 */
export const settleMissedCall = defineRoute({
  method: "POST",
  path: "/api/call-logs/:id/missed",
  summary: "Mark a missed call as done, or reopen it",
  params: z.object({ id: idSchema }),
  body: z.object({ done: z.boolean() }),
  response: callLogSchema,
});

/** Totals over all calls that match the filter, regardless of pages. Durations are seconds measured by the provider, not minutes. */
export const getCallLogSummary = defineRoute({
  method: "GET",
  path: "/api/call-logs/summary",
  summary: "Summary of the filtered calls",
  query: z.object(historyFilters),
  response: z.object({
    totalCalls: z.number(),
    answered: z.number(),
    voicemails: z.number(),
    totalSeconds: z.number(),
  }),
});

/** Exports the filtered calls as a streamed file: CSV (protected against formula injection) or JSON. */
export const exportCallLogs = defineRoute({
  method: "GET",
  path: "/api/call-logs/export",
  summary: "Export the filtered calls",
  query: z.object({ ...historyFilters, format: z.enum(["csv", "json"]) }),
  response: z.unknown(),
});

/**
 * The shared system number, which all consultants call from, and the office line; E.164, null if not configured. SMS are also sent from it
 * unless a Messaging Service chooses from its own numbers.
 */
export const getPhoneNumbers = defineRoute({
  method: "GET",
  path: "/api/phone-numbers",
  summary: "Phone numbers shared by all consultants",
  response: z.object({
    systemNumber: z.string().nullable(),
    officeLine: z.string().nullable(),
    textsByService: z.boolean(),
  }),
});
