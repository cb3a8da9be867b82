import { loggedOutcomes } from "@portal/contract/entities/call";
import { crmSyncStates, leadStatuses, priorities } from "@portal/contract/entities/lead";
import { languages } from "@portal/contract/entities/user";
import { sql } from "drizzle-orm";
import {
  bigint,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  serial,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { users } from "./users.ts";

/** Outcomes that say that the lead is not reached by this number. */
export const numberFaults = ["wrong_number", "disconnected"] as const;

export const leads = pgTable(
  "leads",
  {
    id: serial("id").primaryKey(),
    name: text("name").notNull(),
    firstName: text("first_name"),
    lastName: text("last_name"),
    email: text("email"),
    phone: text("phone"),
    /** What calls, texts and imports match by. */
    phoneE164: text("phone_e164"),
    company: text("company"),
    industry: text("industry"),
    status: text("status", { enum: leadStatuses }).notNull().default("new"),
    leadSource: text("lead_source"),
    priority: text("priority", { enum: priorities }).notNull().default("medium"),
    notes: text("notes"),
    dealValue: numeric("deal_value", { precision: 14, scale: 2, mode: "number" }),
    nextFollowUpDate: instant("next_follow_up_date"),
    /** Its time, 'HH:MM' on the clocks of an IANA zone, and the instant of date, time and zone; all null where it has none. */
    nextFollowUpTime: text("next_follow_up_time"),
    nextFollowUpZone: text("next_follow_up_zone"),
    nextFollowUpAt: instant("next_follow_up_at"),
    lastContactedAt: instant("last_contacted_at"),
    /** When the last call or text of the lead began, either way. Kept by triggers, as the number of texts that nobody has read. */
    lastActivityAt: instant("last_activity_at"),
    unreadTexts: integer("unread_messages").notNull().default(0),
    /** Logged outbound calls, the first and the newest of them. Kept by triggers. */
    attempts: integer("attempts").notNull().default(0),
    firstAttemptAt: instant("first_attempt_at"),
    lastAttemptAt: instant("last_attempt_at"),
    lastAttemptOutcome: text("last_attempt_outcome", { enum: loggedOutcomes }),
    /** Somebody decided about the next try: calls before this instant count no more by the retry rules, and none is due before it. */
    retryFrom: instant("retry_from"),
    assignedTo: integer("assigned_to").references(() => users.id),
    assignedAt: instant("assigned_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
    convertedAt: instant("converted_at"),
    /** Why calls or texts are refused for good: 'stop' or 'dnd'; null when allowed. */
    callOptOut: text("call_opt_out"),
    textOptOut: text("text_opt_out"),
    /** Zone of the number's area, IANA, several joined with '&'; null where it is not known. Written with the phone. */
    timeZone: text("time_zone"),
    /** Language to speak to the lead in, confirmed by a person; null means the organisation's. */
    language: text("language", { enum: languages }),
    /** What the lead's own texts look like; it never decides what is said at a call. */
    languageGuess: text("language_guess", { enum: languages }),
    /** When and where the lead agreed to be contacted; some markets ask for it. */
    consentAt: instant("consent_at"),
    consentSource: text("consent_source"),
    /** What an outcome said of the number, until it changes. Beside the opt-outs, so that lifting one never hides the other. */
    numberFault: text("number_fault", { enum: numberFaults }),
    ghlContactId: text("ghl_contact_id"),
    /** When the CRM last changed the contact, by its own clock. */
    crmUpdatedAt: instant("crm_updated_at"),
    crmDeletedAt: instant("crm_deleted_at"),
    /** Proves that a contact says nothing new to the lead as it was: a hash of both (features/leads/ingest/repository). Never has to be emptied. */
    crmHash: bigint("crm_hash", { mode: "number" }),
    /** The CRM's note that holds the lead's notes, updated in place. */
    crmNoteId: text("crm_note_id"),
    crmSync: text("crm_sync", { enum: crmSyncStates }).notNull().default("none"),
    /** The CRM message that holds the AI agent's call. */
    aiRecordingMessageId: text("ai_recording_message_id"),
    /** When that call was; a later one takes its place. */
    aiRecordingAt: instant("ai_recording_at"),
    /** Its length, where the CRM says so. */
    aiRecordingSeconds: integer("ai_recording_seconds"),
    /** Fields that came with the lead and have no column here. */
    extra: jsonb("extra").$type<Record<string, unknown>>(),
    /** Folded text of name, e-mail, phone and company: lower case, no accents, digits of the phone. */
    search: text("search").notNull().default(""),
  },
  (t) => [
    uniqueIndex("leads_ghl_contact_key").on(t.ghlContactId).where(sql`${t.ghlContactId} is not null`),
    uniqueIndex("leads_email_key")
      .on(sql`lower(${t.email})`)
      .where(sql`${t.email} is not null and ${t.ghlContactId} is null`),
    index("leads_email_idx").on(sql`lower(${t.email})`),
    index("leads_phone_idx").on(t.phoneE164),
    // Few numbers are dead, and each card asks whether its own is.
    index("leads_dead_number_idx").on(t.phoneE164).where(sql`${t.numberFault} = 'disconnected'`),
    index("leads_owner_idx").on(t.assignedTo, t.createdAt.desc(), t.id.desc()),
    index("leads_state_idx").on(t.status, t.priority, t.createdAt.desc(), t.id.desc()),
    index("leads_created_idx").on(t.createdAt.desc(), t.id.desc()),
    index("leads_follow_up_idx")
      .on(t.assignedTo, t.nextFollowUpDate)
      .where(sql`${t.nextFollowUpDate} is not null`),
    index("leads_follow_up_at_idx")
      .on(t.assignedTo, t.nextFollowUpAt)
      .where(sql`${t.nextFollowUpAt} is not null`),
    // Leads of a consultant by their last try, of which some are due again (Today).
    index("leads_tried_idx")
      .on(t.assignedTo, t.lastAttemptAt.desc())
      .where(sql`${t.attempts} > 0 and ${t.status} not in ('converted', 'not_interested')`),
    // What the panel counts of the leads that somebody has and nobody has called.
    index("leads_uncalled_idx")
      .on(t.assignedTo, t.assignedAt, t.nextFollowUpDate)
      .where(sql`${t.attempts} = 0 and ${t.status} <> 'converted' and ${t.assignedTo} is not null`),
    index("leads_contacted_idx")
      .on(t.assignedTo, t.lastContactedAt)
      .where(sql`${t.lastContactedAt} is not null`),
    // All Leads by name (a name that came in may be longer than an index takes), those without a consultant, and the reports of conversions.
    index("leads_name_idx").on(sql`lower(left(${t.name}, 200))`, t.id),
    index("leads_unassigned_idx").on(t.createdAt.desc(), t.id.desc()).where(sql`${t.assignedTo} is null`),
    index("leads_converted_idx").on(t.convertedAt.desc()).where(sql`${t.convertedAt} is not null`),
    // Everyone's leads by the work on them: in the order of a list, or few enough to be looked for.
    index("leads_attempt_idx").on(sql`coalesce(${t.lastAttemptAt}, '-infinity'::timestamptz)`, t.id),
    index("leads_attempts_idx").on(t.attempts, t.createdAt.desc(), t.id.desc()),
    index("leads_most_called_idx")
      .on(t.attempts.desc(), t.lastAttemptAt.desc(), t.id.desc())
      .where(sql`${t.attempts} > 0`),
    index("leads_due_idx").on(sql`coalesce(${t.nextFollowUpDate}, 'infinity'::timestamptz)`, t.id),
    index("leads_last_contact_idx").on(t.lastContactedAt).where(sql`${t.lastContactedAt} is not null`),
    index("leads_unread_idx").on(t.createdAt.desc(), t.id.desc()).where(sql`${t.unreadTexts} > 0`),
    // The clocks on which leads live.
    index("leads_zone_idx").on(sql`coalesce(${t.timeZone}, ${t.extra} ->> 'timeZone')`),
    // Leads that may be one, by name and company (`namesakeSql`); by number and address their own indexes.
    index("leads_namesake_idx")
      .on(
        sql`translate(lower(left(${t.name}, 200) || ' · ' || left(${t.company}, 200)), 'áàâãäéèêëíìîïóòôõöúùûüñç', 'aaaaaeeeeiiiiooooouuuunc')`,
      )
      .where(sql`${t.company} is not null`),
    index("leads_search_idx").using("gin", sql`${t.search} gin_trgm_ops`),
    index("leads_notes_idx").using("gin", sql`${t.notes} gin_trgm_ops`).where(sql`${t.notes} is not null`),
  ],
);

/** A lead that became a client: one a lead. */
export const clients = pgTable(
  "clients",
  {
    id: serial("id").primaryKey(),
    leadId: integer("lead_id")
      .notNull()
      .references(() => leads.id),
    convertedBy: integer("converted_by")
      .notNull()
      .references(() => users.id),
    convertedAt: instant("converted_at").notNull().defaultNow(),
    conversionValue: numeric("conversion_value", { precision: 14, scale: 2, mode: "number" })
      .notNull()
      .default(0),
    notes: text("notes"),
  },
  (t) => [
    uniqueIndex("clients_lead_key").on(t.leadId),
    index("clients_converted_idx").on(t.convertedAt.desc()),
  ],
);

/** The timeline: what happened to a lead, written in the transaction of the change itself. */
export const leadEvents = pgTable(
  "lead_events",
  {
    id: serial("id").primaryKey(),
    leadId: integer("lead_id")
      .notNull()
      .references(() => leads.id),
    /** Who did it; null for the CRM, a provider or the system. */
    userId: integer("user_id").references(() => users.id),
    kind: text("kind").notNull(),
    /** Facts of the event: before and after, call id, amounts. */
    data: jsonb("data").$type<Record<string, unknown>>().notNull().default({}),
    at: instant("at").notNull().defaultNow(),
  },
  (t) => [index("lead_events_lead_idx").on(t.leadId, t.at.desc(), t.id.desc())],
);

/** The audit: who did what that matters for security or accountability. */
export const auditLog = pgTable(
  "audit_log",
  {
    id: serial("id").primaryKey(),
    userId: integer("user_id").references(() => users.id),
    action: text("action").notNull(),
    subject: text("subject"),
    data: jsonb("data").$type<Record<string, unknown>>().notNull().default({}),
    at: instant("at").notNull().defaultNow(),
  },
  (t) => [
    index("audit_log_at_idx").on(t.at.desc(), t.id.desc()),
    index("audit_log_user_idx").on(t.userId, t.at.desc(), t.id.desc()),
    index("audit_log_action_idx").on(t.action, t.at.desc(), t.id.desc()),
    // By bytes, so that a kind of subjects is a range of it.
    index("audit_log_subject_idx").on(sql`${t.subject} collate "C"`).where(sql`${t.subject} is not null`),
  ],
);
