import type { DayHours, WorkingHours } from "@portal/contract/entities/availability";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  availabilityAt,
  isReachable,
  type Reachability,
  reachableBefore,
  reachableMinutesBetween,
} from "./reachability.ts";

const every = (day: DayHours | null): (DayHours | null)[] => Array.from({ length: 7 }, () => day);
const office: DayHours = { from: "09:00", to: "17:30" };
const week = (zone: string, days = [...every(office).slice(0, 5), null, null]): WorkingHours => ({
  zone,
  days,
});
const newYork = week("America/New_York");
const madrid = week("Europe/Madrid");
const nights = week("America/New_York", every({ from: "00:00", to: "02:30" }));
const lateShift = week("America/New_York", every({ from: "01:30", to: "05:00" }));
const wholeDays = week("America/Havana", every({ from: "00:00", to: "00:00" }));

const always: Reachability = { hours: null, absences: [] };
const on = (hours: WorkingHours): Reachability => ({ hours, absences: [] });
const away = (from: string, until: string | null, hours: WorkingHours | null = null): Reachability => ({
  hours,
  absences: [{ from: new Date(from), until: until === null ? null : new Date(until) }],
});

/** In New York clocks go forward on 8 March 2026 at 2:00 and back on 1 November; in Madrid on 29 March and 25 October. */
const cases: [title: string, who: Reachability, at: string, state: string, until: string | null][] = [
  ["always without working hours", always, "2026-11-01T06:30:00Z", "available", null],
  [
    "Monday before nine",
    on(newYork),
    "2026-03-02T13:59:59.999Z",
    "outside_hours",
    "2026-03-02T14:00:00.000Z",
  ],
  ["Monday at nine", on(newYork), "2026-03-02T14:00:00Z", "available", "2026-03-02T22:30:00.000Z"],
  [
    "not at the end of the hours",
    on(newYork),
    "2026-03-02T22:30:00Z",
    "outside_hours",
    "2026-03-03T14:00:00.000Z",
  ],
  [
    "Friday evening until the Monday after the clocks went forward",
    on(newYork),
    "2026-03-06T23:00:00Z",
    "outside_hours",
    "2026-03-09T13:00:00.000Z",
  ],
  ["at nine on that Monday", on(newYork), "2026-03-09T13:00:00Z", "available", "2026-03-09T21:30:00.000Z"],
  [
    "Friday evening until the Monday after the clocks went back",
    on(newYork),
    "2026-10-30T21:30:00Z",
    "outside_hours",
    "2026-11-02T14:00:00.000Z",
  ],
  [
    "not at the summer nine o'clock in winter",
    on(newYork),
    "2026-11-02T13:30:00Z",
    "outside_hours",
    "2026-11-02T14:00:00.000Z",
  ],
  [
    "Madrid on the Monday after its clocks went forward",
    on(madrid),
    "2026-03-30T07:00:00Z",
    "available",
    "2026-03-30T15:30:00.000Z",
  ],
  [
    "Madrid at that UTC hour a week before",
    on(madrid),
    "2026-03-23T07:00:00Z",
    "outside_hours",
    "2026-03-23T08:00:00.000Z",
  ],
  [
    "Madrid on the Monday after its clocks went back",
    on(madrid),
    "2026-10-26T08:00:00Z",
    "available",
    "2026-10-26T16:30:00.000Z",
  ],
  [
    "an end in a skipped hour is the end of the gap",
    on(nights),
    "2026-03-08T06:59:00Z",
    "available",
    "2026-03-08T07:00:00.000Z",
  ],
  [
    "not after an end in a skipped hour",
    on(nights),
    "2026-03-08T07:00:00Z",
    "outside_hours",
    "2026-03-09T04:00:00.000Z",
  ],
  [
    "a start in a repeated hour is its first occurrence",
    on(lateShift),
    "2026-11-01T05:30:00Z",
    "available",
    "2026-11-01T10:00:00.000Z",
  ],
  [
    "still available in its second occurrence",
    on(lateShift),
    "2026-11-01T06:10:00Z",
    "available",
    "2026-11-01T10:00:00.000Z",
  ],
  [
    "whole days without an end around a repeated midnight",
    on(wholeDays),
    "2026-11-01T04:30:00Z",
    "available",
    null,
  ],
  [
    "whole days without an end around a skipped midnight",
    on(wholeDays),
    "2026-03-08T05:00:00Z",
    "available",
    null,
  ],
  ["away without an end", away("2026-03-02T15:00:00Z", null), "2026-03-02T15:00:00Z", "away", null],
  ["before an absence", away("2026-03-02T15:00:00Z", null), "2026-03-02T14:59:59.999Z", "available", null],
  [
    "away with an end",
    away("2026-03-02T15:00:00Z", "2026-03-02T16:00:00Z"),
    "2026-03-02T15:59:00Z",
    "away",
    "2026-03-02T16:00:00.000Z",
  ],
  [
    "at the end of an absence",
    away("2026-03-02T15:00:00Z", "2026-03-02T16:00:00Z"),
    "2026-03-02T16:00:00Z",
    "available",
    null,
  ],
  [
    "away outside the hours",
    away("2026-03-02T15:00:00Z", null, newYork),
    "2026-03-03T02:00:00Z",
    "away",
    null,
  ],
];

