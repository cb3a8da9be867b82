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
  /**
   * Also includes leads whose next attempt by the retry rules is later. Leads selected by hand are called regardless, unless a colleague
   * called them.
   */
  includeTried: z.boolean().default(false),
};

/** The consultant's newest session in any state, or null, and the options of the last start. Reading it counts as a connected browser. */
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

/** Previews what Start would do with these leads, checking the contact policy for each. Changes nothing. */
export const previewDialer = defineRoute({
  method: "POST",
  path: "/api/dialer/preview",
  summary: "Preview a dialer session",
  body: z.object(listFields),
  response: dialerPreviewSchema,
});

/**
 * Starts a session and dials the first lead at once; with `open_line` it calls the consultant's phone once. If omitted, `lineMode`, `brief`
 * and `leaveMessage` are those of the last start; given values are stored. If a session is active or paused, returns it. Errors: `no_leads`
 * ('No hay leads disponibles para llamar'), `rep_without_phone`, `provider_off`.
 */
export const startDialer = defineRoute({
  method: "POST",
  path: "/api/dialer/start",
  summary: "Start a dialer session",
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
 * Sends a command to the user's session. `position` is the lead that was shown: if it is no longer the current one, `skip`, `call_now`,
 * `hold` and `resume` neither dial nor skip anyone. Skipping a lead ends its call; if their phone does not ring yet, it never does. `left`
 * says that this browser's last page is closing. `resume` calls the consultant again if the session's open line has ended. Errors:
 * `not_found`, `outcome_missing` (a skip in a wrap-up while the provider knows no outcome).
 */
export const commandDialer = defineRoute({
  method: "POST",
  path: "/api/dialer/:id/command",
  summary: "Send a command: pause, resume, stop, skip, call now, hold",
  params: sessionParams,
  body: z.object({
    command: z.enum(["pause", "resume", "stop", "skip", "call_now", "hold", "left"]),
    position: z.number().int().min(0),
  }),
  response: dialerSessionSchema,
});

/**
 * Moves a lead who called during the session to the next position: before the lead whose turn it is, or after the current call. They are
 * called under the same rules as any lead, once their own call has ended. Errors: `not_found` (also if the lead is not one of the session's
 * `callers`).
 */
export const moveNextInDialer = defineRoute({
  method: "POST",
  path: "/api/dialer/:id/next",
  summary: "Call a lead next who called during the session",
  params: sessionParams,
  body: z.object({ leadId: idSchema }),
  response: dialerSessionSchema,
});

/** The consultant is typing: nobody is dialed for the next 3 s. */
export const typingInDialer = defineRoute({
  method: "POST",
  path: "/api/dialer/:id/typing",
  summary: "Hold the countdown while the consultant types",
  params: sessionParams,
  response: z.object({ typingUntil: z.string() }),
});

/** Changes the delay between calls from the next countdown on, or the spoken brief from the next lead on. */
export const setDialerDelay = defineRoute({
  method: "PATCH",
  path: "/api/dialer/:id",
  summary: "Update the delay between calls and the spoken brief",
  params: sessionParams,
  body: z.object({ delaySeconds: delaySeconds.optional(), brief: z.enum(lineBriefs).optional() }),
  response: dialerSessionSchema,
});

/**
 * Saves the outcome and notes of the session's call and the lead's status and follow-up in one transaction, and continues with the
 * countdown. For an earlier call of the session, it only corrects that call's log. If the lead has been assigned to somebody else, status
 * and follow-up are not set but added to the lead's timeline as a proposal (`followUpProposed`). With `seen`, the first outcome wins: if a
 * different one was given since, with the phone's keypad or on another page, it is kept (`outcomeKept`), together with the notes and
 * follow-up sent. Errors: `not_found`, `invalid`, `call_live` (the call has not ended).
 */
export const wrapUpDialer = defineRoute({
  method: "POST",
  path: "/api/dialer/:id/wrap-up",
  summary: "Save a call's outcome and continue",
  params: sessionParams,
  body: z.object({
    callId: idSchema,
    outcome: z.enum(savedOutcomes),
    notes: text(limits.notesMaxLength).nullish(),
    /** The outcome shown to the user, null for none. If omitted, any earlier outcome is replaced. */
    seen: z.enum(loggedOutcomes).nullable().optional(),
    /** If omitted, or if the lead has become a client, the status does not change. */
    status: z.enum(editableLeadStatuses).optional(),
    /** If omitted, the follow-up does not change. */
    nextFollowUpDate: instantSchema.nullable().optional(),
    ...followUpTimeFields,
  }),
  response: dialerSessionSchema,
});

/** Summary of one of the user's sessions; administrators see everyone's. Errors: `not_found`. */
export const getDialerSummary = defineRoute({
  method: "GET",
  path: "/api/dialer/:id/summary",
  summary: "Summary of a dialer session",
  params: sessionParams,
  response: dialerSummarySchema,
});

/** Closes the summary of an ended session. */
export const closeDialer = defineRoute({
  method: "POST",
  path: "/api/dialer/:id/close",
  summary: "Close an ended dialer session",
  params: sessionParams,
  response: dialerSessionSchema,
});
