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
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { users } from "./users.ts";

/** Outcomes which say that the lead cannot be reached by this number. */
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
    /** The number by which calls, SMS and imports are matched. */
    phoneE164: text("phone_e164"),
    company: text("company"),
    industry: text("industry"),
    status: text("status", { enum: leadStatuses }).notNull().default("new"),
    leadSource: text("lead_source"),
    priority: text("priority", { enum: priorities }).notNull().default("medium"),
    notes: text("notes"),
    dealValue: numeric("deal_value", { precision: 14, scale: 2, mode: "number" }),
    nextFollowUpDate: instant("next_follow_up_date"),
    /** Its time, 'HH:MM' on the clocks of an IANA zone, and the instant of date, time and zone; all null without a time. */
    nextFollowUpTime: text("next_follow_up_time"),
    nextFollowUpZone: text("next_follow_up_zone"),
    nextFollowUpAt: instant("next_follow_up_at"),
    lastContactedAt: instant("last_contacted_at"),
    /** Start of the lead's last call or SMS in either direction. Maintained by triggers, like the number of unread SMS. */
    lastActivityAt: instant("last_activity_at"),
    unreadTexts: integer("unread_messages").notNull().default(0),
    /** Number, first and newest time of logged outbound calls. Maintained by triggers. */
    attempts: integer("attempts").notNull().default(0),
    firstAttemptAt: instant("first_attempt_at"),
    lastAttemptAt: instant("last_attempt_at"),
    lastAttemptOutcome: text("last_attempt_outcome", { enum: loggedOutcomes }),
    /** Somebody decided about the next try: the retry rules ignore calls before this instant, and no try is due before it. */
    retryFrom: instant("retry_from"),
    assignedTo: integer("assigned_to").references(() => users.id),
    assignedAt: instant("assigned_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
    convertedAt: instant("converted_at"),
    /** Why calls or SMS are refused for good: 'stop' or 'dnd'; null if allowed. */
    callOptOut: text("call_opt_out"),
    textOptOut: text("text_opt_out"),
    /** Zone of the number's area, IANA, several joined with '&'; null if unknown. Written with the phone. */
    timeZone: text("time_zone"),
    /** The language in which to speak to the lead, confirmed by a person; null means the organization's. */
    language: text("language", { enum: languages }),
    /** Language guessed from the lead's own SMS; never used for what is said in a call. */
    languageGuess: text("language_guess", { enum: languages }),
    /** When and where the lead agreed to be contacted; some markets require it. */
    consentAt: instant("consent_at"),
    consentSource: text("consent_source"),
    /**
     * The fault of the number according to an outcome, until the number changes. Separate from the opt-outs, so that lifting one never
     * hides the other.
     */
    numberFault: text("number_fault", { enum: numberFaults }),
    ghlContactId: text("ghl_contact_id"),
    /** When the CRM last changed the contact, by the CRM's clock. */
    crmUpdatedAt: instant("crm_updated_at"),
    crmDeletedAt: instant("crm_deleted_at"),
    /**
     * A hash of contact and lead: a contact with the same hash changes nothing (features/leads/ingest/repository). Never needs to be reset.
     */
    crmHash: bigint("crm_hash", { mode: "number" }),
    /** Id of the CRM's note with the lead's notes, which is updated in place. */
    crmNoteId: text("crm_note_id"),
    crmSync: text("crm_sync", { enum: crmSyncStates }).notNull().default("none"),
    /** Id of the CRM message with the AI agent's call. */
    aiRecordingMessageId: text("ai_recording_message_id"),
    /** Time of that call; a later call replaces it. */
    aiRecordingAt: instant("ai_recording_at"),
    /** Its duration, if the CRM provides it. */
    aiRecordingSeconds: integer("ai_recording_seconds"),
    /** Fields that came with the lead and have no column here. */
    extra: jsonb("extra").$type<Record<string, unknown>>(),
    /** Folded text of name, email, phone and company: lower case, no accents, digits of the phone. */
    search: text("search").notNull().default(""),
  },
  (t) => [
    uniqueIndex("leads_ghl_contact_key").on(t.ghlContactId).where(sql`${t.ghlContactId} is not null`),
    uniqueIndex("leads_email_key")
      .on(sql`lower(${t.email})`)
      .where(sql`${t.email} is not null and ${t.ghlContactId} is null`),
    index("leads_email_idx").on(sql`lower(${t.email})`),
    index("leads_phone_idx").on(t.phoneE164),
    // Few numbers are disconnected, and each card checks its own.
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
    // Leads of a consultant by their last try, some of which are due again (Today).
    index("leads_tried_idx")
      .on(t.assignedTo, t.lastAttemptAt.desc())
      .where(sql`${t.attempts} > 0 and ${t.status} not in ('converted', 'not_interested')`),
    // Assigned leads that were never called, for the counts of the admin panel.
    index("leads_uncalled_idx")
      .on(t.assignedTo, t.assignedAt, t.nextFollowUpDate)
      .where(sql`${t.attempts} = 0 and ${t.status} <> 'converted' and ${t.assignedTo} is not null`),
    index("leads_contacted_idx")
      .on(t.assignedTo, t.lastContactedAt)
      .where(sql`${t.lastContactedAt} is not null`),
    // All Leads by name (an imported name may be longer than an index allows), those without a consultant, and the reports of conversions.
    index("leads_name_idx").on(sql`lower(left(${t.name}, 200))`, t.id),
    index("leads_unassigned_idx").on(t.createdAt.desc(), t.id.desc()).where(sql`${t.assignedTo} is null`),
    index("leads_converted_idx").on(t.convertedAt.desc()).where(sql`${t.convertedAt} is not null`),
    // Leads of all consultants by the work on them: in the order of a list, or as a filter with few results.
    index("leads_attempt_idx").on(sql`coalesce(${t.lastAttemptAt}, '-infinity'::timestamptz)`, t.id),
    index("leads_attempts_idx").on(t.attempts, t.createdAt.desc(), t.id.desc()),
    index("leads_most_called_idx")
      .on(t.attempts.desc(), t.lastAttemptAt.desc(), t.id.desc())
      .where(sql`${t.attempts} > 0`),
    index("leads_due_idx").on(sql`coalesce(${t.nextFollowUpDate}, 'infinity'::timestamptz)`, t.id),
    index("leads_last_contact_idx").on(t.lastContactedAt).where(sql`${t.lastContactedAt} is not null`),
    index("leads_unread_idx").on(t.createdAt.desc(), t.id.desc()).where(sql`${t.unreadTexts} > 0`),
    // The time zones of the leads.
    index("leads_zone_idx").on(sql`coalesce(${t.timeZone}, ${t.extra} ->> 'timeZone')`),
    // Possible duplicates by name and company (`namesakeSql`); numbers and addresses have their own indexes.
    index("leads_namesake_idx")
      .on(
        sql`translate(lower(left(${t.name}, 200) || ' · ' || left(${t.company}, 200)), 'áàâãäéèêëíìîïóòôõöúùûüñç', 'aaaaaeeeeiiiiooooouuuunc')`,
      )
      .where(sql`${t.company} is not null`),
    index("leads_search_idx").using("gin", sql`${t.search} gin_trgm_ops`),
    index("leads_notes_idx").using("gin", sql`${t.notes} gin_trgm_ops`).where(sql`${t.notes} is not null`),
  ],
);

