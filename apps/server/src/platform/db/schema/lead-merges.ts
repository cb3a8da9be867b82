import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, serial, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { leads } from "./leads.ts";
import { users } from "./users.ts";

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
