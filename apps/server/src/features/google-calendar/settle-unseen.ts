import { eq, sql } from "drizzle-orm";
import type { Tx } from "../../db/client.ts";
import { meetings } from "../../db/schema/meetings.ts";
import { publishEvent } from "../../events/publish.ts";
import { lockSynced, writeMeeting } from "./data-meetings.ts";
import { isOurEventId, nowhere } from "./place.ts";

/**
 * After the first full read of a new connection: meetings that lay in the calendar of an earlier one and are not in this one, because
 * another Google account was connected. Those made or changed here are to come into this one; appointments that were only taken in
 * from the other are no longer shown.
 */
export async function settleUnseen(
  tx: Tx,
  { userId, seen, to }: { userId: number; seen: ReadonlySet<string>; to: Date },
): Promise<void> {
  const rows = await lockSynced(tx, userId, to);
  const unseen = rows.filter(({ googleEventId }) => googleEventId !== null && !seen.has(googleEventId));
  for (const row of unseen) {
    const isOurs = isOurEventId(row.googleEventId ?? "");
    if (isOurs || row.leadId !== null || row.version > 1)
      await tx
        .update(meetings)
        .set({
          ...nowhere,
          // Should the event be there after all, beyond what was read, its own id leads back to it instead of making a second.
          ...(isOurs && { googleEventId: row.googleEventId, googleUserId: userId }),
          pushedVersion: 0,
          sync: "pending",
          updatedAt: sql`clock_timestamp()`,
        })
        .where(eq(meetings.id, row.id));
    else await writeMeeting(tx, row.id, { ...nowhere, deletedAt: new Date(), sync: "none" });
  }
  if (unseen.length > 0) await publishEvent(tx, { topic: "meeting", id: 0, audience: [userId] });
}
