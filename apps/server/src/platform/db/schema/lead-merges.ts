import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, serial, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { leads } from "./leads.ts";
import { users } from "./users.ts";

/** A row of a table as JSON holds it, by column. */
export type StoredRow = Record<string, unknown>;

/** Two leads that became one: what each had, and what went from one to the other, for as long as it may have to go back. */
export const leadMerges = pgTable(
  "lead_merges",
  {
    id: serial("id").primaryKey(),
    /** The lead that stays; where that one is merged in turn, the one that stays then. */
    leadId: integer("lead_id")
      .notNull()
      .references(() => leads.id),
    /** The id of the other, which is a lead's again only once the merge is undone. */
    otherId: integer("other_id").notNull(),
    /** The browser's own id of the request, so that a repeated one merges once. */
    clientRef: uuid("client_ref").notNull().unique(),
    mergedBy: integer("merged_by")
      .notNull()
      .references(() => users.id),
    mergedAt: instant("merged_at").notNull().defaultNow(),
    /** The rows of both as they were, and that of the lead that stays as the merge made it. */
    before: jsonb("before").$type<StoredRow>().notNull(),
    other: jsonb("other").$type<StoredRow>().notNull(),
    after: jsonb("after").$type<StoredRow>().notNull(),
    /** Whose number, address and contact come first since; those of the other are in `lead_aliases`. */
    identity: text("identity", { enum: ["kept", "other"] }).notNull(),
    /** By table the keys of the rows that were the other's. */
    moved: jsonb("moved").$type<Record<string, unknown[]>>().notNull(),
    /** Changes that were on their way to the contact that is pushed to no more, with the state that they had. */
    withdrawn: jsonb("withdrawn").$type<{ id: number; state: string }[]>().notNull(),
    /** What runs of the CRM had noted of both leads, by table. */
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

/** By what a lead is found besides what its own row says: number, address and contact of one that was merged into it, with what holds for them. */
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
    /** Why calls or texts are refused for good: the stricter of all of a lead holds. */
    callOptOut: text("call_opt_out"),
    textOptOut: text("text_opt_out"),
    /** Zones of the number, and states of number and address, joined with '&': the rules of all hold for the lead. */
    timeZone: text("time_zone"),
    addressState: text("address_state"),
    /** Columns for which this stands where the lead's contact in the CRM says nothing; null without a contact. */
    fallback: jsonb("fallback").$type<Record<string, string | number | null>>(),
    /** What a search finds the lead by besides its own words; a trigger keeps it in the lead's `search`. */
    search: text("search").notNull(),
  },
  (t) => [
    index("lead_aliases_lead_idx").on(t.leadId),
    index("lead_aliases_phone_idx").on(t.phoneE164).where(sql`${t.phoneE164} is not null`),
    index("lead_aliases_email_idx").on(sql`lower(${t.email})`).where(sql`${t.email} is not null`),
    uniqueIndex("lead_aliases_contact_key").on(t.ghlContactId).where(sql`${t.ghlContactId} is not null`),
  ],
);
