import { listPages } from "@portal/contract/entities/lead-list";
import { boolean, index, integer, pgTable, serial, text } from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { users } from "./users.ts";

/** Names for addresses of lists: one person's own, or everybody's, which administrators keep. */
export const savedViews = pgTable(
  "saved_views",
  {
    id: serial("id").primaryKey(),
    /** Who made it; with one that is everybody's it says no more than that. */
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    page: text("page", { enum: listPages }).notNull(),
    name: text("name").notNull(),
    /** Filters, order and columns as they stand in the address, without the question mark. */
    query: text("query").notNull(),
    isForEverybody: boolean("is_for_everybody").notNull().default(false),
    /** Its place among the person's own views of the page, or among everybody's. */
    position: integer("position").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (t) => [index("saved_views_page_idx").on(t.page, t.userId)],
);
