import {
  type DialerSource,
  dialerItemStates,
  dialerOrders,
  dialerPauseReasons,
  dialerPhases,
  dialerSkipReasons,
  dialerStatuses,
} from "@portal/contract/entities/dialer";
import { lineBriefs, lineModes } from "@portal/contract/entities/line";
import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { calls, lines } from "./calls.ts";
import { leads } from "./leads.ts";
import { users } from "./users.ts";

/** Dialer sessions. The columns from `status` to `delaySeconds` are the state of the contract's dialer machine. */
export const dialerSessions = pgTable(
  "dialer_sessions",
  {
    id: serial("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id),
    status: text("status", { enum: dialerStatuses }).notNull(),
    phase: text("phase", { enum: dialerPhases }).notNull(),
    position: integer("position").notNull().default(0),
    total: integer("total").notNull(),
    callId: integer("call_id").references(() => calls.id),
    repMisses: integer("rep_misses").notNull().default(0),
    failures: integer("failures").notNull().default(0),
    pauseReason: text("pause_reason", { enum: dialerPauseReasons }),
    dueAt: instant("due_at"),
    typingUntil: instant("typing_until"),
    skipping: boolean("skipping").notNull().default(false),
    delaySeconds: integer("delay_seconds").notNull(),
    order: text("order", { enum: dialerOrders }).notNull(),
    /** Leads whose next try was later at the start are included on request. */
    includeTried: boolean("include_tried").notNull().default(false),
    lineMode: text("line_mode", { enum: lineModes }).notNull().default("each_call"),
    brief: text("brief", { enum: lineBriefs }).notNull().default("short"),
    /** The consultant's recorded message is left automatically if a voicemail answers. */
    leaveMessage: boolean("leave_message").notNull().default(false),
    /** The newest open line of the session. */
    lineId: integer("line_id").references(() => lines.id),
    source: jsonb("source").$type<DialerSource>().notNull(),
    /** When a process started to dial the current lead, in `checking`; a process that died is recognised by the age. */
    checkingAt: instant("checking_at"),
    /** When a browser of the consultant was last connected. */
    watchedAt: instant("watched_at").notNull().defaultNow(),
    startedAt: instant("started_at").notNull().defaultNow(),
    endedAt: instant("ended_at"),
    /** When the consultant closed the summary. */
    closedAt: instant("closed_at"),
    version: integer("version").notNull().default(1),
  },
  (t) => [
    uniqueIndex("dialer_sessions_live_key").on(t.userId).where(sql`${t.status} in ('active', 'paused')`),
    index("dialer_sessions_user_idx").on(t.userId, t.startedAt.desc()),
    index("dialer_sessions_due_idx").on(t.dueAt).where(sql`${t.status} = 'active'`),
    index("dialer_sessions_line_idx").on(t.lineId).where(sql`${t.lineId} is not null`),
    index("dialer_sessions_call_idx").on(t.callId).where(sql`${t.callId} is not null`),
  ],
);

/** The leads of a session, in order. */
export const dialerItems = pgTable(
  "dialer_items",
  {
    sessionId: integer("session_id")
      .notNull()
      .references(() => dialerSessions.id),
    position: integer("position").notNull(),
    leadId: integer("lead_id")
      .notNull()
      .references(() => leads.id),
    state: text("state", { enum: dialerItemStates }).notNull().default("waiting"),
    reason: text("reason", { enum: dialerSkipReasons }),
    /** The newest call for this lead in this session. */
    callId: integer("call_id").references(() => calls.id),
    /** When the lead's call was requested. */
    dialledAt: instant("dialled_at"),
    settledAt: instant("settled_at"),
    /** Since when this consultant holds the lease of the lead: from the request of its call to its outcome. */
    leasedAt: instant("leased_at"),
    /** A merge moved the item to its lead, which may have another item in the session. */
    merged: boolean("merged").notNull().default(false),
    /** When a session of Today listed the lead after its start; null for leads of the initial list. */
    listedAt: instant("listed_at"),
    /** When the consultant chose to call this lead back next, because the lead had called meanwhile. */
    takenAt: instant("taken_at"),
  },
  (t) => [
    primaryKey({ columns: [t.sessionId, t.position] }),
    uniqueIndex("dialer_items_lead_key")
      .on(t.sessionId, t.leadId)
      .where(sql`not ${t.merged} and ${t.listedAt} is null`),
    uniqueIndex("dialer_items_lease_key").on(t.leadId).where(sql`${t.leasedAt} is not null`),
    index("dialer_items_dialled_idx").on(t.leadId, t.dialledAt.desc()).where(sql`${t.dialledAt} is not null`),
  ],
);

/** Every step of a session. */
export const dialerSteps = pgTable(
  "dialer_steps",
  {
    id: serial("id").primaryKey(),
    sessionId: integer("session_id")
      .notNull()
      .references(() => dialerSessions.id),
    position: integer("position").notNull(),
    /** The event of the machine, for example `resume`, `decision`. */
    kind: text("kind").notNull(),
    /** Facts of the event: reason, call id, outcome. */
    data: jsonb("data").$type<Record<string, unknown>>().notNull().default({}),
    at: instant("at").notNull().defaultNow(),
  },
  (t) => [index("dialer_steps_session_idx").on(t.sessionId, t.id)],
);
