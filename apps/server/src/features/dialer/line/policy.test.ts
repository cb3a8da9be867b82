import { describe, expect, it } from "vitest";
import {
  decideLine,
  decideMove,
  followUpOf,
  keySecondsBefore,
  type LineFacts,
  readKey,
  type SessionFacts,
} from "./policy.ts";

const session: SessionFacts = {
  status: "active",
  phase: "countdown",
  position: 2,
  callId: null,
  brief: "short",
};
const line: LineFacts = {
  ...{ state: "open", step: "waiting", stepPosition: 2, briefedPosition: null, callId: null },
  ...{ isAsked: true, isEnding: false, ageMs: 60_000, restMs: 0, silenceMs: 0, wokenMs: 0 },
};
const call = { id: 7, isNamed: true, isEnded: false, asksOutcome: false, endedMs: 0, isLeadLive: true };
const byHand = { ...call, id: 8, isEnded: true, asksOutcome: true };
const hourMs = 3_600_000;

describe("the next step of an open line", () => {
  it.each([
    ["the brief before it was spoken", {}, {}, null, { kind: "brief", position: 2 }],
    ["the countdown after the brief", {}, { briefedPosition: 2 }, null, { kind: "hold" }],
    ["the countdown without a brief", { brief: "off" }, {}, null, { kind: "hold" }],
    ["the brief before a call that is due", { phase: "checking" }, {}, null, { kind: "brief", position: 2 }],
    [
      "the call that is due",
      { phase: "checking" },
      { briefedPosition: 2 },
      null,
      { kind: "dial", position: 2 },
    ],
    [
      "a call whose lead was announced",
      { phase: "calling", callId: 7 },
      {},
      call,
      { kind: "named", callId: 7 },
    ],
    ["a call requested on screen", {}, {}, { ...call, isNamed: false }, { kind: "join", callId: 7 }],
    ["a missing outcome", { phase: "wrap_up", callId: 7 }, {}, null, { kind: "wrap_up", callId: 7 }],
    [
      "a missing outcome of a manual call",
      { status: "paused", phase: "waiting" },
      {},
      byHand,
      { kind: "wrap_up", callId: 8 },
    ],
    [
      "the outcome of a manual call before the session's own",
      { phase: "wrap_up", callId: 7 },
      {},
      byHand,
      { kind: "wrap_up", callId: 8 },
    ],
    [
      "the session when it continues without the outcome of a manual call",
      { phase: "checking" },
      { briefedPosition: 2 },
      byHand,
      { kind: "dial", position: 2 },
    ],
    ["a pause", { status: "paused", phase: "waiting" }, {}, null, { kind: "waiting" }],
    [
      "the end after ten minutes without work",
      { phase: "waiting" },
      { restMs: 600_000 },
      null,
      { kind: "bye", reason: "idle" },
    ],
    [
      "the end after almost four hours",
      {},
      { ageMs: 4 * hourMs },
      null,
      { kind: "bye", reason: "time_limit" },
    ],
    ["the end of the session", { status: "stopped" }, {}, null, { kind: "bye", reason: "session_over" }],
    ["no interruption of a talk by Stop", { status: "stopped" }, {}, call, { kind: "named", callId: 7 }],
  ] as const)("%s", (_what, more, lineMore, onLine, expected) => {
    expect(decideLine({ ...session, ...more }, { ...line, ...lineMore }, onLine)).toEqual(expected);
  });

  it.each([
    ["dials the consultant of a new line", {}, { state: "requested", isAsked: false }, null, "ring"],
    ["does nothing while it rings", { phase: "waiting" }, { state: "ringing" }, null, null],
    ["wakes a line that waits for a key when a call is due", {}, {}, null, "wake"],
    ["does nothing to a line that waits for the right key", { phase: "waiting" }, {}, null, null],
    ["does nothing during a talk", { phase: "calling", callId: 7 }, { step: "dial" }, call, null],
    ["ends the lead's leg after the line ended", { status: "paused" }, { state: "ended" }, call, "end_lead"],
    [
      "hangs up a ringing line without a session",
      { status: "stopped" },
      { state: "ringing" },
      null,
      "hang_up",
    ],
    [
      "does nothing to a line that says goodbye",
      { status: "completed", phase: "waiting" },
      { step: "wrap_up", callId: 7, isEnding: true },
      null,
      null,
    ],
    ["does nothing to a line that handles a key", {}, { step: "keys", briefedPosition: 2 }, null, null],
    [
      "wakes the line when its lead is called now",
      { phase: "checking" },
      { step: "keys", briefedPosition: 2 },
      null,
      "wake",
    ],
    [
      "wakes the line when another lead is next",
      {},
      { step: "keys", briefedPosition: 2, stepPosition: 1 },
      null,
      "wake",
    ],
    [
      "wakes the line when the outcome of a manual call was entered on screen",
      { phase: "waiting" },
      { step: "wrap_up", callId: 8 },
      { ...byHand, asksOutcome: false },
      "wake",
    ],
    ["interrupts a brief about another lead", {}, { step: "brief", stepPosition: 1 }, null, "wake"],
  ] as const)("after an external change: %s", (_what, more, lineMore, onLine, expected) => {
    expect(decideMove({ ...session, ...more }, { ...line, ...lineMore }, onLine)).toBe(expected);
  });
});

