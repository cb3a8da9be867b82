import type { Meeting } from "@portal/contract/entities/meeting";
import type { Tx } from "../../platform/db/client.ts";
import { meetings } from "../../platform/db/schema/meetings.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import type { CalendarEvent } from "../../ports/calendar.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import { lockLead } from "../leads/service.ts";
import { findAccount, listByEvents } from "./google-calendar/repository.ts";
import { syncAccount } from "./google-calendar/sync-account.ts";
import { type GoogleContext, openTokens } from "./google-calendar/types.ts";
import { fieldsOf, type MeetingFields, type MeetingInput, recordMeetingEvent } from "./record-changes.ts";
import { findByClientRef, hasGoogle, listBusyTimes, lockCalendar, syncAfterChange } from "./repository.ts";
import { getMeeting, type MeetingsContext, presentMeeting } from "./service.ts";

type Wanted = MeetingInput & {
  title: string;
  startTime: string;
  endTime: string;
  clientRef?: string | undefined;
  onlyIfFree?: boolean | undefined;
};

/** Fields of a meeting before the input is applied. */
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

/** The meeting that an earlier request with this reference scheduled, or null. Errors: `conflict` if it is another user's. */
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

const slotTaken = () => new AppError("slot_taken", "This time is taken by now. Choose another.");

/** Locks the calendar and checks that the slot is free. Errors: `slot_taken`. */
async function holdSlot(tx: Tx, userId: number, { startsAt, endsAt }: MeetingFields): Promise<void> {
  await lockCalendar(tx, userId);
  const busy = await listBusyTimes(tx, { userId, from: startsAt, until: endsAt });
  if (busy.length > 0) throw slotTaken();
}

/**
 * Schedules a meeting for the actor; a repeated request returns the first one's meeting. With `onlyIfFree` the time must be free here and
 * in Google, which is read again. Errors: `invalid`, `not_found`, `not_your_lead`, `conflict` (another user's reference), `slot_taken`,
 * `ProviderError`.
 */
export async function scheduleMeeting(
  context: MeetingsContext,
  { actor, wanted }: { actor: AuthSession; wanted: Wanted },
): Promise<Meeting> {
  const { clientRef, onlyIfFree = false, ...input } = wanted;
  const { userId } = actor;
  const known = await repeated(context, actor, clientRef);
  if (known) return known;
  const fields = fieldsOf(input, blank(context.orgTimeZone));
  const { startsAt, endsAt } = fields;
  if (onlyIfFree && (await isTakenInGoogle(context.google, { userId, startsAt, endsAt }))) throw slotTaken();
  const meetingId = await context.database.transaction(async (tx) => {
    if (fields.leadId !== null) await lockLead(tx, actor, fields.leadId);
    if (onlyIfFree) await holdSlot(tx, userId, fields);
    const connected = await hasGoogle(tx, userId);
    const sync = syncAfterChange({ calendarType: fields.calendarType, googleEventId: null }, connected);
    const [row] = await tx
      .insert(meetings)
      .values({ ...fields, userId, sync, clientRef: clientRef ?? null })
      .onConflictDoNothing({ target: meetings.clientRef })
      .returning();
    // A concurrent request with the same reference was first.
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

interface Slot {
  userId: number;
  startsAt: Date;
  endsAt: Date;
}

/** Events that Google has within a slot now. Errors: `ProviderError`. */
async function readSlot(
  context: GoogleContext,
  { userId, startsAt, endsAt }: Slot,
): Promise<CalendarEvent[]> {
  const account = await findAccount(context.database.db, userId);
  const tokens = account?.tokens ? openTokens(context, account.tokens) : null;
  // Without a connection only the portal's meetings decide; the page says that there is none.
  if (!context.calendar || !tokens) return [];
  // A token refreshed here is not stored; the next sync refreshes it again.
  const google = context.calendar.open(tokens, () => undefined);
  const events: CalendarEvent[] = [];
  let page: string | null = null;
  do {
    const answer = await google.eventPage({ sync: null, page, from: startsAt, to: endsAt });
    if (answer === "expired") throw new Error("Google calls a full read expired");
    for (const change of answer.changes) if (!change.deleted) events.push(change.event);
    page = answer.nextPage;
  } while (page !== null);
  return events.filter(
    ({ busy }) => busy !== null && new Date(busy.from) < endsAt && new Date(busy.until) > startsAt,
  );
}

/**
 * Whether something in a user's Google calendar takes time within a slot. Google is read now, independently of any sync. Local changes and
 * deletions that are not pushed yet take precedence. New events are imported, so that later checks know them. Errors: `ProviderError` if
 * Google cannot be read.
 */
async function isTakenInGoogle(context: GoogleContext, slot: Slot): Promise<boolean> {
  const { db } = context.database;
  const events = await readSlot(context, slot);
  const ids = events.map(({ id }) => id);
  const known = ids.length > 0 ? await listByEvents(db, slot.userId, ids) : [];
  const ours = new Set(
    known.filter((row) => row.version > row.pushedVersion).map(({ googleEventId }) => googleEventId),
  );
  if (events.every(({ id }) => ours.has(id))) return false;
  await syncAccount(context, slot.userId).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error;
  });
  return true;
}
