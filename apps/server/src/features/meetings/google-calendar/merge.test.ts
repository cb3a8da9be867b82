import { describe, expect, it } from "vitest";
import type { EventFields } from "../../../ports/calendar.ts";
import { columnsOf, type MeetingRow, mergeFields, planWrite } from "./merge.ts";

const base: EventFields = {
  title: "Call with Eva",
  description: null,
  startTime: "2027-03-14T13:00:00.000Z",
  endTime: "2027-03-14T13:30:00.000Z",
  timeZone: "America/New_York",
  attendees: ["eva@example.com", "luz@example.com"],
  link: null,
};

describe("mergeFields", () => {
  it("keeps fields changed here and takes all others from Google", () => {
    const local = { ...base, title: "Contract with Eva" };
    const remote = { ...base, title: "Eva?", description: "Bring the offer" };
    expect(mergeFields({ base, local, remote })).toEqual({ ...remote, title: "Contract with Eva" });
  });

  it("never combines the start of one side with the end of the other", () => {
    const local = { ...base, startTime: "2027-03-14T13:15:00.000Z" };
    const remote = { ...base, startTime: "2027-03-15T09:00:00.000Z", endTime: "2027-03-15T09:30:00.000Z" };
    expect(mergeFields({ base, local, remote })).toMatchObject({
      startTime: "2027-03-14T13:15:00.000Z",
      endTime: "2027-03-14T13:30:00.000Z",
    });
  });
});

describe("planWrite", () => {
  const now = new Date("2027-03-01T00:00:00Z");
  const row = (fields: Partial<EventFields>, rest: Partial<MeetingRow> = {}) =>
    ({
      id: 7,
      version: 2,
      wantsMeetLink: false,
      ...columnsOf({ ...base, ...fields }),
      googleBase: { ...base, conference: "none" },
      ...rest,
    }) as MeetingRow;

  it("contains only what changed since the last write to Google", () => {
    expect(planWrite(row({ title: "Other" }), now)).toMatchObject({
      fields: { title: "Other" },
      conference: "keep",
      notify: true,
    });
    expect(Object.keys(planWrite(row({ title: "Other" }), now)?.fields ?? {})).toEqual(["title"]);
    expect(planWrite(row({ attendees: ["LUZ@example.com", "eva@example.com"] }), now)).toBeNull();
  });

  it("contains start, end and zone together", () => {
    const fields = planWrite(row({ timeZone: "Europe/Madrid" }), now)?.fields;
    expect(Object.keys(fields ?? {}).sort()).toEqual(["endTime", "startTime", "timeZone"]);
  });

  it("requests a conference once, and removes one that is no longer wanted", () => {
    const making = { googleBase: { ...base, conference: "pending" } };
    expect(planWrite(row({}, { wantsMeetLink: true }), now)?.conference).toBe("make");
    expect(planWrite(row({}, { wantsMeetLink: true, ...making }), now)).toBeNull();
    expect(planWrite(row({}, making), now)?.conference).toBe("drop");
  });
});
