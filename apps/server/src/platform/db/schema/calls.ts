import {
  callDirections,
  callResults,
  callStates,
  loggedOutcomes,
  noTranscriptionReasons,
} from "@portal/contract/entities/call";
import { lineEndReasons, lineStates } from "@portal/contract/entities/line";
import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  serial,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { leads } from "./leads.ts";
import { voicemailMessages } from "./people.ts";
import { users } from "./users.ts";

/**
 * The last instruction to an open line: ask for 1, wait for the session or the outcome (`countdown` while a request is held, `keys` while
 * keys are collected), speak the brief, dial a lead, or request new instructions after an update of the live call.
 */
const lineSteps = ["ask", "waiting", "wrap_up", "countdown", "keys", "brief", "dial", "waking"] as const;

/** Open lines: a consultant's own leg, to which lead after lead is joined. */
export const lines = pgTable(
  "lines",
  {
    id: serial("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id),
    state: text("state", { enum: lineStates }).notNull().default("requested"),
    endReason: text("end_reason", { enum: lineEndReasons }),
    failure: text("failure"),
    repNumber: text("rep_number").notNull(),
    repLine: text("rep_line", { enum: ["personal", "office"] }).notNull(),
    /** The provider's id of the consultant's leg. */
    callSid: text("call_sid").unique(),
    /** The last instruction to the line, and for which position of the session; compared with the next instruction. */
    step: text("step", { enum: lineSteps }).notNull().default("ask"),
    stepPosition: integer("step_position"),
    /** Position in the session of the lead whose brief was spoken. */
    briefedPosition: integer("briefed_position"),
    /** The current call, or the last one. */
    callId: integer("call_id").references((): AnyPgColumn => calls.id),
    startedAt: instant("started_at").notNull().defaultNow(),
    /** When the provider was asked to ring; null while the row waits. */
    askedAt: instant("asked_at"),
    /** When 1 was pressed. */
    connectedAt: instant("connected_at"),
    /** When the end was requested. */
    endRequestedAt: instant("end_requested_at"),
    endedAt: instant("ended_at"),
    /** Time of the last lead, key or command; a line without any ends by itself. */
    lastWorkAt: instant("last_work_at").notNull().defaultNow(),
    /** Time of the provider's last request or callback; the provider is asked about a live line without any. */
    lastEventAt: instant("last_event_at").notNull().defaultNow(),
    checkedAt: instant("checked_at"),
    version: integer("version").notNull().default(1),
  },
  (t) => [
    uniqueIndex("lines_live_user_key").on(t.userId).where(sql`${t.state} <> 'ended'`),
    index("lines_live_idx").on(t.lastEventAt).where(sql`${t.state} <> 'ended'`),
  ],
);

/**
 * Calls through the provider. The columns from `repLeg` to `dialBridged` are facts reported by the provider; each only moves forward, and
 * `state`, `result` and `durationSeconds` are derived from them, so that the order of events does not matter.
 */
export const calls = pgTable(
  "calls",
  {
    id: serial("id").primaryKey(),
    leadId: integer("lead_id")
      .notNull()
      .references(() => leads.id),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id),
    repNumber: text("rep_number").notNull(),
    repLine: text("rep_line", { enum: ["personal", "office"] }).notNull(),
    leadNumber: text("lead_number").notNull(),
    pressOne: boolean("press_one").notNull(),
    /** The opt-out that an administrator overrode for this call; a later one still stops the call. */
    overriddenOptOut: text("overridden_opt_out"),
    /** An administrator called although the contact policy refused. */
    overridden: boolean("overridden").notNull().default(false),
    state: text("state", { enum: callStates }).notNull().default("requested"),
    result: text("result", { enum: callResults }),
    durationSeconds: integer("duration_seconds"),
    /** Status of the rep's leg and of the lead's leg, as the provider names it. */
    repLeg: text("rep_leg"),
    leadLeg: text("lead_leg"),
    pressed: boolean("pressed").notNull().default(false),
    dialStatus: text("dial_status"),
    dialBridged: boolean("dial_bridged"),
    dialDurationSeconds: integer("dial_duration_seconds"),
    leadLegDurationSeconds: integer("lead_leg_duration_seconds"),
    answeredBy: text("answered_by"),
    /** SIP response code of the lead's leg. */
    leadSipCode: integer("lead_sip_code"),
    /** The number that both phones show, E.164; null for calls from before it was stored. */
    callerNumber: text("caller_number"),
    /** The consultant's open line to which the lead is joined. */
    lineId: integer("line_id").references((): AnyPgColumn => lines.id),
    /** The lead answered after the consultant's leg had ended: nobody spoke with them. */
    leadAlone: boolean("lead_alone").notNull().default(false),
    /** The provider's id of the rep's leg; for a call on an open line that of the lead's leg, because the line is the rep's leg. */
    callSid: text("call_sid").unique(),
    leadCallSid: text("lead_call_sid"),
    failure: text("failure"),
    /** The consultant's recorded message is left automatically if a voicemail answers. */
    leaveMessage: boolean("leave_message").notNull().default(false),
    /** The message that was to be left at the lead's voicemail; its name is kept when it is deleted. */
    messageId: integer("message_id").references(() => voicemailMessages.id, { onDelete: "set null" }),
    messageName: text("message_name"),
    /** When it was requested, when the provider reported that it was played completely, and when it ended in either case. */
    messageAskedAt: instant("message_asked_at"),
    messagePlayedAt: instant("message_played_at"),
    messageEndedAt: instant("message_ended_at"),
    endRequestedAt: instant("end_requested_at"),
    requestedAt: instant("requested_at").notNull().defaultNow(),
    /** When the account's rate limit allows the call to be dialed. */
    dialsAt: instant("dials_at"),
    /** When the provider was asked; null while the row waits. */
    askedAt: instant("asked_at"),
    leadRingingAt: instant("lead_ringing_at"),
    answeredAt: instant("answered_at"),
    endedAt: instant("ended_at"),
    /** Time of the provider's last event; the provider is asked about a live call without events. */
    lastEventAt: instant("last_event_at").notNull().defaultNow(),
    /** When a worker last claimed the call to ask the provider about it. */
    checkedAt: instant("checked_at"),
    /** Ended, and nothing more can be learnt from the provider. */
    settled: boolean("settled").notNull().default(false),
    /** How often the provider was asked for a recording whose callback never came, and when last. */
    recordingTries: integer("recording_tries").notNull().default(0),
    recordingAskedAt: instant("recording_asked_at"),
  },
  (t) => [
    index("calls_open_idx").on(t.lastEventAt).where(sql`not ${t.settled}`),
    uniqueIndex("calls_live_user_key").on(t.userId).where(sql`${t.state} <> 'ended'`),
    uniqueIndex("calls_live_lead_key").on(t.leadId).where(sql`${t.state} <> 'ended'`),
    // Leads of one household share a number, which is rung for one of them at a time.
    uniqueIndex("calls_live_number_key").on(t.leadNumber).where(sql`${t.state} <> 'ended'`),
    index("calls_lead_idx").on(t.leadId, t.requestedAt.desc()),
    index("calls_number_idx")
      .on(t.leadNumber, t.requestedAt.desc())
      .where(sql`${t.leadRingingAt} is not null`),
    index("calls_user_idx").on(t.userId, t.requestedAt.desc()),
    index("calls_line_idx").on(t.lineId, t.id.desc()).where(sql`${t.lineId} is not null`),
    index("calls_ended_idx").on(t.endedAt).where(sql`${t.state} = 'ended'`),
    index("calls_message_idx")
      .on(t.messageAskedAt)
      .where(sql`${t.messageAskedAt} is not null and ${t.messageEndedAt} is null`),
  ],
);

