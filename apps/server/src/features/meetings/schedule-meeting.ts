import type { Meeting } from "@portal/contract/entities/meeting";
import { meetings } from "../../platform/db/schema/meetings.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { lockLead } from "../leads/service.ts";
import { presentMeeting } from "./present.ts";
import { fieldsOf, type MeetingFields, type MeetingInput, recordMeetingEvent } from "./record-changes.ts";
import { findByClientRef, hasGoogle, syncAfterChange } from "./repository.ts";
import { getMeeting, type MeetingsContext } from "./service.ts";

type Wanted = MeetingInput & {
  title: string;
  startTime: string;
  endTime: string;
  clientRef?: string | undefined;
};

/** What a meeting is before anything is said about it. */
const blank = (timeZone: string): MeetingFields => ({
  title: "",
  description: null,
  startsAt: new Date(0),
  endsAt: new Date(0),
  timeZone,
  leadId: null,
  calendarType: "google",
  meetingLink: null,
  attendeeEmails: null,
  wantsMeetLink: false,
});

/** The meeting of an earlier request with this reference. Errors: `conflict` where it is another person's. */
async function repeated(
  context: MeetingsContext,
  actor: AuthSession,
  clientRef: string | undefined,
): Promise<Meeting | null> {
  const first = clientRef && (await findByClientRef(context.database.db, clientRef));
  if (!first) return null;
  if (first.userId !== actor.userId) throw new AppError("conflict", "This reference is taken.");
  return presentMeeting(first);
}

/**
 * Schedules a meeting of one's own; a repeat of the request answers the first one's.
 * Errors: `invalid`, `not_found`, `not_your_lead`, `conflict` (a reference of another person's).
 */
export async function scheduleMeeting(
  context: MeetingsContext,
  { actor, wanted }: { actor: AuthSession; wanted: Wanted },
): Promise<Meeting> {
  const { clientRef, ...input } = wanted;
  const { userId } = actor;
  const known = await repeated(context, actor, clientRef);
  if (known) return known;
  const fields = fieldsOf(input, blank(context.orgTimeZone));
  const meetingId = await context.database.transaction(async (tx) => {
    if (fields.leadId !== null) await lockLead(tx, actor, fields.leadId);
    const connected = await hasGoogle(tx, userId);
    const sync = syncAfterChange({ calendarType: fields.calendarType, googleEventId: null }, connected);
    const [row] = await tx
      .insert(meetings)
      .values({ ...fields, userId, sync, clientRef: clientRef ?? null })
      .onConflictDoNothing({ target: meetings.clientRef })
      .returning();
    // A twin of this request was quicker.
    if (!row) return null;
    const { id, leadId } = row;
    await recordMeetingEvent(tx, {
      kind: "meeting-scheduled",
      userId,
      leadId,
      meetingId: id,
      before: null,
      after: row,
    });
    await publishEvent(tx, { topic: "meeting", id, audience: [userId] });
    return id;
  });
  if (meetingId !== null) return getMeeting(context, { actor, meetingId });
  const twin = await repeated(context, actor, clientRef);
  if (!twin) throw new AppError("unavailable");
  return twin;
}
