import { z } from "zod";
import { contactRefusals } from "../errors.ts";
import { limits } from "../limits.ts";
import { callOutcomes, callResults, callSchema, loggedOutcomes } from "./call.ts";
import { idSchema } from "./fields.ts";
import { lastAttemptFields, leadSchema, leadStatuses } from "./lead.ts";
import { lineBriefs, lineModes, lineSchema } from "./line.ts";

/**
 * Session statuses. A consultant has at most one active or paused session; `completed` and `stopped` are final. Without a session the page
 * shows Inactivo.
 */
export const dialerStatuses = ["active", "paused", "completed", "stopped"] as const;
export type DialerStatus = (typeof dialerStatuses)[number];

/** What a session is doing with its current lead. */
export const dialerPhases = [
  /** The contact policy is checked and the call is requested. */
  "checking",
  /** A call of the session is in progress. */
  "calling",
  /** The call has ended and waits for the consultant's outcome. */
  "wrap_up",
  /** The current lead will be dialed at `dueAt`. */
  "countdown",
  /** The current lead is dialed when the consultant starts the call. */
  "waiting",
] as const;
export type DialerPhase = (typeof dialerPhases)[number];

/** What the consultant sees: the phase, and within a call whose phone is ringing. */
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
  /** The consultant closed or reloaded the last open page. */
  "left",
  /** No browser was connected for 30 s. */
  "nobody_listening",
  /** The consultant's phone was not answered twice in a row. */
  "rep_not_answering",
  /** The consultant ended the call before the lead was dialed. */
  "canceled",
  /** The server was down when the next lead was due. */
  "interrupted",
  /** The consultant is on another call. */
  "rep_on_call",
  /** The consultant reached the daily call limit. */
  "rep_cap",
  /** The consultant has no phone that can be called. */
  "rep_without_phone",
  /** Telephony is off or unavailable. */
  "provider",
  /** Five calls in a row from our number could not be connected. */
  "not_connecting",
  /** The consultant's open line ended. "Ring me again" (`resume`) continues the session on a new one. */
  "line_ended",
  /** The consultant's account is no longer allowed to call. */
  "account",
] as const;
export type DialerPauseReason = (typeof dialerPauseReasons)[number];

/** Why a lead of the session was not dialed: the contact policy's reason, or a change since the list was made. */
export const dialerSkipReasons = [
  ...contactRefusals,
  "consultant",
  "not_yours",
  "converted",
  "not_interested",
  /** A colleague's session is working the lead. */
  "leased",
  /** A colleague called the lead within the last hour. */
  "dialled_by_colleague",
  /** The lead was called within the last hour, by anyone and by any means, and no retry rule applies to the outcome. */
  "tried_recently",
  /** A person planned a follow-up for a later time. */
  "promised",
  /** By the retry rules: the next attempt is later, after a rest, or a person has to decide. */
  "retry_waiting",
  "retry_resting",
  "retry_asks",
] as const;
export type DialerSkipReason = (typeof dialerSkipReasons)[number];

export const dialerItemStates = ["waiting", "in_hand", "done", "skipped", "failed"] as const;

/**
 * `createdAt`: leads without an attempt first, newest first as recorded, then the others by the time of their next attempt under the retry
 * rules. `smart`: follow-up due, then new, then fewest attempts, then oldest attempt and contact.
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
 * Which of the consultant's leads a session calls. 'all' excludes clients and leads who are not interested. `today` is the Today list in
 * its order, including leads that become due later.
 */
export const dialerSourceSchema = sourceOf(idSchema);
export type DialerSource = z.infer<typeof dialerSourceSchema>;

/** A lead in one of the dialer's lists. */
export const dialerPreviewLeadSchema = z.object({
  leadId: z.number(),
  name: z.string(),
  company: z.string().nullable(),
  /** When it may be dialed; null if waiting does not help. */
  allowedAt: z.string().nullable(),
  ...lastAttemptFields,
});

/** Leads that are not dialed, and why. */
const skippedGroupSchema = z.object({
  reason: z.enum(dialerSkipReasons),
  count: z.number(),
  leads: z.array(dialerPreviewLeadSchema),
});

/** A lead who called while the consultant was on an open line. */
const dialerCallerSchema = z.object({
  leadId: z.number(),
  name: z.string(),
  calledAt: z.string(),
  /** State of the call: it rings another of our phones, is at the voicemail, left a message there, or ended without one. */
  state: z.enum(["ringing", "at_voicemail", "left_message", "missed"]),
  /** Whether this lead is the next one of the session. */
  isNext: z.boolean(),
});
export type DialerCaller = z.infer<typeof dialerCallerSchema>;

