import { eq, sql } from "drizzle-orm";
import { meetings } from "../../db/schema/meetings.ts";
import { publishEvent } from "../../events/publish.ts";
import type { Session } from "../../http/session.ts";
import { syncAfterChange } from "./google-mark.ts";
import { recordMeetingEvent } from "./lead-events.ts";
import { lockMeeting, type MeetingsContext } from "./service.ts";

/**
 * Deletes a meeting of one's own: the row stays, so that Google hears of it and a repeat changes nothing. One that was on its
 * way to Google may have arrived: it stays marked. Errors: `not_found`, `forbidden`.
 */
export async function deleteMeeting(
  { database }: MeetingsContext,
  { actor, meetingId }: { actor: Session; meetingId: number },
): Promise<void> {
  const { userId } = actor;
  await database.transaction(async (tx) => {
    const before = await lockMeeting(tx, actor, meetingId);
    if (before.deletedAt) return;
    await tx
      .update(meetings)
      .set({
        deletedAt: sql`clock_timestamp()`,
        version: sql`${meetings.version} + 1`,
        sync: before.sync === "pending" ? "pending" : syncAfterChange(before, false),
        syncError: null,
        updatedAt: sql`clock_timestamp()`,
      })
      .where(eq(meetings.id, meetingId));
    const { leadId } = before;
    await recordMeetingEvent(tx, {
      kind: "meeting-deleted",
      userId,
      leadId,
      meetingId,
      before,
      after: null,
    });
    await publishEvent(tx, { topic: "meeting", id: meetingId, audience: [userId] });
  });
}
