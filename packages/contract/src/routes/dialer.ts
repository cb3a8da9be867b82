import { z } from "zod";
import { loggedOutcomes, savedOutcomes } from "../entities/call.ts";
import {
  dialerOrders,
  dialerPreviewSchema,
  dialerSessionSchema,
  dialerSourceSchema,
  dialerSummarySchema,
} from "../entities/dialer.ts";
import { followUpTimeFields, idSchema, instantSchema, text } from "../entities/fields.ts";
import { editableLeadStatuses } from "../entities/lead.ts";
import { lineBriefs, lineModes } from "../entities/line.ts";
import { limits } from "../limits.ts";
import { defineRoute } from "../route.ts";

const sessionParams = z.object({ id: idSchema });
const delaySeconds = z.literal([...limits.dialerDelaysSeconds]);

const listFields = {
  source: dialerSourceSchema,
  order: z.enum(dialerOrders).default("createdAt"),
  /** Also leads whose next try by the retry rules is later; those chosen by hand are called anyway, unless a colleague called them. */
  includeTried: z.boolean().default(false),
};

/**
 * The consultant's newest session, whatever its state, or null; and what they chose at their last Start. Reading it counts as a browser
 * that listens.
 */
export const getDialer = defineRoute({
  method: "GET",
  path: "/api/dialer",
  summary: "The consultant's auto-dialer session",
  response: z.object({
    session: dialerSessionSchema.nullable(),
    lastStart: z
      .object({ lineMode: z.enum(lineModes), brief: z.enum(lineBriefs), leaveMessage: z.boolean() })
      .default({ lineMode: "each_call", brief: "short", leaveMessage: false }),
  }),
});

/** What Start would do with these leads, asking the contact policy for each; changes nothing. */
export const previewDialer = defineRoute({
  method: "POST",
  path: "/api/dialer/preview",
  summary: "Which leads a session would call, and which not",
  body: z.object(listFields),
  response: dialerPreviewSchema,
});

/**
 * Starts a session and rings for the first lead at once; with `open_line` the consultant's phone, once. `lineMode`, `brief` and `leaveMessage` left out are
 * those of the last start, and what is given is remembered. A session that is active or paused already is answered as it is.
 * Errors: `no_leads` ('No hay leads disponibles para llamar'), `rep_without_phone`, `provider_off`.
 */
export const startDialer = defineRoute({
  method: "POST",
  path: "/api/dialer/start",
  summary: "Start calling through a list",
  body: z.object({
    ...listFields,
    delaySeconds: delaySeconds.default(limits.dialerDelayDefaultSeconds),
    lineMode: z.enum(lineModes).optional(),
    brief: z.enum(lineBriefs).optional(),
    leaveMessage: z.boolean().optional(),
  }),
  response: dialerSessionSchema,
});

/**
 * One word to one's own session. `position` is the lead that was shown: a `skip`, `call_now`, `hold` or `resume`
 * whose lead is no longer the current one dials nobody and passes over nobody. A skipped lead is not rung: its call is taken back. `left`
 * says that the last page of this browser goes away. `resume` of a session whose open line has ended rings the consultant again.
 * Errors: `not_found`, `outcome_missing` (a skip in a wrap-up where the provider knows no outcome).
 */
export const commandDialer = defineRoute({
  method: "POST",
  path: "/api/dialer/:id/command",
  summary: "Pause, resume, stop, skip, call now, hold",
  params: sessionParams,
  body: z.object({
    command: z.enum(["pause", "resume", "stop", "skip", "call_now", "hold", "left"]),
    position: z.number().int().min(0),
  }),
  response: dialerSessionSchema,
});

/**
 * Puts a lead who called meanwhile next in one's own session: before the one whose turn it is, or after the call in hand. They are called by the
 * rules as any lead, and as soon as they are off their own call. Errors: `not_found` (also of a lead who is none of the session's `callers`).
 */
export const moveNextInDialer = defineRoute({
  method: "POST",
  path: "/api/dialer/:id/next",
  summary: "Call a lead next who called meanwhile",
  params: sessionParams,
  body: z.object({ leadId: idSchema }),
  response: dialerSessionSchema,
});

/** The consultant is typing: nothing is dialled for the next 3 s. */
export const typingInDialer = defineRoute({
  method: "POST",
  path: "/api/dialer/:id/typing",
  summary: "Hold the countdown while the consultant types",
  params: sessionParams,
  response: z.object({ typingUntil: z.string() }),
});

/** Changes the delay between calls from the next countdown on, or what is said before each lead from the next one on. */
export const setDialerDelay = defineRoute({
  method: "PATCH",
  path: "/api/dialer/:id",
  summary: "Change the delay between calls and the spoken brief",
  params: sessionParams,
  body: z.object({ delaySeconds: delaySeconds.optional(), brief: z.enum(lineBriefs).optional() }),
  response: dialerSessionSchema,
});

/**
 * Keeps the outcome and notes of the session's call, and the lead's status and follow-up, in one transaction, and goes on to the countdown. A
 * repeated request for a call that is no longer in hand corrects that call's log and moves nothing. Where the lead has become somebody else's
 * status and follow-up are not set but proposed: they stand on the lead's timeline (`followUpProposed`). With `seen` the first outcome counts: where another
 * one was given meanwhile, by the phone's keys or another page, that one holds (`outcomeKept`), and notes and follow-up are kept with it.
 * Errors: `not_found`, `invalid`, `call_live` (the call has not ended).
 */
export const wrapUpDialer = defineRoute({
  method: "POST",
  path: "/api/dialer/:id/wrap-up",
  summary: "Keep a call's outcome and go on",
  params: sessionParams,
  body: z.object({
    callId: idSchema,
    outcome: z.enum(savedOutcomes),
    notes: text(limits.notesMaxLength).nullish(),
    /** The outcome that was shown as given, null for none; left out, whatever was given before is replaced. */
    seen: z.enum(loggedOutcomes).nullable().optional(),
    /** Left out: the lead's status stays as it is; so it does where the lead has become a client. */
    status: z.enum(editableLeadStatuses).optional(),
    /** Left out: the lead's follow-up stays as it is. */
    nextFollowUpDate: instantSchema.nullable().optional(),
    ...followUpTimeFields,
  }),
  response: dialerSessionSchema,
});

/** Figures of one of one's own sessions; administrators see everyone's. Errors: `not_found`. */
export const getDialerSummary = defineRoute({
  method: "GET",
  path: "/api/dialer/:id/summary",
  summary: "What a session came to",
  params: sessionParams,
  response: dialerSummarySchema,
});

/** Puts the summary of an ended session away. */
export const closeDialer = defineRoute({
  method: "POST",
  path: "/api/dialer/:id/close",
  summary: "Put an ended session away",
  params: sessionParams,
  response: dialerSessionSchema,
});
