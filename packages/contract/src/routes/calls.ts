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
 * Rings the consultant's own phone, then the lead. The call row exists before the provider is asked.
 * A second request while the same call is live answers with that call.
 * Errors: `lead_without_phone` ('El lead no tiene número de teléfono'), `rep_without_phone`, `number_changed`, `contact_refused` with
 * its reason, `rep_on_call`, `lead_on_call` (also by another lead's equal number), `not_your_lead`, `call_not_live` (ended or withdrawn
 * before it was dialled), `rate_limited` (its turn would come in over 30 s), `provider_refused`, `provider_unavailable`, `provider_off`.
 */
export const makeCall = defineRoute({
  method: "POST",
  path: "/api/make-call",
  summary: "Call a lead: the consultant's phone first",
  body: z.object({
    to: text(limits.phoneMaxLength).nullish(),
    leadId: idSchema,
    /** An administrator's reason to call although the contact policy says no; kept in the audit. */
    overrideReason: text(limits.overrideReasonMaxLength).optional(),
  }),
  response: z.object({
    callSid: z.string(),
    callId: z.number(),
    /** The office line where it is rung in place of a phone of one's own, E.164; else null. */
    officeLine: z.string().nullable(),
  }),
});

/**
 * The signed-in consultant's live call, or null; and who calls: the leads whose call rings their phone, is theirs, or rings the office line
 * for them, and callers on the office line who are no lead, which any consultant may see to. First the call that they took.
 */
export const getLiveCall = defineRoute({
  method: "GET",
  path: "/api/calls/live",
  summary: "The consultant's live call",
  response: z.object({ call: callSchema.nullable(), inboundCalls: z.array(inboundCallSchema).default([]) }),
});

/** One call of one's own, live or ended; administrators see everyone's. */
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
 * Ends a call that came in, for both: who took it may, and administrators. Errors: `not_found`, `forbidden`, `call_not_live` (not taken yet, or over),
 * `provider_unavailable`.
 */
export const endInboundCall = defineRoute({
  method: "POST",
  path: "/api/inbound-calls/:id/end",
  summary: "End a call that came in",
  params: z.object({ id: idSchema }),
  response: z.object({ ended: z.literal(true) }),
});

/**
 * Leaves the consultant's recorded message of the lead's language at the voicemail that answered: the lead's side is led to it, and the
 * consultant's goes on as at the lead's end. Asked again, nothing changes. Errors: `not_found`, `forbidden`, `message_refused` (switched off, no
 * voicemail on the line, no message in that language), `contact_refused` (`no_consent` without a record that the lead agreed), `call_not_live`,
 * `provider_unavailable`.
 */
export const leaveMessage = defineRoute({
  method: "POST",
  path: "/api/calls/:id/message",
  summary: "Leave a recorded message at a voicemail",
  params: z.object({ id: idSchema }),
  response: callSchema,
});

/**
 * Keeps the outcome of a call. With the `twilioCallSid` of a call of this consultant (an administrator: of anybody) with this lead it
 * confirms that call's log, and the provider's talk time stays. Otherwise it is kept as a reported call: without a sid its duration must be
 * above zero; with one it stays apart (`unmatched`) until a call of the same consultant and lead turns out to have that sid, and said again
 * it replaces what was said before. `clientRef` makes a repeated request record once.
 * Errors: `not_found` (no such lead), `not_your_lead`, `invalid` (also a sid that is none, and `not_connected` of a call
 * of which the provider does not say so), `conflict` (another person's `clientRef`),
 * `changed_meanwhile` (with `seen`, the answer that the person saw or null for none: another one was given).
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
 * Filters of the call history and those that reports open; empty values and 'all' mean no filter. Ranges end now: today,
 * the last 7 and 30 dates; the previous ones are as many dates before, up to the same time of day.
 */
const historyFilters = {
  search: text(limits.searchMaxLength).optional(),
  /** 'none' keeps the calls whose outcome nobody knows yet. */
  outcome: z.enum([...loggedOutcomes, "none", "all", ""]).optional(),
  range: z.enum(["all", "today", "week", "month", ...previousRanges, ""]).optional(),
  /** One day (with `until` the first of several), or weekday (1 is Monday) and hour, of the organisation's clock: what the bars of the reports stand for. */
  day: z.union([noFilter, daySchema]).optional(),
  /** The last day where `day` is the first: weeks and months of the reports. */
  until: z.union([noFilter, daySchema]).optional(),
  weekday: z.union([noFilter, z.coerce.number().int().min(1).max(7)]).optional(),
  hour: z.union([noFilter, z.coerce.number().int().min(0).max(23)]).optional(),
  /** Calls that this consultant, or any, made or took. */
  rep: repFilterSchema.optional(),
  direction: z.enum(callDirections).optional(),
  /** Calls with leads that are assigned to this consultant now, and that have this status now. */
  owner: z.union([noFilter, idSchema]).optional(),
  leadStatus: z.enum([...leadStatuses, "all", ""]).optional(),
  /** By where the duration comes from: the provider (`measured`) or the consultant; `unmatched` keeps the reports apart from every call. */
  time: z.enum([...timeSources, "all", ""]).optional(),
  /** Only calls of callers who are no lead, which are everybody's. */
  unknown: z.enum(["true", ""]).optional(),
};

/** Orders of the call history: those that indexes have for any filter. */
export const callLogSorts = ["newest", "oldest"] as const;

/**
 * Calls made or taken by the consultant and those with the leads assigned to them, newest first unless sorted otherwise; an administrator's
 * are all.
 * `needsOutcome=true` keeps those without the rep's outcome. `missed=true` keeps the callers who wait, and `unknown=true` those who are no
 * lead: they are everybody's to call back, and count for nobody.
 */
export const listCallLogs = defineRoute({
  method: "GET",
  path: "/api/call-logs",
  summary: "Logged calls",
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
 * Takes a missed call off the list (`done: true`) without calling back, or puts it there again. Who may act on the lead may; callers who
 * are no lead are everybody's. Said twice, it changes nothing. Errors: `not_found` (also a call that was not missed), `not_your_lead`.
 */
export const settleMissedCall = defineRoute({
  method: "POST",
  path: "/api/call-logs/:id/missed",
  summary: "Take a missed call off the list",
  params: z.object({ id: idSchema }),
  body: z.object({ done: z.boolean() }),
  response: callLogSchema,
});

/** Figures of the whole filter, however many pages it has. Seconds of the provider's, not minutes. */
export const getCallLogSummary = defineRoute({
  method: "GET",
  path: "/api/call-logs/summary",
  summary: "Figures of the filtered calls",
  query: z.object(historyFilters),
  response: z.object({
    totalCalls: z.number(),
    answered: z.number(),
    voicemails: z.number(),
    totalSeconds: z.number(),
  }),
});

/** The filtered calls as a file, streamed: CSV safe from formulas, or JSON. */
export const exportCallLogs = defineRoute({
  method: "GET",
  path: "/api/call-logs/export",
  summary: "The filtered calls as a file",
  query: z.object({ ...historyFilters, format: z.enum(["csv", "json"]) }),
  response: z.unknown(),
});

/**
 * The shared system number, which all consultants call from, and the office line; null where there is none. E.164. Texts come from it as
 * well, unless a Messaging Service chooses among numbers of its own.
 */
export const getPhoneNumbers = defineRoute({
  method: "GET",
  path: "/api/phone-numbers",
  summary: "Numbers that all consultants share",
  response: z.object({
    systemNumber: z.string().nullable(),
    officeLine: z.string().nullable(),
    textsByService: z.boolean(),
  }),
});
