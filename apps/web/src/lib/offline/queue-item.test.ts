import { describe, expect, it } from "vitest";
import { buildLead } from "../../testing/lead-builders.ts";
import {
  afterEarlier,
  type LeadChange,
  type OfflineWrite,
  type QueueItem,
  requestOf,
  seenOf,
  withOwn,
  withTheirs,
} from "./queue-item.ts";

const lead = buildLead({ id: 7, status: "new", priority: "low", notes: "Old roof", nextFollowUpDate: null });

const changeTo = (change: LeadChange): OfflineWrite => ({
  kind: "change",
  change,
  seen: seenOf(lead, change),
});
const outcome = (of: "answered" | "busy", notes: string | null = null): OfflineWrite => ({
  kind: "outcome",
  report: { duration: 0, outcome: of, notes, callType: "browser", twilioCallSid: "CA1" },
  seen: null,
});
const item = (write: OfflineWrite, now?: Record<string, string | null>): QueueItem => ({
  id: 1,
  userId: 2,
  leadId: 7,
  leadName: lead.name,
  saidAt: Date.now(),
  clientRef: "ref",
  write,
  ...(now && { refusal: { status: 409, text: "", body: { code: "changed_meanwhile", now } } }),
});

describe("the values a user saw before a change", () => {
  it("are the changed fields; a follow-up includes its time", () => {
    expect(seenOf(lead, { status: "interested" })).toEqual({ status: "new" });
    expect(seenOf(lead, { nextFollowUpDate: "2026-12-01T12:00:00.000Z" })).toEqual({
      nextFollowUpDate: null,
      nextFollowUpTime: null,
      nextFollowUpZone: null,
    });
  });

  it("include the user's own earlier changes, which are sent first", () => {
    const date = "2026-12-01T12:00:00.000Z";
    const timed = { nextFollowUpDate: date, nextFollowUpTime: "10:00", nextFollowUpZone: "America/New_York" };
    const after = (write: OfflineWrite, ...earlier: OfflineWrite[]) =>
      afterEarlier(
        write,
        earlier.map((each) => item(each)),
      );
    const status = changeTo({ status: "interested" });
    expect(after(status, changeTo({ status: "qualified" }))).toMatchObject({ seen: { status: "qualified" } });
    expect(after(status, outcome("answered"))).toMatchObject({ seen: { status: "contacted" } });
    expect(after(status, outcome("busy"))).toMatchObject({ seen: { status: "new" } });
    expect(after(changeTo({ notes: "New roof" }), { kind: "note", text: "Calls at noon" })).toMatchObject({
      seen: { notes: "Calls at noon\n\nOld roof" },
    });
    const removed = changeTo({ nextFollowUpDate: null });
    expect(after(removed, changeTo(timed))).toMatchObject({ seen: timed });
    expect(after(changeTo(timed), changeTo(timed), removed)).toMatchObject({
      seen: { nextFollowUpDate: null, nextFollowUpTime: null, nextFollowUpZone: null },
    });
    expect(after(outcome("busy"), outcome("answered"))).toMatchObject({ seen: "answered" });
  });
});

it("sends the values the user saw from the second try on", () => {
  const change = item(changeTo({ status: "interested" }));
  expect(requestOf(change, false)).toEqual({
    method: "PATCH",
    path: "/api/leads/7",
    body: { status: "interested", clientRef: "ref" },
  });
  expect(requestOf(change, true).body).toMatchObject({ seen: { status: "new" } });
  // The new lead's contact counts from when it was entered, not from when the network came back.
  expect(requestOf({ ...change, saidAt: 0 }, true).body).toMatchObject({
    lastContactedAt: "1970-01-01T00:00:00.000Z",
  });
  expect(requestOf(item({ kind: "note", text: "Noon" }), true)).toEqual({
    method: "POST",
    path: "/api/leads/7/notes",
    body: { text: "Noon", clientRef: "ref" },
  });
});

describe("a conflict with a change made meanwhile", () => {
  const change = changeTo({ status: "interested", priority: "high", nextFollowUpTime: "10:00" });

  it("is overwritten with the newer value as seen", () => {
    const own = withOwn(item(change, { status: "qualified" }));
    expect(own.write).toMatchObject({ change: { status: "interested" }, seen: { status: "qualified" } });
    expect(withOwn(item(outcome("busy"), { outcome: "voicemail" })).write).toMatchObject({
      report: { outcome: "busy" },
      seen: "voicemail",
    });
  });

  it("can keep the newer value, and sends the remaining fields", () => {
    expect(withTheirs(item(change, { status: "qualified" }))?.write).toMatchObject({
      change: { priority: "high", nextFollowUpTime: "10:00" },
    });
    const followUp = { nextFollowUpDate: null, nextFollowUpTime: null, nextFollowUpZone: null };
    expect(withTheirs(item(change, followUp))?.write).toMatchObject({
      change: { status: "interested", priority: "high" },
    });
    expect(withTheirs(item(changeTo({ status: "interested" }), { status: "qualified" }))).toBeNull();
    expect(withTheirs(item(outcome("busy"), { outcome: "voicemail" }))).toBeNull();
    expect(withTheirs(item(outcome("busy", "Try at noon"), { outcome: "voicemail" }))?.write).toMatchObject({
      report: { outcome: "voicemail", notes: "Try at noon" },
      seen: "voicemail",
    });
  });
});
