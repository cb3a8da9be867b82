import { describe, expect, it } from "vitest";
import { buildMeeting } from "../../testing/builders.ts";
import { bodyOf, changesOf, draftOf, missingFields, timesOf } from "./meeting-draft.ts";

const zone = "America/New_York";
/** 1:30 for the second time that night, with seconds that no dialog shows. */
const second = buildMeeting({
  startTime: "2027-11-07T06:30:20.000Z",
  endTime: "2027-11-07T07:15:20.000Z",
  attendeeEmails: "a@example.com, b@example.com",
});

describe("the draft of a meeting", () => {
  it("starts with the recorded defaults, and requires title, day and time", () => {
    const draft = draftOf(null, null, zone);
    expect(draft).toMatchObject({ minutes: 30, calendarType: "google", lead: null });
    expect([...missingFields({ ...draft, title: "  " })]).toEqual(["title", "day", "time"]);
  });

  it.each(["America/New_York", "Europe/Madrid", "Asia/Kolkata"])(
    "has no changes for an unedited meeting in %s",
    (from) => {
      const draft = draftOf(second, null, from);
      const { start, end } = timesOf(draft, from);
      if (!start || !end) throw new Error("the meeting has no times");
      expect(start.toISOString()).toBe("2027-11-07T06:30:00.000Z");
      expect(changesOf(bodyOf(draft, { start, end }, from), second)).toEqual({});
    },
  );

  it("keeps its length across a clock change, and sends the zone with new times", () => {
    const draft = { ...draftOf(second, null, zone), day: "2027-03-14", time: "01:30", minutes: 60 };
    const { start, end } = timesOf(draft, zone);
    expect([start?.toISOString(), end?.toISOString()]).toEqual([
      "2027-03-14T06:30:00.000Z",
      "2027-03-14T07:30:00.000Z",
    ]);
    if (!start || !end) throw new Error("the meeting has no times");
    expect(Object.keys(changesOf(bodyOf(draft, { start, end }, zone), second)).sort()).toEqual([
      "endTime",
      "startTime",
      "timeZone",
    ]);
    expect(timesOf({ ...draft, time: "02:30" }, zone).start).toBeNull();
  });
});
