import { describe, expect, it } from "vitest";
import { followUpInstantOf, isTimeZone, readFollowUpTime } from "./follow-up-time.ts";

describe("the time of a follow-up", () => {
  it.each([
    ["2026-11-24T16:00:00.000Z", "10:00", "America/Puerto_Rico", "2026-11-24T14:00:00.000Z"],
    // The day is the date's day in the zone of the time.
    ["2026-11-24T03:00:00.000Z", "22:15", "America/New_York", "2026-11-24T03:15:00.000Z"],
    ["2026-11-24T11:00:00.000Z", "09:30", "Europe/Madrid", "2026-11-24T08:30:00.000Z"],
    // Clocks go forward past 2:30, and back so that 1:30 occurs twice.
    ["2026-03-08T17:00:00.000Z", "02:30", "America/New_York", "2026-03-08T07:30:00.000Z"],
    ["2026-11-01T17:00:00.000Z", "01:30", "America/New_York", "2026-11-01T05:30:00.000Z"],
  ])("%s at %s in %s is %s", (date, time, zone, instant) => {
    expect(followUpInstantOf(date, { time, zone }).toISOString()).toBe(instant);
  });

  it("parses only the stored format", () => {
    const read = { time: "10:00", zone: "America/New_York" };
    expect(readFollowUpTime(" 10:00 America/New_York ")).toEqual(read);
    for (const text of [null, "", "10:00", "25:00 UTC", "10:00 Mars/Base", "10:00 +05:00", "null null"])
      expect(readFollowUpTime(text)).toBeNull();
    for (const zone of ["+05:00", "-3", "America/", "x".repeat(99)]) expect(isTimeZone(zone)).toBe(false);
  });
});
