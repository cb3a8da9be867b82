import { describe, expect, it } from "vitest";
import { toCalendarEvent, toEventChange, toProviderError } from "./transform.ts";

const event = {
  kind: "calendar#event",
  id: "0j4k",
  etag: '"3521"',
  status: "confirmed",
  summary: " Renewal ",
  eventType: "default",
  start: { dateTime: "2027-03-14T09:00:00-04:00", timeZone: "America/New_York" },
  end: { dateTime: "2027-03-14T09:30:00-04:00", timeZone: "America/New_York" },
  attendees: [
    { email: "ana@example.com", self: true, organizer: true, responseStatus: "accepted" },
    { email: "room@example.com", resource: true },
    { email: "eva@example.com", responseStatus: "needsAction" },
  ],
};

describe("a Google Calendar event", () => {
  it("is converted to UTC, with its guests but without the account itself and rooms", () => {
    expect(toCalendarEvent(event)).toMatchObject({
      fields: {
        title: "Renewal",
        startTime: "2027-03-14T13:00:00.000Z",
        timeZone: "America/New_York",
        attendees: ["eva@example.com"],
        link: null,
      },
      conference: "none",
      ignorable: false,
    });
  });

  it("has a join link only from its conference or a URL in its location field", () => {
    const link = (more: object) => toCalendarEvent({ ...event, ...more }).fields?.link;
    expect(link({ hangoutLink: "https://meet.google.com/a", location: "https://x.example.com" })).toBe(
      "https://meet.google.com/a",
    );
    expect(link({ location: "https://x.example.com/1" })).toBe("https://x.example.com/1");
    expect(link({ location: "Room 4" })).toBeNull();
    expect(link({ hangoutLink: "javascript:alert(1)" })).toBeNull();
  });

  it("has no times when it lasts whole days, and falls back to UTC for an unknown zone", () => {
    const day = { start: { date: "2027-03-14" }, end: { date: "2027-03-15" } };
    expect(toCalendarEvent({ ...event, ...day }).fields).toBeNull();
    const odd = { start: { ...event.start, timeZone: "Mars/Olympus" } };
    expect(toCalendarEvent({ ...event, ...odd }).fields?.timeZone).toBe("UTC");
  });

  it("is ignored when declined or of a special kind; a deleted one keeps its id", () => {
    const declined = [{ email: "ana@example.com", self: true, responseStatus: "declined" }];
    expect(toCalendarEvent({ ...event, attendees: declined }).ignorable).toBe(true);
    expect(toCalendarEvent({ ...event, eventType: "focusTime" }).ignorable).toBe(true);
    expect(toCalendarEvent({ ...event, attendees: declined }).busy).toBeNull();
    expect(toEventChange({ id: "0j4k", status: "cancelled" })).toEqual({ deleted: true, id: "0j4k" });
  });
});

describe("the busy time of an event", () => {
  it.each([
    ["an event with times", {}, { from: "2027-03-14T13:00:00.000Z", until: "2027-03-14T13:30:00.000Z" }],
    ["an event shown as free", { transparency: "transparent" }, null],
    [
      "an all-day event of 23 hours when the clocks go forward",
      { start: { date: "2027-03-14" }, end: { date: "2027-03-15" } },
      { from: "2027-03-14T05:00:00.000Z", until: "2027-03-15T04:00:00.000Z" },
    ],
    [
      "an out-of-office event",
      { eventType: "outOfOffice" },
      { from: "2027-03-14T13:00:00.000Z", until: "2027-03-14T13:30:00.000Z" },
    ],
  ])("%s", (_name, more, busy) => {
    expect(toCalendarEvent({ ...event, ...more }, "America/New_York").busy).toEqual(busy);
  });
});

describe("an error of Google", () => {
  const api = (status: number, reason: string) => ({
    response: { status, data: { error: { code: status, message: "words", errors: [{ reason }] } } },
  });
  it.each([
    ["a revoked token", { response: { status: 400, data: { error: "invalid_grant" } } }, "auth"],
    ["a wrong client key", { response: { status: 401, data: { error: "invalid_client" } } }, "unavailable"],
    ["a 401", api(401, "authError"), "auth"],
    ["a missing scope", api(403, "insufficientPermissions"), "auth"],
    ["an exceeded quota", api(403, "userRateLimitExceeded"), "rate-limited"],
    ["a permanent 403", api(403, "forbiddenForNonOrganizer"), "invalid"],
    ["a 410", api(410, "deleted"), "not-found"],
    ["a concurrent change", api(412, "conditionNotMet"), "unavailable"],
    ["an HTML page of a proxy", { response: { status: 502, data: "<html>" } }, "unavailable"],
    ["no response", new Error("socket hang up"), "unavailable"],
  ])("maps %s to its error kind", (_name, error, kind) => {
    expect(toProviderError(error).kind).toBe(kind);
  });
});
