import { describe, expect, it } from "vitest";
import { instantsOf, isDoubled, sameClock, wallTime } from "./meeting-values.ts";

const iso = (day: string, time: string, zone: string) =>
  instantsOf({ day, time }, zone).map((instant) => instant.toISOString());

describe("local times", () => {
  it.each([
    ["America/New_York", "2027-03-14", "02:30", []],
    ["America/New_York", "2027-03-14", "01:30", ["2027-03-14T06:30:00.000Z"]],
    ["America/New_York", "2027-03-14", "03:00", ["2027-03-14T07:00:00.000Z"]],
    ["America/New_York", "2027-11-07", "01:30", ["2027-11-07T05:30:00.000Z", "2027-11-07T06:30:00.000Z"]],
    ["America/New_York", "2027-11-07", "02:00", ["2027-11-07T07:00:00.000Z"]],
    ["Europe/Madrid", "2027-03-28", "02:15", []],
    ["Europe/Madrid", "2027-10-31", "02:15", ["2027-10-31T00:15:00.000Z", "2027-10-31T01:15:00.000Z"]],
    ["Australia/Lord_Howe", "2027-04-04", "01:45", ["2027-04-03T14:45:00.000Z", "2027-04-03T15:15:00.000Z"]],
    ["America/Puerto_Rico", "2027-03-14", "02:30", ["2027-03-14T06:30:00.000Z"]],
    ["Asia/Kolkata", "2027-01-01", "00:00", ["2026-12-31T18:30:00.000Z"]],
    ["Europe/Madrid", "", "02:15", []],
  ])("in %s on %s at %s are the instants %j", (zone, day, time, expected) => {
    expect(iso(day, time, zone)).toEqual(expected);
  });

  it("round-trip to the chosen time, and mark an hour that occurs twice", () => {
    expect(wallTime("2027-11-07T06:30:00.000Z", "America/New_York")).toEqual({
      day: "2027-11-07",
      time: "01:30",
    });
    expect(isDoubled("2027-11-07T06:30:00.000Z", "America/New_York")).toBe(true);
    expect(isDoubled("2027-11-07T07:30:00.000Z", "America/New_York")).toBe(false);
  });

  it("match in two zones for only a part of the year", () => {
    const [summer, winter] = ["2027-07-01T12:00:00.000Z", "2027-01-01T12:00:00.000Z"];
    expect(sameClock(summer, "America/Puerto_Rico", "America/New_York")).toBe(true);
    expect(sameClock(winter, "America/Puerto_Rico", "America/New_York")).toBe(false);
  });
});
