import type { Meeting } from "@portal/contract/entities/meeting";
import { readStored, STORAGE_KEYS, writeStored } from "../../lib/storage-keys.ts";

/** A reminder comes this long before a meeting. */
const leadMs = 10 * 60_000;
const lockName = "lead-desk.reminder";

/** Meetings that begin within ten minutes and have not begun. */
export function dueMeetings(meetings: readonly Meeting[], now: number): Meeting[] {
  return meetings.filter(({ startTime }) => {
    const until = Date.parse(startTime) - now;
    return until > 0 && until <= leadMs;
  });
}

/** Minutes until a meeting begins, at least one. */
export function minutesUntil({ startTime }: Pick<Meeting, "startTime">, now: number): number {
  return Math.max(1, Math.round((Date.parse(startTime) - now) / 60_000));
}

/** What was reminded of: the meeting and when it begins, for a meeting that is moved is told of anew. */
const markOf = ({ id, startTime }: Meeting) => `${id}@${startTime}`;

function take(meeting: Meeting, now: number): boolean {
  const told = (readStored(STORAGE_KEYS.reminded) ?? "").split(" ").filter(Boolean);
  const mark = markOf(meeting);
  if (told.includes(mark)) return false;
  // Marks of meetings that have begun are of no more use.
  const kept = told.filter((each) => Date.parse(each.slice(each.indexOf("@") + 1)) > now);
  writeStored(STORAGE_KEYS.reminded, [...kept, mark].join(" "));
  return true;
}

/** Whether this tab is the one that reminds of the meeting: of all tabs of the browser exactly one, once. */
export async function claimReminder(meeting: Meeting, now: number): Promise<boolean> {
  // Without Web Locks (plain http in a LAN) two tabs may look at the same moment; the notification's tag then holds them together.
  if (!("locks" in navigator)) return take(meeting, now);
  return navigator.locks.request(lockName, async () => take(meeting, now));
}
