import { z } from "zod";
import { contactRefusals } from "../errors.ts";
import { limits } from "../limits.ts";
import { callOutcomes, callResults, callSchema, loggedOutcomes } from "./call.ts";
import { idSchema } from "./fields.ts";
import { lastAttemptFields, leadSchema, leadStatuses } from "./lead.ts";
import { lineBriefs, lineModes, lineSchema } from "./line.ts";

/** A consultant has at most one session that is active or paused; `completed` and `stopped` are ends. No session: Inactivo. */
export const dialerStatuses = ["active", "paused", "completed", "stopped"] as const;
export type DialerStatus = (typeof dialerStatuses)[number];

/** Where a session stands with its current lead. */
export const dialerPhases = [
  /** The contact policy is asked, and the call requested. */
  "checking",
  /** A call of the session is under way. */
  "calling",
  /** The call has ended and waits for the consultant's outcome. */
  "wrap_up",
  /** The current lead is dialled at `dueAt`. */
  "countdown",
  /** The current lead is dialled when the consultant says so. */
  "waiting",
] as const;
export type DialerPhase = (typeof dialerPhases)[number];

/** What the consultant sees: the phase, and within a call who is being rung. */
export const dialerSteps = [
  "checking",
  "ringing_you",
  "ringing_lead",
  "talking",
  "wrap_up",
  "countdown",
  "waiting",
] as const;

export const dialerPauseReasons = [
  "consultant",
  /** The last browser page of the consultant was closed or loaded anew. */
  "left",
  /** No browser listened for 30 s. */
  "nobody_listening",
  /** The consultant's own phone did not answer twice in a row. */
  "rep_not_answering",
  /** The consultant ended the call before the lead was rung. */
  "canceled",
  /** The server was away when the next lead was due. */
  "interrupted",
  /** The consultant is on another call. */
  "rep_on_call",
  /** The consultant has made as many calls as a day allows. */
  "rep_cap",
  /** No phone can be rung for the consultant. */
  "rep_without_phone",
  /** Telephony is off or not reachable. */
  "provider",
  /** Five calls in a row under our number could not be connected. */
  "not_connecting",
  /** The consultant's open line has ended: "Ring me again" (`resume`) takes the session up with a new one. */
  "line_ended",
  /** The consultant's account may no longer call. */
  "account",
] as const;
export type DialerPauseReason = (typeof dialerPauseReasons)[number];

/** Why a lead of the session was not dialled: what the contact policy said, or what changed since the list was made. */
export const dialerSkipReasons = [
  ...contactRefusals,
  "consultant",
  "not_yours",
  "converted",
  "not_interested",
  /** A colleague's session has the lead in hand. */
  "leased",
  /** A colleague called the lead within the last hour. */
  "dialled_by_colleague",
  /** The lead was tried within the last hour, by whomever and however, and no retry rule is about what came of it. */
  "tried_recently",
  /** A follow-up that somebody planned is later. */
  "promised",
  /** By the retry rules: the next try is later, after a rest, or somebody is to decide. */
  "retry_waiting",
  "retry_resting",
  "retry_asks",
] as const;
export type DialerSkipReason = (typeof dialerSkipReasons)[number];

export const dialerItemStates = ["waiting", "in_hand", "done", "skipped", "failed"] as const;

/**
 * `createdAt`: leads that were never tried, newest first as recorded, then the others by the time of their next try by the retry rules. `smart`:
 * follow-up due, then new, then fewest attempts, then the oldest attempt and contact.
 */
export const dialerOrders = ["createdAt", "smart"] as const;

const sourceOf = <Id extends z.ZodType<number>>(id: Id) =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("filter"), status: z.enum([...leadStatuses, "all"]) }),
    z.object({ kind: z.literal("selection"), leadIds: z.array(id).min(1).max(limits.dialerLeadsMax) }),
    z.object({ kind: z.literal("follow_ups") }),
    z.object({ kind: z.literal("call_back") }),
    z.object({ kind: z.literal("today") }),
  ]);

/**
 * Whom a session calls, among the leads assigned to the consultant. 'all' leaves out clients and who is not interested; `today` is the list of Today in
 * its order, with what becomes due meanwhile.
 */
export const dialerSourceSchema = sourceOf(idSchema);
export type DialerSource = z.infer<typeof dialerSourceSchema>;

/** A lead of a list of the dialer. */
export const dialerPreviewLeadSchema = z.object({
  leadId: z.number(),
  name: z.string(),
  company: z.string().nullable(),
  /** When it may be dialled, where waiting helps. */
  allowedAt: z.string().nullable(),
  ...lastAttemptFields,
});

/** Leads that are not dialled, and why. */
const skippedGroupSchema = z.object({
  reason: z.enum(dialerSkipReasons),
  count: z.number(),
  leads: z.array(dialerPreviewLeadSchema),
});

/** A lead who called while their consultant was on an open line. */
const dialerCallerSchema = z.object({
  leadId: z.number(),
  name: z.string(),
  calledAt: z.string(),
  /** They ring another phone of ours, are at the voicemail, left a message there, or have gone. */
  state: z.enum(["ringing", "at_voicemail", "left_message", "missed"]),
  /** They are the next lead of the session. */
  isNext: z.boolean(),
});
export type DialerCaller = z.infer<typeof dialerCallerSchema>;

