import type { Meeting } from "@portal/contract/entities/meeting";
import type { RouteResponse } from "@portal/contract/route";
import type { listFreeSlots as contract } from "@portal/contract/routes/meetings";
import { eq } from "drizzle-orm";
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
import { presentMeeting } from "./present.ts";
import { differences, fieldsOf, type MeetingInput, recordMeetingEvent } from "./record-changes.ts";
import { findMeeting, hasGoogle, listBusyTimes, syncAfterChange } from "./repository.ts";

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
