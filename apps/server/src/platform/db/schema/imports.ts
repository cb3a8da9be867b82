import type { DuplicateRule } from "@portal/contract/entities/import";
import { importStates } from "@portal/contract/entities/import";
import type { ImportFault } from "@portal/contract/import-faults";
import type { LeadField } from "@portal/contract/lead-headers";
import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, primaryKey, serial, text } from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { users } from "./users.ts";

/** One import: a file or list of leads, processed as one job. */
export const imports = pgTable(
  "imports",
  {
    id: serial("id").primaryKey(),
    /** Who uploaded it; null for a request with a source's key. */
    userId: integer("user_id").references(() => users.id),
    sourceSystem: text("source_system").notNull(),
    fileName: text("file_name"),
    duplicates: text("duplicates").$type<DuplicateRule>().notNull().default("skip"),
    /** Headers, if the rows are arrays of cells. */
    columns: jsonb("columns").$type<string[]>(),
    mapping: jsonb("mapping").$type<Record<string, LeadField | null>>(),
    state: text("state", { enum: importStates }).notNull().default("running"),
    total: integer("total").notNull(),
    /** Number of processed rows: the next batch begins here. */
    position: integer("position").notNull().default(0),
    imported: integer("imported").notNull().default(0),
    updated: integer("updated").notNull().default(0),
    skipped: integer("skipped").notNull().default(0),
    errors: integer("errors").notNull().default(0),
    /** Imported or existing rows whose phone number cannot be called. */
    unreadablePhones: integer("unreadable_phones").notNull().default(0),
    /** Why it failed. */
    message: text("message"),
    /** The worker that holds the import; only the holder writes, and a holder without a heartbeat for a while loses it. */
    lease: text("lease"),
    heartbeatAt: instant("heartbeat_at").notNull().defaultNow(),
    /** How often a worker started or resumed it without finishing a batch since. */
    attempts: integer("attempts").notNull().default(0),
    startedAt: instant("started_at").notNull().defaultNow(),
    finishedAt: instant("finished_at"),
  },
  (t) => [
    index("imports_user_idx").on(t.userId, t.id.desc()),
    index("imports_running_idx").on(t.id).where(sql`${t.state} = 'running'`),
  ],
);

/** The rows of an import as received, one row for each batch, stored before any processing. */
export const importBatches = pgTable(
  "import_batches",
  {
    importId: integer("import_id")
      .notNull()
      .references(() => imports.id, { onDelete: "cascade" }),
    /** Index of the batch's first row, from 0. */
    firstRow: integer("first_row").notNull(),
    rowCount: integer("row_count").notNull(),
    /**
     * A JSON array, or CSV lines after a line end, as text: JSONB cannot store U+0000 and is slower to write. Stored uncompressed
     * (migration 0015), because compression takes longer than the disk.
     */
    rows: text("rows").notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.firstRow] })],
);

/** Rows that were not imported, with the reasons. */
export const importFailures = pgTable(
  "import_failures",
  {
    importId: integer("import_id")
      .notNull()
      .references(() => imports.id, { onDelete: "cascade" }),
    /** From 0. */
    row: integer("row").notNull(),
    reasons: jsonb("reasons").$type<ImportFault[]>().notNull().default([]),
    /** The row as received: JSON as text. */
    raw: text("raw").notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.row] })],
);