/** A calling session as its consultant sees it. Instants are ISO strings. */
export const dialerSessionSchema = z.object({
  id: z.number(),
  status: z.enum(dialerStatuses),
  phase: z.enum(dialerPhases),
  step: z.enum(dialerSteps),
  /** Index of the current lead, from 0; equal to `total` once all were worked. */
  position: z.number(),
  total: z.number(),
  order: z.enum(dialerOrders),
  source: sourceOf(z.number()),
  delaySeconds: z.number(),
  /** Chosen at Start. */
  lineMode: z.enum(lineModes),
  /** What is said before each lead, in `open_line`. */
  brief: z.enum(lineBriefs),
  /** The consultant's recorded message is left by itself at the tone of a voicemail. */
  leaveMessage: z.boolean(),
  /** The newest open line of the session, also one that has ended; null in `each_call`. */
  line: lineSchema.nullable(),
  /** With the 'auto dial' setting off every call waits for "Call now". */
  autoDial: z.boolean(),
  pauseReason: z.enum(dialerPauseReasons).nullable(),
  /** When the current lead is dialled, in the countdown. */
  dueAt: z.string().nullable(),
  /** The lead was about to be called before, and their phone never rang: they wait for another try. */
  again: z.boolean(),
  /** The consultant is typing: the countdown stands until then. */
  typingUntil: z.string().nullable(),
  /** The lead at `position`; null once all were worked. */
  lead: leadSchema.nullable(),
  /** Leads of the consultant's who called while they were on their line and have not been spoken with since; the newest call of each, first come first. */
  callers: z.array(dialerCallerSchema),
  /** What was passed over right before that lead, but for what the consultant skipped; each group with the first 200. */
  passedOver: z.array(skippedGroupSchema),
  /** The consultant has skipped the lead whose call is in hand: that call is being ended. */
  skipping: z.boolean(),
  /** The call in hand: live, or ended and waiting for its outcome. */
  call: callSchema.nullable(),
  /** The provider's outcome of that call, preselected in the wrap-up. */
  suggestedOutcome: z.enum(callOutcomes).nullable(),
  counts: z.object({
    dialled: z.number(),
    reached: z.number(),
    skipped: z.number(),
    failed: z.number(),
  }),
  /** The last lead that could not be called, for the failure toast. */
  lastFailure: z
    .object({ position: z.number(), leadName: z.string(), message: z.string().nullable(), at: z.string() })
    .nullable(),
  /** In the answer to a wrap-up: the lead is somebody else's now, and the follow-up stands on its timeline as a proposal. */
  followUpProposed: z.boolean(),
  /** In the answer to a wrap-up: the outcome that was given before it, and holds. */
  outcomeKept: z.enum(loggedOutcomes).nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  /** The consultant has put the summary of an ended session away. */
  closed: z.boolean(),
  /** Grows with every change; an answer with a smaller one is older. */
  version: z.number(),
  /** The server's clock. */
  now: z.string(),
});
export type DialerSession = z.infer<typeof dialerSessionSchema>;

/** What Start would do, by the contact policy's answers of this moment. */
export const dialerPreviewSchema = z.object({
  total: z.number(),
  /** Leads that may be dialled now. */
  now: z.number(),
  /** First that may be dialled now, in order. */
  nowLeads: z.array(dialerPreviewLeadSchema),
  groups: z.array(
    z.object({
      reason: z.enum(dialerSkipReasons),
      count: z.number(),
      /** Earliest instant at which one of them may be dialled; null where waiting does not help. */
      allowedAt: z.string().nullable(),
      /** Zone of that lead, IANA; null with `allowedAt`. */
      timeZone: z.string().nullable(),
      /** The first 200, in order. */
      leads: z.array(dialerPreviewLeadSchema),
    }),
  ),
});
export type DialerPreview = z.infer<typeof dialerPreviewSchema>;

/** What a session came to. Seconds; every figure is counted from the session's leads and calls. */
export const dialerSummarySchema = z.object({
  sessionId: z.number(),
  status: z.enum(dialerStatuses),
  total: z.number(),
  /** Leads whose phone was rung. */
  dialled: z.number(),
  /** Answered or voicemail, by the consultant's outcome where given. */
  reached: z.number(),
  talkSeconds: z.number(),
  /** Seconds from the first ring to the end. */
  elapsedSeconds: z.number(),
  /** Leads dialled an hour of `elapsedSeconds`; null in the first 10 minutes, which say little of an hour. */
  callsPerHour: z.number().nullable(),
  /** Of those leads, and of those whose call could not be connected. */
  outcomes: z.array(z.object({ outcome: z.string(), count: z.number() })),
  skipped: z.array(skippedGroupSchema),
  failed: z.array(z.object({ leadId: z.number(), name: z.string(), result: z.enum(callResults).nullable() })),
  /** Leads left when the session was stopped. */
  remaining: z.number(),
});
export type DialerSummary = z.infer<typeof dialerSummarySchema>;
