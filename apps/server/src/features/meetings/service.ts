import type { Meeting } from "@portal/contract/entities/meeting";
import type { RouteResponse } from "@portal/contract/route";
import type { listFreeSlots as contract } from "@portal/contract/routes/meetings";
import { eq } from "drizzle-orm";
import { freeSlots, slotHorizon } from "../../domain/free-slots.ts";
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
import { presentMeeting } from "./present.ts";
import { differences, fieldsOf, type MeetingInput, recordMeetingEvent } from "./record-changes.ts";
import { findMeeting, hasGoogle, listBusyTimes, syncAfterChange } from "./repository.ts";

export interface MeetingsContext {
  database: Database;
  /** Zone of meetings that name none. */
  orgTimeZone: string;
  /** Origin that the identifiers of calendar files end in. */
  publicUrl: string;
  google: GoogleContext;
}

const missing = () => new AppError("not_found", "This meeting does not exist.");

/** A meeting of one's own as the API answers it. Errors: `not_found`, `forbidden`. */
export async function getMeeting(
  { database }: Pick<MeetingsContext, "database">,
  { actor, meetingId }: { actor: AuthSession; meetingId: number },
): Promise<Meeting> {
  return presentMeeting(await getMeetingRow({ database }, { actor, meetingId }));
}

/** The same as its row. Errors: `not_found`, `forbidden`. */
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
 * Locks a meeting of one's own for a write, a deleted one too. Its lead is held first, as a transfer does it, so that the two never
 * wait for each other. Errors: `not_found`, `forbidden`.
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
 * Changes what is said about a meeting of one's own; what stays the same writes nothing.
 * Errors: `invalid`, `not_found`, `forbidden`, `not_your_lead` (for another lead than before).
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
 * Deletes a meeting of one's own: the row stays, so that Google is notified and a repeat changes nothing. One that was on its
 * way to Google may have arrived: it stays marked. Errors: `not_found`, `forbidden`.
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

/** When a consultant is free for a meeting, by what is known here; Google is not asked. */
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
