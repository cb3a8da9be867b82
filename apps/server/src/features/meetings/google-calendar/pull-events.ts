import { eq } from "drizzle-orm";
import type { Tx } from "../../../platform/db/client.ts";
import { sql } from "../../../platform/db/query.ts";
import { meetings } from "../../../platform/db/schema/meetings.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import type { CalendarEvent, EventChange, EventFields } from "../../../ports/calendar.ts";
import { recordLeadEvent } from "../../activity/service.ts";
import {
  baseOf,
  columnsOf,
  differingNames,
  fieldsOfMeeting,
  type MeetingRow,
  mergeFields,
  toBase,
} from "./merge.ts";
import {
  type Account,
  deleteUnseenTimes,
  holdClaim,
  insertMeetings,
  isOurEventId,
  lockByEvents,
  lockSynced,
  nowhere,
  replaceBusyTimes,
  writeMeeting,
} from "./repository.ts";
import type { Worker } from "./types.ts";

/**
 * After the first full read of a new connection: handles meetings of an earlier connection that are not in this calendar, because another
 * Google account was connected. Those created or changed here are sent to the new calendar; events that were only imported from the old one
 * are hidden.
 */
async function settleUnseen(
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
          // If the event exists beyond the range that was read, keeping its id avoids a second one.
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

const dayMs = 86_400_000;
/** How far ahead events are read; a weekly full read moves the window. */
const windowDays = 366;
const fullEveryMs = 7 * dayMs;

async function takeDeletion(tx: Tx, row: MeetingRow, userId: number): Promise<void> {
  // A change made here wins: the push finds the event deleted and creates a new one. A meeting that was transferred stays.
  if (row.deletedAt !== null || row.userId !== userId || row.version > row.pushedVersion) return;
  await writeMeeting(tx, row.id, { deletedAt: new Date(), sync: "none", syncError: null });
  if (row.leadId !== null)
    await recordLeadEvent(tx, {
      leadId: row.leadId,
      userId: null,
      kind: "meeting-deleted",
      data: {
        meetingId: row.id,
        title: row.title,
        by: "google",
        before: { startTime: row.startsAt, endTime: row.endsAt },
      },
    });
  await publishEvent(tx, { topic: "meeting", id: row.id, audience: [row.userId] });
}

async function takeChange(tx: Tx, row: MeetingRow, event: CalendarEvent, userId: number): Promise<void> {
  if (row.userId !== userId) return;
  if (row.googleEtag === event.etag) {
    const transparent = event.busy === null;
    if (row.transparent !== transparent) await writeMeeting(tx, row.id, { transparent });
    return;
  }
  // A local deletion is pending and wins; if it was pushed already, somebody restored the event in Google.
  if (row.deletedAt !== null && row.sync === "pending") return;
  if (row.deletedAt !== null) await writeMeeting(tx, row.id, { deletedAt: null });
  await applyEvent(tx, { row, event });
}

/** An event made in Google as a meeting without a lead; null if it is not shown here. */
function importOf(event: CalendarEvent, userId: number, now: Date): typeof meetings.$inferInsert | null {
  const { fields } = event;
  // One of our own events that now belongs to another calendar is imported from there, or not at all.
  if (!fields || event.ignorable || event.meetingRef !== null) return null;
  if (new Date(fields.endTime) <= now || fields.endTime <= fields.startTime) return null;
  return {
    ...columnsOf(fields),
    userId,
    calendarType: "google",
    wantsMeetLink: event.conference === "made" || event.conference === "pending",
    transparent: event.busy === null,
    pushedVersion: 1,
    sync: "synced",
    googleEventId: event.id,
    googleUserId: userId,
    googleEtag: event.etag,
    googleBase: toBase(event),
  };
}

/** Stores the times of hidden events. An event that is shown as a meeting, or takes no time, has no row. */
async function takeBusyTimes(
  tx: Tx,
  { changes, userId, shown }: { changes: EventChange[]; userId: number; shown: ReadonlySet<string> },
): Promise<void> {
  const now = new Date();
  const times = changes.flatMap((change) => {
    const busy = change.deleted || shown.has(change.event.id) ? null : change.event.busy;
    if (change.deleted || busy === null || new Date(busy.until) <= now) return [];
    const [startsAt, endsAt] = [new Date(busy.from), new Date(busy.until)];
    return [{ userId, eventId: change.event.id, startsAt, endsAt }];
  });
  await replaceBusyTimes(tx, { userId, eventIds: changes.map(idOf), times });
}

const idOf = (change: EventChange) => (change.deleted ? change.id : change.event.id);

async function takePage(tx: Tx, changes: EventChange[], userId: number): Promise<void> {
  const rows = await lockByEvents(tx, userId, changes.map(idOf));
  const known = new Map(rows.map((row) => [row.googleEventId, row]));
  const now = new Date();
  const imports: (typeof meetings.$inferInsert)[] = [];
  for (const change of changes) {
    const row = known.get(idOf(change));
    if (change.deleted) {
      if (row) await takeDeletion(tx, row, userId);
    } else if (row) await takeChange(tx, row, change.event, userId);
    else {
      const made = importOf(change.event, userId, now);
      if (made) imports.push(made);
    }
  }
  await insertMeetings(tx, imports);
  const shown = new Set([...rows, ...imports].flatMap(({ googleEventId }) => googleEventId ?? []));
  await takeBusyTimes(tx, { changes, userId, shown });
  if (imports.length > 0) await publishEvent(tx, { topic: "meeting", id: 0, audience: [userId] });
}

/**
 * Imports what changed in Google since the last sync, or everything in the window if there is no sync token or the weekly read is due. The
 * new token is stored with the last page only, so an interrupted sync is repeated. Errors: `ProviderError`, `ClaimLost`.
 */
export async function pullEvents(worker: Worker, account: Account & { claim: string }): Promise<void> {
  const now = new Date();
  const fresh = account.fullSyncedAt !== null && account.fullSyncedAt.getTime() > now.getTime() - fullEveryMs;
  let sync = fresh ? account.syncToken : null;
  let page: string | null = null;
  const isFirst = account.fullSyncedAt === null;
  const seen = new Set<string>();
  const from = new Date(now.getTime() - dayMs);
  const to = new Date(now.getTime() + windowDays * dayMs);
  for (;;) {
    const answer = await worker.google.eventPage({ sync, page, from, to });
    if (answer === "expired") {
      if (sync === null) throw new Error("Google calls a full sync expired");
      sync = null;
      page = null;
      continue;
    }
    const { changes, nextPage, nextSync } = answer;
    const isLast = nextPage === null;
    const isFull = sync === null;
    for (const change of changes) seen.add(idOf(change));
    await worker.write(async (tx) => {
      await takePage(tx, changes, worker.userId);
      if (!isLast) return;
      if (isFirst) await settleUnseen(tx, { userId: worker.userId, seen, to });
      if (isFull) await deleteUnseenTimes(tx, worker.userId, [...seen]);
      await holdClaim(tx, account, {
        syncToken: nextSync,
        lastSyncedAt: sql`clock_timestamp()`,
        ...(isFull && { fullSyncedAt: now }),
      });
    });
    if (isLast) return;
    page = nextPage;
  }
}

const noLink = "Google could not make a Meet link.";

/**
 * Merges Google's version of an event into a locked meeting: fields that changed here since stay and remain to be sent, the others become
 * Google's. After a push, `ancestor` is what was sent and `pushedVersion` its version.
 */
export async function applyEvent(
  tx: Tx,
  input: { row: MeetingRow; event: CalendarEvent; ancestor?: EventFields; pushedVersion?: number },
): Promise<void> {
  const { row, event, ancestor, pushedVersion } = input;
  const base = toBase(event);
  const local = fieldsOfMeeting(row);
  // A meeting that became an all-day event in Google keeps its time here.
  const remote = event.fields ?? baseOf(row) ?? local;
  const waits = row.version > (pushedVersion ?? row.pushedVersion);
  const common = ancestor ?? baseOf(row);
  // Without a common version (the answer to an insert was lost) the local fields are what Google should have.
  const fields = common ? mergeFields({ base: common, local, remote }) : waits ? local : remote;
  const failed = row.wantsMeetLink && event.conference === "failed";
  const isMaking = row.wantsMeetLink && event.conference === "pending";
  await writeMeeting(tx, row.id, {
    ...columnsOf(fields),
    // A conference added or removed in Google sets whether one is wanted.
    ...(!waits &&
      !failed &&
      event.conference !== "pending" && { wantsMeetLink: event.conference === "made" }),
    googleEtag: event.etag,
    transparent: event.busy === null,
    googleBase: base ?? row.googleBase,
    ...(pushedVersion !== undefined && { pushedVersion }),
    ...(!waits && {
      sync: isMaking ? ("pending" as const) : ("synced" as const),
      syncError: failed ? noLink : null,
    }),
  });
  const changed = differingNames(local, fields);
  if (changed.length > 0 && pushedVersion === undefined && row.leadId !== null) {
    const valuesOf = (from: EventFields) => Object.fromEntries(changed.map((name) => [name, from[name]]));
    await recordLeadEvent(tx, {
      leadId: row.leadId,
      userId: null,
      kind: "meeting-changed",
      data: {
        meetingId: row.id,
        title: fields.title,
        by: "google",
        before: valuesOf(local),
        after: valuesOf(fields),
      },
    });
  }
  await publishEvent(tx, { topic: "meeting", id: row.id, audience: [row.userId] });
}
