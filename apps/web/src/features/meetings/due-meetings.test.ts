import { describe, expect, it } from "vitest";
import { buildMeeting } from "../../testing/builders.ts";
import { claimReminder, dueMeetings, minutesUntil } from "./meeting-reminder.tsx";

const now = Date.parse("2027-03-10T15:00:00.000Z");
const starts = (minutes: number, id = 1) =>
  buildMeeting({ id, startTime: new Date(now + minutes * 60_000).toISOString() });

describe("meeting reminders", () => {
  it("are due in the ten minutes before a meeting, not at its start", () => {
    const meetings = [starts(11, 1), starts(10, 2), starts(0.2, 3), starts(0, 4), starts(-1, 5)];
    expect(dueMeetings(meetings, now).map(({ id }) => id)).toEqual([2, 3]);
    expect([minutesUntil(starts(10), now), minutesUntil(starts(0.2), now)]).toEqual([10, 1]);
  });

  it("are claimed once by one of several tabs, and again for a meeting that was moved", async () => {
    const meeting = starts(9);
    const claims = await Promise.all([claimReminder(meeting, now), claimReminder(meeting, now)]);
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await claimReminder(meeting, now)).toBe(false);
    expect(await claimReminder(starts(8), now)).toBe(true);
  });
});
