import { and, eq, gt, inArray, isNull } from "drizzle-orm";
import type { Tx } from "../../platform/db/client.ts";
import { sql } from "../../platform/db/query.ts";
import { meetings } from "../../platform/db/schema/meetings.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { hasGoogle, syncAfterChange } from "./repository.ts";

/**
 * Transfers a lead's meetings that are not over from one consultant to another, in the transaction of the transfer; with `ids` only these.
 * Returns their ids. Those in Google are marked pending, so that they move from one calendar to the other.
 */
export async function moveMeetings(
  tx: Tx,
  { leadId, from, to, ids }: { leadId: number; from: number; to: number; ids?: readonly number[] },
): Promise<number[]> {
  if (from === to) return [];
  const rows = await tx
    .select({
      id: meetings.id,
      calendarType: meetings.calendarType,
      googleEventId: meetings.googleEventId,
    })
    .from(meetings)
    .where(
      and(
        eq(meetings.leadId, leadId),
        eq(meetings.userId, from),
        isNull(meetings.deletedAt),
        gt(meetings.endsAt, sql`now()`),
        ids && inArray(meetings.id, [...ids]),
      ),
    )
    .orderBy(meetings.id)
    .for("update");
  if (rows.length === 0) return [];
  const connected = await hasGoogle(tx, to);
  for (const row of rows) {
    await tx
      .update(meetings)
      .set({
        userId: to,
        version: sql`${meetings.version} + 1`,
        sync: syncAfterChange(row, connected),
        syncError: null,
        updatedAt: sql`clock_timestamp()`,
      })
      .where(eq(meetings.id, row.id));
    await publishEvent(tx, { topic: "meeting", id: row.id, audience: [from, to] });
  }
  return rows.map(({ id }) => id);
}
