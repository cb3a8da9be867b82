import { adminAlertKinds } from "@portal/contract/routes/notifications";
import { pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";

/** What administrators have to fix now: a row for each kind, for as long as it lasts. */
export const adminAlerts = pgTable("admin_alerts", {
  kind: text("kind", { enum: adminAlertKinds }).primaryKey(),
  since: instant("since").notNull().defaultNow(),
});
