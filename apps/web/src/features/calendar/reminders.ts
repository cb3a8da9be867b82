import type { Meeting } from "@portal/contract/entities/meeting";
import { STORAGE_KEYS } from "../../lib/storage-keys.ts";
import { claimOnce } from "../notices/claim-once.ts";

/** A reminder comes this long before a meeting. */
const leadMs = 10 * 60_000;

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

/** Whether this tab is the one that reminds of the meeting; one that is moved is told of anew. */
export function claimReminder({ id, startTime }: Meeting, now: number): Promise<boolean> {
  return claimOnce({
    store: STORAGE_KEYS.reminded,
    mark: `${id}@${startTime}`,
    // Marks of meetings that have begun are of no more use.
    isOver: (mark) => Date.parse(mark.slice(mark.indexOf("@") + 1)) <= now,
  });
}
