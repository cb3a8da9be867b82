import type { Meeting } from "@portal/contract/entities/meeting";
import type { RouteResponse } from "@portal/contract/route";
import type { listFreeSlots as contract } from "@portal/contract/routes/meetings";
import { and, eq, gt, inArray, isNull } from "drizzle-orm";
import ical, { ICalAttendeeStatus, ICalEventStatus } from "ical-generator";
import { freeSlots, slotHorizon } from "../../domain/reachability.ts";
import type { Database, Tx } from "../../platform/db/client.ts";
import { sql } from "../../platform/db/query.ts";
import { leads } from "../../platform/db/schema/leads.ts";
import { meetings } from "../../platform/db/schema/meetings.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { findReachability } from "../availability/repository.ts";
import { lockLead } from "../leads/service.ts";
import { googleStatus } from "./google-calendar/service.ts";
import type { GoogleContext } from "./google-calendar/types.ts";
import { differences, fieldsOf, type MeetingInput, recordMeetingEvent } from "./record-changes.ts";
import { findMeeting, hasGoogle, listBusyTimes, type MeetingRow, syncAfterChange } from "./repository.ts";

/** Presents a meeting. */
export function presentMeeting(row: MeetingRow): Meeting {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    startTime: row.startsAt.toISOString(),
    endTime: row.endsAt.toISOString(),
    timeZone: row.timeZone,
    leadId: row.leadId,
    leadName: row.leadName,
    calendarType: row.calendarType,
    meetingLink: row.meetingLink,
    attendeeEmails: row.attendeeEmails,
    wantsMeetLink: row.wantsMeetLink,
    sync: row.sync,
    syncError: row.syncError,
  };
}

/**
 * A meeting as an iCalendar file (RFC 5545). Times are UTC, so that no time zone definitions are needed. The identifier is stable, so that
 * a newer file replaces an older one.
 */
export function calendarFile(
  meeting: MeetingRow,
  { organizer, host }: { organizer: { name: string; email: string }; host: string },
): string {
  const attendees = (meeting.attendeeEmails ?? "").split(",").map((email) => email.trim());
  const calendar = ical({ prodId: { company: "Lead Desk", product: "Meetings", language: "EN" } });
  calendar.createEvent({
    id: `meeting-${meeting.id}@${host}`,
    sequence: meeting.version - 1,
    stamp: meeting.updatedAt,
    created: meeting.createdAt,
    lastModified: meeting.updatedAt,
    start: meeting.startsAt,
    end: meeting.endsAt,
    summary: meeting.title,
    description: meeting.description,
    url: meeting.meetingLink?.startsWith("https://") ? meeting.meetingLink : null,
    location: meeting.meetingLink,
    status: ICalEventStatus.CONFIRMED,
    organizer,
    attendees: attendees
      .filter((email) => email !== "")
      .map((email) => ({ email, rsvp: true, status: ICalAttendeeStatus.NEEDSACTION })),
  });
  return calendar.toString();
}

export interface MeetingsContext {
  database: Database;
  /** Zone of meetings without one. */
  orgTimeZone: string;
  /** Origin whose host ends the identifiers in calendar files. */
  publicUrl: string;
  google: GoogleContext;
}

const missing = () => new AppError("not_found", "This meeting does not exist.");

/** Presents one of the actor's meetings. Errors: `not_found`, `forbidden`. */
export async function getMeeting(
  { database }: Pick<MeetingsContext, "database">,
  { actor, meetingId }: { actor: AuthSession; meetingId: number },
): Promise<Meeting> {
  return presentMeeting(await getMeetingRow({ database }, { actor, meetingId }));
}

/** Row of one of the actor's meetings. Errors: `not_found`, `forbidden`. */
export async function getMeetingRow(
  { database }: Pick<MeetingsContext, "database">,
  { actor, meetingId }: { actor: AuthSession; meetingId: number },
) {
  const row = await findMeeting(database.db, meetingId);
  if (!row) throw missing();
  if (row.userId !== actor.userId) throw new AppError("forbidden", "This is another consultant's meeting.");
  return row;
}

/**
 * Locks one of the actor's meetings, also a deleted one. Its lead is locked first, in the same order as a transfer does, to prevent
 * deadlocks. Errors: `not_found`, `forbidden`.
 */
async function lockMeeting(tx: Tx, actor: AuthSession, meetingId: number) {
  const [known] = await tx
    .select({ leadId: meetings.leadId })
    .from(meetings)
    .where(eq(meetings.id, meetingId));
  if (!known) throw missing();
  if (known.leadId !== null)
    await tx.select({ id: leads.id }).from(leads).where(eq(leads.id, known.leadId)).for("key share");
  const [row] = await tx.select().from(meetings).where(eq(meetings.id, meetingId)).for("update");
  if (!row) throw missing();
  if (row.userId !== actor.userId) throw new AppError("forbidden", "This is another consultant's meeting.");
  return row;
}

/**
 * Changes one of the actor's meetings; unchanged fields write nothing. Errors: `invalid`, `not_found`, `forbidden`, `not_your_lead` (for
 * another lead than before).
 */
export async function changeMeeting(
  { database }: MeetingsContext,
  { actor, meetingId, input }: { actor: AuthSession; meetingId: number; input: MeetingInput },
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

/**
 * Deletes one of the actor's meetings. The row stays, so that the event is deleted at Google and a repeat changes nothing; a push that is
 * under way may still create the event, so it stays pending too. Errors: `not_found`, `forbidden`.
 */
export async function deleteMeeting(
  { database }: MeetingsContext,
  { actor, meetingId }: { actor: AuthSession; meetingId: number },
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

const minuteMs = 60_000;
const shownDays = 3;
const slotsPerDay = 4;

/** Free slots of a consultant by the portal's data; Google is not read. */
export async function listFreeSlots(
  { database, google }: MeetingsContext,
  input: { userId: number; minutes: number; zone: string; leadZone: string | null },
): Promise<RouteResponse<typeof contract>> {
  const { userId, minutes, zone, leadZone } = input;
  const { db } = database;
  const now = new Date();
  const until = slotHorizon(now, zone);
  const reachability = await findReachability(db, userId, now);
  const busy = await listBusyTimes(db, { userId, from: now, until });
  const { state, lastSyncedAt } = await googleStatus(google, userId);
  const search = { reachability, busy, now, zone, leadZone, minutes, days: shownDays, perDay: slotsPerDay };
  return {
    slots: freeSlots(search).map((start) => ({
      startTime: start.toISOString(),
      endTime: new Date(start.getTime() + minutes * minuteMs).toISOString(),
    })),
    google: state,
    readAt: state === "connected" || state === "disconnected" ? lastSyncedAt : null,
  };
}

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
