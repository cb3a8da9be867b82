import { bigint, boolean, index, pgTable, serial, text } from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";

/** Backups that were begun, by the schedule or by hand. One that has ended and has no size failed. */
export const backupRuns = pgTable(
  "backup_runs",
  {
    id: serial("id").primaryKey(),
    startedAt: instant("started_at").notNull().defaultNow(),
    endedAt: instant("ended_at"),
    /** The file's name, without its folder. */
    file: text("file"),
    bytes: bigint("bytes", { mode: "number" }),
    rows: bigint("rows", { mode: "number" }),
    isEncrypted: boolean("is_encrypted"),
  },
  (t) => [index("backup_runs_started").on(t.startedAt)],
);