/** Calls to the shared number. They ring the lead's consultant, then the office line, and end at the voicemail. */
export const inboundCalls = pgTable(
  "inbound_calls",
  {
    id: serial("id").primaryKey(),
    callSid: text("call_sid").notNull().unique(),
    fromNumber: text("from_number").notNull(),
    /** The lead with the caller's number; null for an unknown caller. */
    leadId: integer("lead_id").references(() => leads.id),
    /** The lead's owner, who is rung first if reachable, and notified. */
    ownerId: integer("owner_id").references(() => users.id),
    /** Whose own phone was rung: the owner's or their stand-in's; null if none was. */
    rungUserId: integer("rung_user_id").references(() => users.id),
    /** Who pressed 1. */
    takenBy: integer("taken_by").references(() => users.id),
    stage: text("stage", {
      enum: ["ringing_rep", "ringing_office", "talking", "voicemail", "ended"],
    }).notNull(),
    result: text("result", { enum: ["answered", "voicemail", "missed"] }),
    durationSeconds: integer("duration_seconds"),
    transcription: text("transcription"),
    /** Why the voicemail of this call is not transcribed; null if it was requested. */
    noTranscription: text("no_transcription", { enum: noTranscriptionReasons }),
    /** Facts about the call, from which stage, result and duration are derived, so that the order of events does not matter. */
    facts: jsonb("facts").$type<Record<string, unknown>>().notNull().default({}),
    recordingTries: integer("recording_tries").notNull().default(0),
    recordingAskedAt: instant("recording_asked_at"),
    startedAt: instant("started_at").notNull().defaultNow(),
    answeredAt: instant("answered_at"),
    endedAt: instant("ended_at"),
    /** When somebody called back or removed the missed call from the list; `settledBy` is set for the latter. */
    settledAt: instant("settled_at"),
    settledBy: integer("settled_by").references(() => users.id),
    lastEventAt: instant("last_event_at").notNull().defaultNow(),
  },
  (t) => [
    index("inbound_calls_lead_idx").on(t.leadId, t.startedAt.desc()),
    index("inbound_calls_ended_idx").on(t.endedAt),
    index("inbound_calls_live_idx").on(t.ownerId).where(sql`${t.stage} <> 'ended'`),
    index("inbound_calls_waiting_idx")
      .on(t.startedAt.desc())
      .where(sql`${t.settledAt} is null and ${t.result} in ('missed', 'voicemail')`),
    index("inbound_calls_stranger_idx").on(t.fromNumber).where(sql`${t.leadId} is null`),
  ],
);

