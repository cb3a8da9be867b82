import type { WorkingHours } from "@portal/contract/entities/availability";
import { DateTime } from "luxon";
import { describe, expect, it } from "vitest";
import { freeSlots, type SlotSearch } from "./reachability.ts";

const newYork = "America/New_York";
const hours = (from: string, to: string, zone = newYork): WorkingHours => ({
  zone,
  days: Array.from({ length: 7 }, () => ({ from, to })),
});
const at = (local: string, zone = newYork) => DateTime.fromISO(local, { zone }).toMillis();
const taken = (from: string, until: string) => ({ from: at(from), until: at(until) });

/** A search on a Tuesday at 8:00 in New York. */
const usual: SlotSearch = {
  reachability: { hours: hours("09:00", "11:00"), absences: [] },
  busy: [],
  now: new Date(at("2026-11-24T08:00")),
  zone: newYork,
  leadZone: null,
  minutes: 30,
  days: 1,
  perDay: 20,
};
const absent = (from: string, until: string | null) => ({
  hours: hours("09:00", "11:00"),
  absences: [{ from: new Date(at(from)), until: until === null ? null : new Date(at(until)) }],
});
/** The found slots in local time of a zone, as '24 09:00'. */
const found = (more: Partial<SlotSearch>, zone = newYork) =>
  freeSlots({ ...usual, ...more }).map((slot) => DateTime.fromJSDate(slot, { zone }).toFormat("d HH:mm"));

const cases: [title: string, more: Partial<SlotSearch>, slots: string[]][] = [
  ["every half hour of the working hours", {}, ["24 09:00", "24 09:30", "24 10:00", "24 10:30"]],
  ["up to one that ends with the working hours", { minutes: 60 }, ["24 09:00", "24 09:30", "24 10:00"]],
  ["none that overlaps a busy time", { busy: [taken("2026-11-24T09:15", "2026-11-24T10:30")] }, ["24 10:30"]],
  ["none too close to now", { now: new Date(at("2026-11-24T09:50")) }, ["24 10:30"]],
  [
    "those of the next day when today has none left",
    { now: new Date(at("2026-11-24T10:50")), perDay: 1 },
    ["25 09:00"],
  ],
  [
    "a few of each day, spread over the day",
    { days: 2, perDay: 2 },
    ["24 09:00", "24 10:30", "25 09:00", "25 10:30"],
  ],
  [
    "none while away",
    { reachability: absent("2026-11-24T07:00", "2026-11-24T10:00") },
    ["24 10:00", "24 10:30"],
  ],
  [
    "none today during an absence without an end",
    { reachability: absent("2026-11-24T07:00", null), perDay: 1 },
    ["25 09:00"],
  ],
  ["none before eight in the lead's zone", { leadZone: "America/Denver" }, ["24 10:00", "24 10:30"]],
  [
    "none before eight in any of the lead's zones",
    { leadZone: `${newYork}&America/Denver` },
    ["24 10:00", "24 10:30"],
  ],
  [
    "those of default working hours without own ones",
    { reachability: { hours: null, absences: [] }, perDay: 2, days: 5 },
    [
      "24 09:00",
      "24 17:30",
      "25 09:00",
      "25 17:30",
      "26 09:00",
      "26 17:30",
      "27 09:00",
      "27 17:30",
      "30 09:00",
      "30 17:30",
    ],
  ],
  [
    "at the same clock time after the clocks go forward",
    { now: new Date(at("2026-03-07T23:00")), days: 1 },
    ["8 09:00", "8 09:30", "8 10:00", "8 10:30"],
  ],
  [
    "in a repeated hour twice, in a skipped hour never",
    { now: new Date(at("2026-10-31T23:00")), reachability: { hours: hours("00:30", "02:30"), absences: [] } },
    ["1 00:30", "1 01:00", "1 01:30", "1 01:00", "1 01:30", "1 02:00"],
  ],
  [
    "outside the gap of a clock change",
    { now: new Date(at("2026-03-07T23:00")), reachability: { hours: hours("01:00", "04:00"), absences: [] } },
    ["8 01:00", "8 01:30", "8 03:00", "8 03:30"],
  ],
  ["none when two weeks are busy", { busy: [taken("2026-11-24T00:00", "2026-12-20T00:00")] }, []],
];

describe("free slots of a calendar are", () => {
  it.each(cases)("%s", (_title, more, slots) => {
    expect(found(more)).toEqual(slots);
  });

  it("in the zone of the working hours, whatever the current zone", () => {
    const reachability = { hours: hours("09:00", "10:00", "Europe/Madrid"), absences: [] };
    expect(found({ reachability, now: new Date(at("2026-11-24T01:00")) }, "Europe/Madrid")).toEqual([
      "24 09:00",
      "24 09:30",
    ]);
  });
});
