import { eq, sql } from "drizzle-orm";
import type { Tx } from "../../db/client.ts";
import { googleAccounts, type meetings } from "../../db/schema/meetings.ts";

type Row = Pick<typeof meetings.$inferSelect, "calendarType" | "googleEventId">;

/** Whether this person has connected Google, also where Google no longer takes the tokens: changes wait meanwhile. */
export async function hasGoogle(tx: Tx, userId: number): Promise<boolean> {
  const found = await tx
    .select({ one: sql`1` })
    .from(googleAccounts)
    .where(eq(googleAccounts.userId, userId));
  return found.length > 0;
}

/**
 * Whether Google is to hear of a meeting that changed here: of those meant for it once its owner is connected, and of those it
 * has (or may have) already, whatever became of them. A row marked `pending` is the outbox; its version grows with every change.
 */
export function syncAfterChange(row: Row, connected: boolean): "pending" | "none" {
  return row.googleEventId !== null || (row.calendarType === "google" && connected) ? "pending" : "none";
}