describe("keys on an open line", () => {
  it.each([
    ["call-7", "1", { kind: "outcome", callId: 7, outcome: "answered", back: null }],
    ["call-7", "6", { kind: "outcome", callId: 7, outcome: "disconnected", back: null }],
    ["call-7", "#", { kind: "suggested", callId: 7 }],
    ["call-7", "7", { kind: "ask_back", callId: 7 }],
    ["call-7", "8", { kind: "brief" }],
    ["call-7", "9", { kind: "wrong" }],
    ["call-7", "0", { kind: "pause" }],
    ["call-7", "*", { kind: "ask_correction" }],
    ["call-7", "", { kind: "none" }],
    ["back-7", "2", { kind: "back", callId: 7, back: "afternoon" }],
    ["back-7", "4", { kind: "wrong" }],
    ["back-7-3", "3", { kind: "outcome", callId: 7, outcome: "no_answer", back: "tomorrow" }],
    ["fix-7", "2", { kind: "correct", callId: 7, outcome: "voicemail" }],
    ["fix-7", "0", { kind: "wrong" }],
    ["brief-3", "", { kind: "none" }],
    ["brief-3", "0", { kind: "pause" }],
    ["count-3", "8", { kind: "brief" }],
    ["count-3", "*", { kind: "ask_correction" }],
    ["count-3", "1", { kind: "wrong" }],
    ["waiting", "1", { kind: "go" }],
    ["waiting", "3", { kind: "wrong" }],
    ["", "1", { kind: "go" }],
  ] as const)("%s %s", (about, key, expected) => {
    expect(readKey(about, key)).toEqual(expected);
  });

  it.each([
    ["a whole countdown", 5_000, [], 4],
    ["the rest of a countdown after speech", 5_000, ["Laura, Tampa."], 3],
    ["less than a second", 1_600, [], null],
    ["a brief as long as the countdown", 3_000, ["Laura Gómez, Tampa, second try."], null],
    ["no countdown", null, [], null],
  ] as const)("are accepted for whole seconds of %s", (_what, dueAt, said, expected) => {
    expect(keySecondsBefore(dueAt, { said: [...said], now: 0 })).toBe(expected);
  });

  it.each([
    ["hour", "2026-03-10T18:10:00Z", "15:10"],
    ["afternoon", "2026-03-10T14:00:00Z", "15:00"],
    ["afternoon", "2026-03-10T20:00:00Z", "18:00"],
    ["tomorrow", "2026-03-10T18:10:00Z", "14:10"],
  ] as const)("schedule a call back %s at %s", (back, now, time) => {
    expect(followUpOf(back, { now: new Date(now), zone: "America/New_York" }).nextFollowUpTime).toBe(time);
  });
});
