import { eq, sql } from "drizzle-orm";
import { meetings } from "../../db/schema/meetings.ts";
import { publishEvent } from "../../events/publish.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { lockLead } from "../leads/service.ts";
import { hasGoogle, syncAfterChange } from "./google-mark.ts";
import { recordMeetingEvent } from "./lead-events.ts";
import { differences, fieldsOf, type MeetingInput } from "./meeting-fields.ts";
import { lockMeeting, type MeetingsContext } from "./service.ts";

/**
 * Changes what is said about a meeting of one's own; what stays the same writes nothing.
 * Errors: `invalid`, `not_found`, `forbidden`, `not_your_lead` (for another lead than before).
 */
export async function changeMeeting(
  { database }: MeetingsContext,
  { actor, meetingId, input }: { actor: Session; meetingId: number; input: MeetingInput },
): Promise<void> {
  const { userId } = actor;
  await database.transaction(async (tx) => {
    const before = await lockMeeting(tx, actor, meetingId);
    if (before.deletedAt) throw new AppError("not_found", "This meeting does not exist.");
    const fields = fieldsOf(input, before);
    const names = differences(before, fields);
    if (names.length === 0) return;
    const { leadId } = fields;
    const otherLead = leadId !== before.leadId;
    if (otherLead && leadId !== null) await lockLead(tx, actor, leadId);
    const connected = await hasGoogle(tx, userId);
    const [after] = await tx
      .update(meetings)
      .set({
        ...fields,
        version: sql`${meetings.version} + 1`,
        sync: syncAfterChange({ ...before, ...fields }, connected),
        syncError: null,
        updatedAt: sql`clock_timestamp()`,
      })
      .where(eq(meetings.id, meetingId))
      .returning();
    if (!after) throw new Error("the locked meeting was not there");
    const event = { userId, meetingId };
    if (otherLead) {
      const gone = { before, after: null, leadId: before.leadId };
      await recordMeetingEvent(tx, { ...event, ...gone, kind: "meeting-deleted" });
      await recordMeetingEvent(tx, { ...event, before: null, after, leadId, kind: "meeting-scheduled" });
    } else {
      await recordMeetingEvent(tx, { ...event, before, after, leadId, names, kind: "meeting-changed" });
    }
    await publishEvent(tx, { topic: "meeting", id: meetingId, audience: [userId] });
  });
}
