import type { Tx } from "../../../platform/db/client.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import type { CalendarEvent, EventWrite } from "../../../ports/calendar.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import { fieldsOfMeeting, type MeetingRow, planWrite } from "./merge.ts";
import { applyEvent } from "./pull-events.ts";
import { findAccount, listPending, lockMeetingRow, newEventId, nowhere, writeMeeting } from "./repository.ts";
import { syncQueue } from "./service.ts";
import type { Worker } from "./types.ts";

/** Google creates most Meet links at once and the others within seconds; after that the scheduled task asks. */
const linkSeconds = 3;

const belongs = (row: MeetingRow, userId: number) =>
  row.userId === userId && row.deletedAt === null && row.calendarType === "google";

/** Whether the event is in another user's calendar that is still connected; that account's worker moves it. */
async function isElsewhere(worker: Worker, row: MeetingRow): Promise<boolean> {
  if (row.googleUserId === null || row.googleUserId === worker.userId) return false;
  const account = await findAccount(worker.context.database.db, row.googleUserId);
  return Boolean(account?.tokens);
}

/** Whether the meeting still takes place, with another consultant. */
const goesOn = (row: MeetingRow, userId: number) =>
  row.userId !== userId && row.deletedAt === null && row.calendarType === "google";

/** Removes the event from this user's calendar: the meeting was deleted, is no longer meant for Google, or belongs to another user. */
async function remove(worker: Worker, row: MeetingRow): Promise<void> {
  const { userId, google, context } = worker;
  if (row.googleUserId === userId && row.googleEventId) {
    // Guests receive Google's cancellation only if the meeting is off, or if the new consultant's calendar sends them a new invitation.
    const isOff = !goesOn(row, userId) || (await findAccount(context.database.db, row.userId)) !== undefined;
    const notify = isOff && row.attendeeEmails !== null && row.endsAt > new Date();
    await google.deleteEvent(row.googleEventId, { notify });
  }
  await worker.write(async (tx) => {
    const now = await lockMeetingRow(tx, row.id);
    if (!now) return;
    const isOthers = goesOn(now, userId);
    const owner = isOthers ? await findAccount(tx, now.userId) : undefined;
    const settled = now.version === row.version && !owner;
    await writeMeeting(tx, row.id, {
      ...nowhere,
      ...(settled && { sync: "none" as const, pushedVersion: isOthers ? 0 : now.version }),
    });
    if (owner) await context.jobs.enqueue(tx, syncQueue, { userId: now.userId }, { key: String(now.userId) });
  });
}

/** Stores a new event id before Google is asked, so that a repeated attempt finds the event. */
async function place(worker: Worker, row: MeetingRow): Promise<MeetingRow> {
  const eventId = newEventId();
  const placed = { ...nowhere, googleEventId: eventId, googleUserId: worker.userId };
  await worker.write((tx) => writeMeeting(tx, row.id, placed));
  return { ...row, ...placed };
}

async function send(worker: Worker, row: MeetingRow, write: EventWrite): Promise<CalendarEvent> {
  const eventId = row.googleEventId ?? "";
  if (row.googleEtag !== null) return worker.google.patchEvent(eventId, write);
  const made = await worker.google.insertEvent(eventId, String(row.id), write);
  // An earlier attempt succeeded but its answer was lost; the meeting may have changed since.
  return made === "exists" ? worker.google.patchEvent(eventId, { ...write, conference: "keep" }) : made;
}

/** Reads the Meet link that Google had not created yet. */
async function readLink(worker: Worker, row: MeetingRow): Promise<void> {
  const event = await worker.google.readEvent(row.googleEventId ?? "").catch((error: unknown) => {
    if (error instanceof ProviderError && error.kind === "not-found") return null;
    throw error;
  });
  // A deleted event is handled by the pull.
  if (!event) return;
  await worker.write(async (tx) => {
    const now = await lockMeetingRow(tx, row.id);
    if (now) await applyEvent(tx, { row: now, event });
  });
}

/** Sends one meeting. Errors: `ProviderError`, `ClaimLost`. */
async function push(worker: Worker, row: MeetingRow): Promise<void> {
  if (row.version === row.pushedVersion) return readLink(worker, row);
  const placed = row.googleUserId === worker.userId && row.googleEventId ? row : await place(worker, row);
  const write = planWrite(placed, new Date());
  if (!write) {
    await worker.write(async (tx) => {
      const now = await lockMeetingRow(tx, row.id);
      if (now?.version !== row.version) return;
      await writeMeeting(tx, row.id, { sync: "synced", syncError: null, pushedVersion: row.version });
    });
    return;
  }
  let event: CalendarEvent;
  try {
    event = await send(worker, placed, write);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== "not-found") throw error;
    // Deleted in Google but changed here since: the change wins, with a new event id.
    const anew = await place(worker, row);
    event = await send(worker, anew, planWrite(anew, new Date()) ?? write);
  }
  await worker.write((tx) => settle(worker, tx, placed, event));
}

async function settle(worker: Worker, tx: Tx, sent: MeetingRow, event: CalendarEvent): Promise<void> {
  const now = await lockMeetingRow(tx, sent.id);
  if (!now) return;
  // The row as it was sent is now the common version of both sides.
  await applyEvent(tx, { row: now, event, ancestor: fieldsOfMeeting(sent), pushedVersion: sent.version });
  if (event.conference !== "pending") return;
  const { userId, context } = worker;
  const soon = { key: String(userId), startAfterSeconds: linkSeconds };
  await context.jobs.enqueue(tx, syncQueue, { userId }, soon);
}

async function refuse(worker: Worker, row: MeetingRow, error: ProviderError): Promise<void> {
  await worker.write(async (tx) => {
    const now = await lockMeetingRow(tx, row.id);
    if (now?.version !== row.version) return;
    await writeMeeting(tx, row.id, { sync: "failed", syncError: error.message });
    await publishEvent(tx, { topic: "meeting", id: row.id, audience: [row.userId] });
  });
  worker.context.log.warn({ err: error, meetingId: row.id }, "Google refused a meeting");
}

/**
 * Sends all pending meetings in the order of their creation. One that Google refuses for good is marked with the reason; any other failure
 * ends the pass, and the rest stays pending. Errors: `ProviderError`, `ClaimLost`.
 */
export async function pushMeetings(worker: Worker): Promise<void> {
  const { db } = worker.context.database;
  const seen = new Map<number, number>();
  for (;;) {
    // A meeting that was edited while it was sent is pending with a new version.
    const rows = (await listPending(db, worker.userId)).filter(({ id, version }) => seen.get(id) !== version);
    if (rows.length === 0) return;
    for (const row of rows) {
      seen.set(row.id, row.version);
      if (await isElsewhere(worker, row)) continue;
      try {
        if (belongs(row, worker.userId)) await push(worker, row);
        else await remove(worker, row);
      } catch (error) {
        if (!(error instanceof ProviderError) || error.kind !== "invalid") throw error;
        await refuse(worker, row, error);
      }
    }
  }
}
