import type { Tx } from "../../../platform/db/client.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import type { CalendarEvent, EventWrite } from "../../../ports/calendar.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import { applyEvent } from "./apply-event.ts";
import { fieldsOfMeeting, type MeetingRow, planWrite } from "./merge.ts";
import { findAccount, listPending, lockMeetingRow, newEventId, nowhere, writeMeeting } from "./repository.ts";
import { syncQueue } from "./service.ts";
import type { Worker } from "./types.ts";

/** Google makes most links at once and the others within seconds; after that the scheduled task asks. */
const linkSeconds = 3;

const belongs = (row: MeetingRow, userId: number) =>
  row.userId === userId && row.deletedAt === null && row.calendarType === "google";

/** Whether the meeting lies in a calendar that we can still reach and that is not this person's: its worker moves it on. */
async function isElsewhere(worker: Worker, row: MeetingRow): Promise<boolean> {
  if (row.googleUserId === null || row.googleUserId === worker.userId) return false;
  const account = await findAccount(worker.context.database.db, row.googleUserId);
  return Boolean(account?.tokens);
}

/** Whether the meeting takes place all the same, with another consultant. */
const goesOn = (row: MeetingRow, userId: number) =>
  row.userId !== userId && row.deletedAt === null && row.calendarType === "google";

/** Takes the event out of this person's calendar: deleted here, no longer meant for Google, or another's by now. */
async function remove(worker: Worker, row: MeetingRow): Promise<void> {
  const { userId, google, context } = worker;
  if (row.googleUserId === userId && row.googleEventId) {
    // Guests must not read that it is off where no new invitation will follow.
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

/** Gives the meeting a place in this calendar before Google is asked, so that a repeat finds it again. */
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
  // An earlier try went through and its answer was lost: it may have been edited here since.
  return made === "exists" ? worker.google.patchEvent(eventId, { ...write, conference: "keep" }) : made;
}

/** Asks again for the Meet link that Google was still making. */
async function readLink(worker: Worker, row: MeetingRow): Promise<void> {
  const event = await worker.google.readEvent(row.googleEventId ?? "").catch((error: unknown) => {
    if (error instanceof ProviderError && error.kind === "not-found") return null;
    throw error;
  });
  // One that is deleted there is found by the pull.
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
    // Deleted there, changed here since: the change wins, under a new id.
    const anew = await place(worker, row);
    event = await send(worker, anew, planWrite(anew, new Date()) ?? write);
  }
  await worker.write((tx) => settle(worker, tx, placed, event));
}

async function settle(worker: Worker, tx: Tx, sent: MeetingRow, event: CalendarEvent): Promise<void> {
  const now = await lockMeetingRow(tx, sent.id);
  if (!now) return;
  // What the row was when it was sent is what both sides had in common then.
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
 * Sends everything that waits, each in the order of its making. What Google refuses for good is marked with the reason; any other failure
 * ends the round, and the rest waits. Errors: `ProviderError`, `ClaimLost`.
 */
export async function pushMeetings(worker: Worker): Promise<void> {
  const { db } = worker.context.database;
  const seen = new Map<number, number>();
  for (;;) {
    // A meeting that was edited while it was sent waits with a new version.
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