/** Recordings of the telephony provider, which stores the audio. */
export const recordings = pgTable(
  "recordings",
  {
    id: serial("id").primaryKey(),
    recordingSid: text("recording_sid").notNull().unique(),
    /** The rep's leg for outbound calls, the caller's for inbound ones. */
    callSid: text("call_sid").notNull(),
    callId: integer("call_id").references(() => calls.id),
    inboundCallId: integer("inbound_call_id").references(() => inboundCalls.id),
    leadId: integer("lead_id").references(() => leads.id),
    /** The consultant on the call; null for voicemails and if unknown. */
    userId: integer("user_id").references(() => users.id),
    kind: text("kind", { enum: ["call", "voicemail"] })
      .notNull()
      .default("call"),
    status: text("status").notNull(),
    durationSeconds: integer("duration_seconds"),
    startedAt: instant("started_at"),
    /** When a recording of no known call was last looked up at the provider, and how often. */
    matchTries: integer("match_tries").notNull().default(0),
    matchedAt: instant("matched_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (t) => [
    index("recordings_call_idx").on(t.callSid),
    index("recordings_lead_idx").on(t.leadId, t.createdAt.desc(), t.id.desc()),
    index("recordings_user_idx").on(t.userId, t.createdAt.desc(), t.id.desc()),
    index("recordings_unmatched_idx")
      .on(t.createdAt)
      .where(sql`${t.callId} is null and ${t.inboundCallId} is null`),
    index("recordings_created_idx").on(t.createdAt.desc(), t.id.desc()),
    index("recordings_stranger_idx")
      .on(t.createdAt.desc(), t.id.desc())
      .where(sql`${t.leadId} is null and ${t.inboundCallId} is not null`),
  ],
);

/** Logged calls, created from the provider's events or by the rep. */
export const callLogs = pgTable(
  "call_logs",
  {
    id: serial("id").primaryKey(),
    /** Null for a caller whose number belongs to no lead. */
    leadId: integer("lead_id").references(() => leads.id),
    userId: integer("user_id").references(() => users.id),
    callId: integer("call_id")
      .unique()
      .references(() => calls.id),
    outcome: text("outcome", { enum: loggedOutcomes }),
    /** False while the outcome is only suggested by the provider. */
    confirmed: boolean("confirmed").notNull(),
    confirmedAt: instant("confirmed_at"),
    direction: text("direction", { enum: callDirections }).notNull().default("outbound"),
    inboundCallId: integer("inbound_call_id")
      .unique()
      .references(() => inboundCalls.id),
    callType: text("call_type").notNull(),
    callDate: instant("call_date").notNull().defaultNow(),
    /** Seconds of talk as reported by the provider; 0 until then. */
    durationSeconds: integer("duration_seconds").notNull(),
    /** Seconds reported by the rep if the provider reported none; not part of any talk time. */
    reportedSeconds: integer("reported_seconds"),
    notes: text("notes"),
    /** Folded notes, for searching the history. */
    search: text("search").notNull().default(""),
    callSid: text("call_sid"),
    /** The browser's own id of the request, so that a repeated request creates one log. */
    clientRef: uuid("client_ref").unique(),
  },
  (t) => [
    index("call_logs_lead_idx").on(t.leadId, t.callDate.desc(), t.id.desc()),
    index("call_logs_user_idx").on(t.userId, t.callDate.desc(), t.id.desc()),
    index("call_logs_date_idx").on(t.callDate.desc(), t.id.desc()),
    index("call_logs_stranger_idx").on(t.callDate.desc(), t.id.desc()).where(sql`${t.leadId} is null`),
    index("call_logs_outcome_idx").on(t.outcome, t.callDate.desc(), t.id.desc()),
    index("call_logs_unconfirmed_idx").on(t.userId, t.callDate.desc()).where(sql`not ${t.confirmed}`),
    index("call_logs_sid_idx").on(t.callSid),
    // A consultant's report with a sid that no call of theirs with that lead has; repeating it is the same report.
    uniqueIndex("call_logs_report_key")
      .on(t.callSid, t.userId, t.leadId)
      .where(sql`${t.callSid} is not null and ${t.callId} is null and ${t.inboundCallId} is null`),
    index("call_logs_search_idx").using("gin", sql`${t.search} gin_trgm_ops`),
  ],
);

/** Events as sent by providers: stored first, processed once afterwards. */
export const providerEvents = pgTable(
  "provider_events",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    source: text("source").notNull(),
    /** Unique key of the event at its source. */
    eventKey: text("event_key").notNull(),
    kind: text("kind").notNull(),
    payload: jsonb("payload").$type<Record<string, unknown>>().notNull(),
    receivedAt: instant("received_at").notNull().defaultNow(),
    processedAt: instant("processed_at"),
    attempts: integer("attempts").notNull().default(0),
    error: text("error"),
  },
  (t) => [
    uniqueIndex("provider_events_key").on(t.source, t.eventKey),
    index("provider_events_open_idx").on(t.source, t.receivedAt, t.id).where(sql`${t.processedAt} is null`),
    index("provider_events_crm_idx").on(t.receivedAt).where(sql`${t.source} = 'gohighlevel'`),
    index("provider_events_app_idx").on(t.receivedAt).where(sql`${t.kind} in ('INSTALL', 'UNINSTALL')`),
    index("provider_events_deliveries_idx").on(t.kind, t.id.desc()).where(sql`${t.source} = 'lead-webhook'`),
  ],
);

/** Own numbers with too many calls in a row that could not be connected; `raisedAt` is the end of the last counted call. */
export const callAlarms = pgTable("call_alarms", {
  callerNumber: text("caller_number").primaryKey(),
  raisedAt: instant("raised_at").notNull(),
});

/** The next free time of a rate-limited resource, shared by all processes (for example calls per second at the provider). */
export const pacing = pgTable("pacing", {
  name: text("name").primaryKey(),
  nextAt: instant("next_at").notNull(),
});