/** A dialer session as its consultant sees it. Timestamps are ISO strings. */
export const dialerSessionSchema = z.object({
  id: z.number(),
  status: z.enum(dialerStatuses),
  phase: z.enum(dialerPhases),
  step: z.enum(dialerSteps),
  /** Index of the current lead, from 0; equal to `total` once all leads are worked. */
  position: z.number(),
  total: z.number(),
  order: z.enum(dialerOrders),
  source: sourceOf(z.number()),
  delaySeconds: z.number(),
  /** Chosen when the session was started. */
  lineMode: z.enum(lineModes),
  /** What is announced before each lead in `open_line` mode. */
  brief: z.enum(lineBriefs),
  /** Leaves the consultant's recorded message automatically when a voicemail answers. */
  leaveMessage: z.boolean(),
  /** The session's newest open line, even if it has ended; null in `each_call` mode. */
  line: lineSchema.nullable(),
  /** If false ('auto dial' setting off), every call waits for "Call now". */
  autoDial: z.boolean(),
  pauseReason: z.enum(dialerPauseReasons).nullable(),
  /** When the current lead is dialed, during the countdown. */
  dueAt: z.string().nullable(),
  /** The lead was due before but their phone never rang, so it is tried again. */
  again: z.boolean(),
  /** Set while the consultant is typing: the countdown is held until then. */
  typingUntil: z.string().nullable(),
  /** The lead at `position`; null once all leads are worked. */
  lead: leadSchema.nullable(),
  /**
   * The consultant's leads who called during the open line and have not been spoken with since: each lead's newest call, in order of the
   * calls.
   */
  callers: z.array(dialerCallerSchema),
  /** Leads skipped directly before the current one, except those the consultant skipped. Each group lists the first 200. */
  passedOver: z.array(skippedGroupSchema),
  /** The consultant skipped the lead of the current call, which is being ended. */
  skipping: z.boolean(),
  /** The current call: live, or ended and waiting for its outcome. */
  call: callSchema.nullable(),
  /** The outcome reported by the provider, preselected in the wrap-up. */
  suggestedOutcome: z.enum(callOutcomes).nullable(),
  counts: z.object({
    dialled: z.number(),
    reached: z.number(),
    skipped: z.number(),
    failed: z.number(),
  }),
  /** The last lead that could not be called, shown in a toast. */
  lastFailure: z
    .object({ position: z.number(), leadName: z.string(), message: z.string().nullable(), at: z.string() })
    .nullable(),
  /** In the response to a wrap-up: the lead is now assigned to somebody else, and the follow-up was added to its timeline as a proposal. */
  followUpProposed: z.boolean(),
  /** In the response to a wrap-up: the outcome given earlier, which was kept. */
  outcomeKept: z.enum(loggedOutcomes).nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  /** The consultant closed the summary of the ended session. */
  closed: z.boolean(),
  /** Increases with every change; a response with a smaller version is older. */
  version: z.number(),
  /** The server's current time. */
  now: z.string(),
});
export type DialerSession = z.infer<typeof dialerSessionSchema>;

/** What Start would do, by the contact policy's decisions at this moment. */
export const dialerPreviewSchema = z.object({
  total: z.number(),
  /** Number of leads that may be dialed now. */
  now: z.number(),
  /** The first of them, in order. */
  nowLeads: z.array(dialerPreviewLeadSchema),
  groups: z.array(
    z.object({
      reason: z.enum(dialerSkipReasons),
      count: z.number(),
      /** Earliest instant at which one of them may be dialed; null if waiting does not help. */
      allowedAt: z.string().nullable(),
      /** IANA time zone of that lead; null if `allowedAt` is null. */
      timeZone: z.string().nullable(),
      /** The first 200, in order. */
      leads: z.array(dialerPreviewLeadSchema),
    }),
  ),
});
export type DialerPreview = z.infer<typeof dialerPreviewSchema>;

/** Results of a session, computed from its leads and calls. Durations in seconds. */
export const dialerSummarySchema = z.object({
  sessionId: z.number(),
  status: z.enum(dialerStatuses),
  total: z.number(),
  /** Leads whose phone rang. */
  dialled: z.number(),
  /** Answered or voicemail, by the consultant's outcome if given. */
  reached: z.number(),
  talkSeconds: z.number(),
  /** Seconds from the first ring to the end. */
  elapsedSeconds: z.number(),
  /** Leads dialed per hour of `elapsedSeconds`; null in the first 10 minutes, which are too short to be representative. */
  callsPerHour: z.number().nullable(),
  /** Outcomes of the dialed leads, and of leads whose call could not be connected. */
  outcomes: z.array(z.object({ outcome: z.string(), count: z.number() })),
  skipped: z.array(skippedGroupSchema),
  failed: z.array(z.object({ leadId: z.number(), name: z.string(), result: z.enum(callResults).nullable() })),
  /** Leads left when the session was stopped. */
  remaining: z.number(),
});
export type DialerSummary = z.infer<typeof dialerSummarySchema>;
