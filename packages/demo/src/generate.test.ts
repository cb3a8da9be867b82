import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { generateWorld } from "./generate.ts";
import { sandboxHistory } from "./sandbox-history.ts";
import type { Person } from "./world.ts";

const person = (id: number, firstName: string, phone: string | null): Person => ({
  id,
  firstName,
  phone,
  email: `${firstName.toLowerCase()}@portal.test`,
  crmUserId: `usr${id}`,
});

const make = (now: string, seed = "portal", timeZone = "America/New_York") =>
  generateWorld({
    seed,
    now: new Date(now),
    timeZone,
    reps: [person(2, "Ana", "+13055550101"), person(3, "Luis", "+13055550102"), person(4, "Sofía", null)],
    admin: person(1, "Portal", null),
  });

it("generates the same data for the same seed and time, and different data for another seed", () => {
  const now = "2026-11-24T21:10:00Z";
  const generated = (seed: string) =>
    createHash("sha256")
      .update(JSON.stringify(sandboxHistory(make(now, seed))))
      .digest("hex");
  const first = generated("portal");
  expect(generated("portal")).toBe(first);
  expect(generated("other")).not.toBe(first);
});

it.each([
  ["night", "2026-11-24T05:05:00Z", "America/New_York"],
  ["a Sunday morning", "2026-11-22T14:00:00Z", "America/New_York"],
  ["the first day of summer time", "2026-03-08T16:30:00Z", "America/New_York"],
  ["the last day of summer time", "2026-11-01T23:30:00Z", "America/New_York"],
  ["the repeated hour", "2026-10-25T00:30:00Z", "Europe/Madrid"],
  ["the first of January", "2027-01-01T05:01:00Z", "America/New_York"],
])(
  "a first start at %s generates nothing in the future, and work for every consultant",
  (_name, now, timeZone) => {
    const world = make(now, "portal", timeZone);
    const moment = Date.parse(now);
    const instants = [
      ...world.calls.flatMap(({ at, endedAt, confirmedAt }) => [at, endedAt, confirmedAt ?? at]),
      ...world.inbound.flatMap(({ at, endedAt, settledAt, confirmedAt }) => [
        at,
        endedAt,
        settledAt ?? at,
        confirmedAt ?? at,
      ]),
      ...world.texts.flatMap(({ at, readAt, dismissed }) => [at, readAt ?? at, dismissed?.at ?? at]),
      ...world.deliveries.flatMap(({ at, processedAt }) => [at, processedAt]),
      ...world.sessions.flatMap(({ endedAt, closedAt }) => [endedAt, closedAt]),
      ...[...world.history, ...world.audit].map(({ at }) => at),
      ...world.changes.map(({ at }) => at + 3_000),
      ...[...world.leads, ...world.waiting].flatMap(({ createdAt, updatedAt, crmUpdatedAt }) => [
        createdAt,
        updatedAt,
        crmUpdatedAt,
      ]),
    ];
    expect(Math.max(...instants)).toBeLessThanOrEqual(moment);
    const unread = world.texts.filter(({ inbound, readAt }) => inbound && readAt === null);
    expect(unread.filter(({ lead }) => lead !== null)).toHaveLength(3);
    expect(unread.filter(({ lead, dismissed }) => lead === null && dismissed === null)).toHaveLength(2);
    expect(
      world.inbound.filter(({ result, settledAt }) => result !== "answered" && settledAt === null),
    ).toHaveLength(2);
    expect(
      world.calls.filter(({ logId, confirmedAt }) => logId !== null && confirmedAt === null),
    ).toHaveLength(3);
    const hours = new Intl.DateTimeFormat("en", { timeZone, hour: "numeric", hourCycle: "h23" });
    for (const { at } of [...world.calls, ...world.inbound]) {
      expect(Number(hours.format(at))).toBeGreaterThanOrEqual(9);
      expect(Number(hours.format(at))).toBeLessThan(20);
    }
  },
);