/** Leads that became clients: one row for each lead. */
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

/** The timeline of a lead, written in the transaction of each change. */
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
    /** Data of the event: before and after, call id, amounts. */
    data: jsonb("data").$type<Record<string, unknown>>().notNull().default({}),
    at: instant("at").notNull().defaultNow(),
  },
  (t) => [index("lead_events_lead_idx").on(t.leadId, t.at.desc(), t.id.desc())],
);

/** The audit log: actions that matter for security or accountability, and who did them. */
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
    // By bytes, so that one kind of subject is a range of the index.
    index("audit_log_subject_idx").on(sql`${t.subject} collate "C"`).where(sql`${t.subject} is not null`),
  ],
);

/** A row of a table as JSON, by column. */
export type StoredRow = Record<string, unknown>;

/** Two leads that were merged: the data of each, and what was moved, kept for as long as the merge can be undone. */
export const leadMerges = pgTable(
  "lead_merges",
  {
    id: serial("id").primaryKey(),
    /** The lead that remains; if it is merged in turn, the one that remains then. */
    leadId: integer("lead_id")
      .notNull()
      .references(() => leads.id),
    /** The id of the other lead, which exists again only after the merge is undone. */
    otherId: integer("other_id").notNull(),
    /** The browser's own id of the request, so that a repeated request merges once. */
    clientRef: uuid("client_ref").notNull().unique(),
    mergedBy: integer("merged_by")
      .notNull()
      .references(() => users.id),
    mergedAt: instant("merged_at").notNull().defaultNow(),
    /** The rows of both leads before the merge, and the remaining lead's row after it. */
    before: jsonb("before").$type<StoredRow>().notNull(),
    other: jsonb("other").$type<StoredRow>().notNull(),
    after: jsonb("after").$type<StoredRow>().notNull(),
    /** Whose number, address and contact come first; those of the other are in `lead_aliases`. */
    identity: text("identity", { enum: ["kept", "other"] }).notNull(),
    /** By table, the keys of the rows that belonged to the other lead. */
    moved: jsonb("moved").$type<Record<string, unknown[]>>().notNull(),
    /** Pending changes for the contact that is no longer pushed to, with their previous state. */
    withdrawn: jsonb("withdrawn").$type<{ id: number; state: string }[]>().notNull(),
    /** Records of CRM runs about both leads, by table. */
    noted: jsonb("noted").$type<Record<string, StoredRow[]>>().notNull(),
    undoneAt: instant("undone_at"),
    undoneBy: integer("undone_by").references(() => users.id),
  },
  (t) => [
    index("lead_merges_lead_idx").on(t.leadId),
    uniqueIndex("lead_merges_other_key").on(t.otherId).where(sql`${t.undoneAt} is null`),
    index("lead_merges_at_idx").on(t.mergedAt.desc(), t.id.desc()),
  ],
);