describe("whether a person can be reached", () => {
  it.each(cases)("%s", (_title, who, at, state, until) => {
    const found = availabilityAt(who, new Date(at));
    expect({ state: found.state, until: found.until?.toISOString() ?? null }).toEqual({ state, until });
    expect(isReachable(who, new Date(at))).toBe(state === "available");
  });
});

const minutes: [title: string, who: Reachability, from: string, to: string, expected: number][] = [
  ["all without working hours", always, "2026-03-07T00:00:00Z", "2026-03-09T00:00:00Z", 2 * 24 * 60],
  ["none for a reversed period", always, "2026-03-09T00:00:00Z", "2026-03-07T00:00:00Z", 0],
  [
    "from nine on for a period that starts at night",
    on(newYork),
    "2026-03-03T03:00:00Z",
    "2026-03-03T14:04:30Z",
    4.5,
  ],
  ["five minutes over an evening", on(newYork), "2026-03-02T22:28:00Z", "2026-03-03T14:03:00Z", 5],
  ["over a weekend whose clocks go forward", on(newYork), "2026-03-06T22:20:00Z", "2026-03-09T13:10:00Z", 20],
  ["over a weekend whose clocks go back", on(newYork), "2026-10-30T21:20:00Z", "2026-11-02T14:10:00Z", 20],
  ["over a night with a skipped hour", on(nights), "2026-03-08T04:00:00Z", "2026-03-08T12:00:00Z", 120],
  ["over a night with a repeated hour", on(nights), "2026-11-01T04:00:00Z", "2026-11-01T12:00:00Z", 210],
  [
    "for a shift that starts in a repeated hour",
    on(lateShift),
    "2026-11-01T04:00:00Z",
    "2026-11-01T12:00:00Z",
    270,
  ],
  [
    "for whole days around a skipped midnight",
    on(wholeDays),
    "2026-03-07T05:00:00Z",
    "2026-03-09T04:00:00Z",
    47 * 60,
  ],
  [
    "excluding an absence",
    away("2026-03-02T15:00:00Z", "2026-03-02T16:00:00Z", newYork),
    "2026-03-02T14:00:00Z",
    "2026-03-02T17:00:00Z",
    120,
  ],
  ["none while away", away("2026-03-02T15:00:00Z", null), "2026-03-02T15:00:00Z", "2026-03-04T00:00:00Z", 0],
];

describe("minutes in which a person was reachable", () => {
  it.each(minutes)("%s", (_title, who, from, to, expected) => {
    expect(reachableMinutesBetween(who, new Date(from), new Date(to))).toBe(expected);
  });

  it("match the instants at which the person is reachable, around every clock change", () => {
    const zones = [
      "America/New_York",
      "Europe/Madrid",
      "Australia/Lord_Howe",
      "America/Havana",
      "Asia/Beirut",
    ];
    const clock = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom("00", "15", "30"));
    const day = fc
      .tuple(clock, clock)
      .map((times) => times.map(([hour, minute]) => `${String(hour).padStart(2, "0")}:${minute}`))
      .map(([from = "", to = ""]) => (from < to || to === "00:00" ? { from, to } : null));
    const start = fc
      .constantFrom("2026-03-08", "2026-03-29", "2026-04-05", "2026-10-04", "2026-10-25", "2026-11-01")
      .map((date) => Date.parse(`${date}T00:00:00Z`) - 24 * 3600_000);
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.array(day, { minLength: 7, maxLength: 7 }),
        start,
        (zone, days, from) => {
          const who: Reachability = {
            hours: { zone, days },
            absences: [{ from: new Date(from + 20 * 3600_000), until: new Date(from + 26 * 3600_000) }],
          };
          const quarters = Array.from({ length: 3 * 24 * 4 }, (_value, index) => from + index * 15 * 60_000);
          const open = quarters.filter((at) => isReachable(who, new Date(at))).length * 15;
          expect(reachableMinutesBetween(who, new Date(from), new Date(from + 3 * 24 * 3600_000))).toBe(open);
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe("the start of the period for overdue reminders", () => {
  const tenPast = new Date("2026-03-09T13:10:00Z");
  it.each<[string, Reachability, Date, string]>([
    ["is the instant when the person was reachable", on(newYork), tenPast, "2026-03-09T13:10:00.000Z"],
    [
      "is the evening before the weekend",
      on(newYork),
      new Date("2026-03-09T12:59:00Z"),
      "2026-03-06T22:28:00.000Z",
    ],
    [
      "is the time they left before their hours ended",
      away("2026-03-06T20:00:00Z", "2026-03-06T23:00:00Z", newYork),
      new Date("2026-03-09T12:59:00Z"),
      "2026-03-06T19:58:00.000Z",
    ],
    [
      "is the start of an absence",
      away("2026-03-02T15:00:00Z", "2026-03-09T13:30:00Z"),
      tenPast,
      "2026-03-02T14:58:00.000Z",
    ],
    [
      "is the first start of two absences with a short gap",
      {
        hours: null,
        absences: [
          { from: new Date("2026-03-09T10:00:00Z"), until: new Date("2026-03-09T12:00:00Z") },
          { from: new Date("2026-03-09T12:01:00Z"), until: new Date("2026-03-09T13:20:00Z") },
        ],
      },
      tenPast,
      "2026-03-09T09:58:00.000Z",
    ],
  ])("%s", (_title, who, at, since) => {
    expect(reachableBefore(who, at).toISOString()).toBe(since);
  });
});
