import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextInHours, startOfDay, startOfNextDay } from "./contact-window.ts";
import { phoneZones } from "./phone-zones.ts";

const hours = { from: 8, until: 21 };
const zones = [
  ...new Set(Object.keys(phoneZones).flatMap((zones) => zones.split("&"))),
  // Zones with offsets of half hours, changes of half an hour and of two hours, and midnights that do not exist or occur twice.
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Antarctica/Troll",
  "America/Havana",
  "Asia/Beirut",
  "Africa/Casablanca",
  "Pacific/Chatham",
];
const minuteMs = 60_000;

const clocks = new Map<string, Intl.DateTimeFormat>();
/** A zone's local time computed with `Intl`, to check against an implementation other than the one under test. */
function clock(at: number, zone: string): { day: string; hour: number } {
  const format =
    clocks.get(zone) ??
    new Intl.DateTimeFormat("en-CA", {
      timeZone: zone,
      hourCycle: "h23",
      hour: "2-digit",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
  clocks.set(zone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return { day: `${parts.year}-${parts.month}-${parts.day}`, hour: Number(parts.hour) };
}
function isOpen(at: number, zone: string): boolean {
  const { hour } = clock(at, zone);
  return hour >= hours.from && hour < hours.until;
}

/** Any instant of the year; half of them are within hours of a daylight-saving change somewhere. */
const instants = fc.oneof(
  fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }),
  fc
    .tuple(
      fc.constantFrom("2026-03-08", "2026-03-29", "2026-04-05", "2026-10-04", "2026-10-25", "2026-11-01"),
      fc.integer({ min: -36 * 60, max: 36 * 60 }),
      fc.integer({ min: -1, max: 1 }),
    )
    .map(([day, minutes, ms]) => Date.parse(`${day}T06:00:00Z`) + minutes * minuteMs + ms),
);

describe("contact hours", () => {
  it("are open exactly within the hours of the zone's clock, and next open at the first such instant", () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), instants, (zone, at) => {
        const next = nextInHours(new Date(at), zone, hours)?.getTime() ?? Number.NaN;
        expect(next).toBeGreaterThanOrEqual(at);
        expect(isOpen(next, zone)).toBe(true);
        expect(next === at).toBe(isOpen(at, zone));
        if (next === at) return;
        expect(isOpen(next - 1, zone)).toBe(false);
        for (let between = at; between < next; between += 15 * minuteMs)
          expect(isOpen(between, zone)).toBe(false);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each(["America/New_York", "America/Havana", "Europe/Madrid", "Australia/Lord_Howe"])(
    "are correct throughout a year in %s",
    (zone) => {
      const wrong: string[] = [];
      for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 29 * minuteMs) {
        const open = nextInHours(new Date(at), zone, hours)?.getTime() === at;
        if (open !== isOpen(at, zone)) wrong.push(new Date(at).toISOString());
      }
      expect(wrong).toEqual([]);
    },
    30_000,
  );

  it("are closed when one of several zones is outside them", () => {
    const both = "America/Boise&America/Los_Angeles";
    // 8:30 in Boise, 7:30 in Los Angeles.
    const at = new Date("2026-11-20T15:30:00Z");
    expect(nextInHours(at, both, hours)).toEqual(new Date("2026-11-20T16:00:00Z"));
    // 21:30 in Boise, 20:30 in Los Angeles.
    expect(nextInHours(new Date("2026-11-21T04:30:00Z"), both, hours)).toEqual(
      new Date("2026-11-21T16:00:00Z"),
    );
  });

  it("never open when zones have no hour in common", () => {
    const opposite = "Pacific/Kiritimati&Pacific/Honolulu";
    expect(nextInHours(new Date("2026-11-20T12:00:00Z"), opposite, { from: 10, until: 11 })).not.toBeNull();
    const apart = "Europe/Madrid&Pacific/Honolulu";
    expect(nextInHours(new Date("2026-11-20T12:00:00Z"), apart, { from: 10, until: 11 })).toBeNull();
  });

  it("open an hour later in UTC after the clocks go back", () => {
    const newYork = "America/New_York";
    expect(nextInHours(new Date("2026-10-31T03:00:00Z"), newYork, hours)).toEqual(
      new Date("2026-10-31T12:00:00Z"),
    );
    expect(nextInHours(new Date("2026-11-01T03:00:00Z"), newYork, hours)).toEqual(
      new Date("2026-11-01T13:00:00Z"),
    );
  });

  it("are always open where a market has none", () => {
    const at = new Date("2026-11-20T03:00:00Z");
    expect(nextInHours(at, "America/New_York", null)).toEqual(at);
  });
});

describe("a day in a zone", () => {
  it("contains its instants, from its start to the start of the next day", () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), instants, (zone, at) => {
        const start = startOfDay(new Date(at), zone).getTime();
        const next = startOfNextDay(new Date(at), zone).getTime();
        const { day } = clock(at, zone);
        expect(start).toBeLessThanOrEqual(at);
        expect(next).toBeGreaterThan(at);
        expect(clock(start, zone).day).toBe(day);
        expect(clock(next - 1, zone).day).toBe(day);
        expect(clock(start - 1, zone).day < day).toBe(true);
        expect(clock(next, zone).day > day).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