/** Further ways to find a lead: number, address and contact of a lead that was merged into it, with the rules that apply to them. */
export const leadAliases = pgTable(
  "lead_aliases",
  {
    mergeId: integer("merge_id")
      .primaryKey()
      .references(() => leadMerges.id, { onDelete: "cascade" }),
    leadId: integer("lead_id")
      .notNull()
      .references(() => leads.id),
    phone: text("phone"),
    phoneE164: text("phone_e164"),
    email: text("email"),
    ghlContactId: text("ghl_contact_id"),
    /** Why calls or SMS are refused for good: the strictest value of all of a lead's numbers applies. */
    callOptOut: text("call_opt_out"),
    textOptOut: text("text_opt_out"),
    /** Zones of the number, and states of number and address, joined with '&': the rules of all apply to the lead. */
    timeZone: text("time_zone"),
    addressState: text("address_state"),
    /** Values of columns that apply if the lead's contact in the CRM has none; null without a contact. */
    fallback: jsonb("fallback").$type<Record<string, string | number | null>>(),
    /** Further words by which a search finds the lead; a trigger adds them to the lead's `search`. */
    search: text("search").notNull(),
  },
  (t) => [
    index("lead_aliases_lead_idx").on(t.leadId),
    index("lead_aliases_phone_idx").on(t.phoneE164).where(sql`${t.phoneE164} is not null`),
    index("lead_aliases_email_idx").on(sql`lower(${t.email})`).where(sql`${t.email} is not null`),
    uniqueIndex("lead_aliases_contact_key").on(t.ghlContactId).where(sql`${t.ghlContactId} is not null`),
  ],
);
