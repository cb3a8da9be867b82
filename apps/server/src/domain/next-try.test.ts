import { defaultRetryRules, type RetryRules } from "@portal/contract/entities/retry";
import { DateTime } from "luxon";
import { describe, expect, it } from "vitest";
import { nextTry, type Try, type TryHistory } from "./next-try.ts";

const newYork = "America/New_York";
const losAngeles = "America/Los_Angeles";
/** An area with two zones: the hours must hold in both. */
const bothZones = "America/New_York&America/Chicago";

interface Case {
  what: string;
  /** Tries as 'outcome at', oldest first, in the lead's local time; with an offset if an hour occurs twice. */
  tries: string[];
  now: string;
  zone?: string;
  /** Null for every hour. */
  hours?: [number, number] | null;
  rules?: Partial<RetryRules>;
  history?: Partial<Record<"retryFrom" | "talkedAt" | "followUpAt", string>> & { numberFault?: string };
  /** 'kind until' in the lead's local time, and the number of tries so far with the maximum. */
  expected: string;
}

const { no_answer: noAnswer, busy, voicemail } = defaultRetryRules;
const day = "2026-06-10";
const fourTries = [
  `no_answer ${day}T08:10`,
  `no_answer ${day}T12:30`,
  `no_answer ${day}T16:40`,
  "no_answer 2026-06-11T09:00",
];

const cases: Case[] = [
  { what: "no try yet", tries: [], now: `${day}T10:00`, expected: "due" },
  ...[
    {
      what: "no answer: four hours",
      tries: [`no_answer ${day}T10:12`],
      expected: "waiting 2026-06-10T14:12 1/4",
    },
    {
      what: "second no answer",
      tries: [`no_answer ${day}T08:10`, `no_answer ${day}T12:30`],
      expected: "waiting 2026-06-10T16:30 2/4",
    },
    {
      what: "four hours that end at night: the next morning",
      tries: [`no_answer ${day}T18:05`],
      expected: "waiting 2026-06-11T08:00 1/4",
    },
    {
      what: "the first hour of the morning was tried: the hour after",
      tries: [`no_answer ${day}T08:10`, `no_answer ${day}T18:05`],
      expected: "waiting 2026-06-11T09:00 2/4",
    },
    {
      what: "busy: half an hour, and another hour",
      tries: [`busy ${day}T10:05`],
      expected: "waiting 2026-06-10T11:00 1/4",
    },
    {
      what: "busy: half an hour into another hour",
      tries: [`busy ${day}T10:40`],
      expected: "waiting 2026-06-10T11:10 1/4",
    },
    {
      what: "voicemail: a day, and another hour",
      tries: [`voicemail ${day}T10:12`],
      expected: "waiting 2026-06-11T11:00 1/3",
    },
    {
      what: "in the lead's zone",
      zone: losAngeles,
      tries: [`no_answer ${day}T18:05`],
      expected: "waiting 2026-06-11T08:00 1/4",
    },
    {
      what: "an area code with two zones: the hours of both",
      zone: bothZones,
      tries: [`no_answer ${day}T17:30`],
      expected: "waiting 2026-06-11T09:00 1/4",
    },
    {
      what: "a market without contact hours",
      hours: null,
      tries: [`no_answer ${day}T22:30`],
      expected: "waiting 2026-06-11T02:30 1/4",
    },
    {
      what: "hours set in the rule",
      rules: { no_answer: { ...noAnswer, hours: { from: 17, until: 20 } } },
      tries: [`no_answer ${day}T09:00`],
      expected: "waiting 2026-06-10T17:00 1/4",
    },
    {
      what: "hours set in the rule outside contact hours: contact hours",
      rules: { no_answer: { ...noAnswer, hours: { from: 21, until: 24 } } },
      tries: [`no_answer ${day}T18:05`],
      expected: "waiting 2026-06-11T08:00 1/4",
    },
    {
      what: "the only hour was tried",
      rules: { busy: { ...busy, hours: { from: 10, until: 11 } } },
      tries: [`busy ${day}T10:05`],
      expected: "waiting 2026-06-10T10:35 1/4",
    },
    {
      what: "the same hour may be tried",
      rules: { busy: { ...busy, otherHour: false } },
      tries: [`busy ${day}T10:05`],
      expected: "waiting 2026-06-10T10:35 1/4",
    },
    {
      what: "each outcome has its own count",
      tries: [`busy ${day}T08:10`, `busy ${day}T09:10`, `no_answer ${day}T10:12`],
      expected: "waiting 2026-06-10T14:12 1/4",
    },
    {
      what: "answered: an hour, without a rule",
      tries: [`answered ${day}T10:12`],
      expected: "waiting 2026-06-10T11:12",
    },
    { what: "no outcome yet: an hour", tries: [`null ${day}T10:12`], expected: "waiting 2026-06-10T11:12" },
    {
      what: "not connected after it rang: an hour",
      tries: [`no_answer ${day}T08:10`, `not_connected ${day}T10:12`],
      expected: "waiting 2026-06-10T11:12",
    },
    {
      what: "no further try: a pause at once",
      rules: { busy: { ...busy, attempts: 0 } },
      tries: [`busy ${day}T10:05`],
      expected: "resting 2026-07-10T10:05 1/1",
    },
  ].map((one) => ({ now: one.tries.at(-1)?.slice(-16) ?? "", ...one })),
  {
    what: "a minute before it is due",
    tries: [`no_answer ${day}T10:12`],
    now: `${day}T14:11`,
    expected: "waiting 2026-06-10T14:12 1/4",
  },
  {
    what: "due",
    tries: [`no_answer ${day}T10:12`],
    now: `${day}T14:12`,
    expected: "due 2026-06-10T14:12 1/4",
  },
  {
    what: "the tries are used up",
    tries: fourTries,
    now: "2026-06-12T10:00",
    expected: "resting 2026-07-11T09:00 4/4",
  },
  {
    what: "the pause is over",
    tries: fourTries,
    now: "2026-07-11T09:00",
    expected: "due 2026-07-11T09:00 4/4",
  },
  {
    what: "called by hand during the pause: it starts again",
    tries: [...fourTries, "no_answer 2026-06-20T10:00"],
    now: "2026-06-20T10:00",
    expected: "resting 2026-07-20T10:00 5/4",
  },
  {
    what: "the first try after a pause",
    tries: [...fourTries, "no_answer 2026-07-11T09:10"],
    now: "2026-07-11T09:10",
    expected: "waiting 2026-07-11T13:10 1/4",
  },
  {
    what: "reached in between: the count starts again",
    tries: [...fourTries, "answered 2026-06-12T10:00", "no_answer 2026-06-13T10:12"],
    now: "2026-06-13T10:12",
    expected: "waiting 2026-06-13T14:12 1/4",
  },
  {
    what: "an answered inbound call",
    tries: fourTries,
    history: { talkedAt: "2026-06-11T15:00" },
    now: "2026-06-12T10:00",
    expected: "due 2026-06-11T10:00",
  },
  {
    what: "the consultant is asked",
    rules: { no_answer: { ...noAnswer, end: { kind: "ask" } } },
    tries: fourTries,
    now: "2027-01-01T10:00",
    expected: "asks 4/4",
  },
  {
    what: "a final status",
    rules: { no_answer: { ...noAnswer, end: { kind: "status", status: "not_interested" } } },
    tries: fourTries,
    now: "2026-06-12T10:00",
    expected: "asks 4/4",
  },
  {
    what: "retried by decision",
    rules: { no_answer: { ...noAnswer, end: { kind: "ask" } } },
    tries: fourTries,
    history: { retryFrom: "2026-06-12T09:00" },
    now: "2026-06-12T10:00",
    expected: "due 2026-06-12T09:00",
  },
  {
    what: "paused by decision",
    tries: [`no_answer ${day}T10:12`],
    history: { retryFrom: "2026-07-10T10:00" },
    now: "2026-06-12T10:00",
    expected: "resting 2026-07-10T10:00",
  },
  {
    what: "a wrong number",
    tries: [`wrong_number ${day}T10:12`],
    history: { numberFault: "wrong_number" },
    now: "2027-06-12T10:00",
    expected: "never",
  },
  {
    what: "a wrong number that was replaced",
    tries: [...fourTries, "disconnected 2026-06-12T08:00"],
    now: "2026-06-12T10:00",
    expected: "due 2026-06-12T09:00",
  },
  {
    what: "a follow-up due after the last try precedes the rule",
    tries: fourTries,
    history: { followUpAt: "2026-06-12T09:30" },
    now: "2026-06-12T09:30",
    expected: "due 2026-06-12T09:30",
  },
  {
    what: "a try after the follow-up was due",
    tries: [`no_answer ${day}T10:12`],
    history: { followUpAt: `${day}T10:00` },
    now: `${day}T10:20`,
    expected: "waiting 2026-06-10T14:12 1/4",
  },
  ...[
    { what: "a future follow-up precedes a try that is due", tries: [`no_answer ${day}T10:12`] },
    { what: "a future follow-up without a try", tries: [] },
    { what: "a future follow-up precedes a pause", tries: fourTries },
    { what: "a future follow-up after an answered call", tries: [`answered ${day}T10:12`] },
    {
      what: "a future follow-up precedes a decision to pause",
      tries: [`no_answer ${day}T10:12`],
      retryFrom: "2026-07-10T10:00",
    },
  ].map(({ retryFrom, ...one }) => ({
    ...one,
    history: { followUpAt: "2026-06-20T10:00", ...(retryFrom && { retryFrom }) },
    now: "2026-06-12T14:12",
    expected: "promised 2026-06-20T10:00",
  })),
  {
    what: "a future follow-up does not change a wrong number",
    tries: [`wrong_number ${day}T10:12`],
    history: { numberFault: "wrong_number", followUpAt: "2026-06-20T10:00" },
    now: "2026-06-12T10:00",
    expected: "never",
  },
  // 8 March 2026: clocks go forward from 2:00 to 3:00.
  {
    what: "spring: four hours pass, whatever the clock says",
    hours: null,
    tries: ["no_answer 2026-03-07T23:30"],
    now: "2026-03-07T23:30",
    expected: "waiting 2026-03-08T04:30 1/4",
  },
  {
    what: "spring: a day later at the same time, and another hour",
    tries: ["voicemail 2026-03-07T10:12"],
    now: "2026-03-07T10:12",
    expected: "waiting 2026-03-08T11:00 1/3",
  },
  {
    what: "spring: the skipped hour is not used",
    hours: null,
    tries: ["busy 2026-03-08T01:20"],
    now: "2026-03-08T01:20",
    expected: "waiting 2026-03-08T03:00 1/4",
  },
  {
    what: "spring: contact hours follow the new clock",
    tries: ["no_answer 2026-03-07T20:00"],
    now: "2026-03-07T20:00",
    expected: "waiting 2026-03-08T08:00 1/4",
  },
  {
    what: "spring: a pause of thirty days ends at the same time of day",
    rules: { voicemail: { ...voicemail, attempts: 0 } },
    tries: ["voicemail 2026-02-20T10:12"],
    now: "2026-02-20T10:12",
    expected: "resting 2026-03-22T10:12 1/1",
  },
  // 1 November 2026: clocks go back from 2:00 to 1:00.
  {
    what: "autumn: four hours pass, whatever the clock says",
    hours: null,
    tries: ["no_answer 2026-10-31T23:30"],
    now: "2026-10-31T23:30",
    expected: "waiting 2026-11-01T02:30 1/4",
  },
  {
    what: "autumn: the repeated hour counts as one hour of the day",
    hours: null,
    tries: ["busy 2026-11-01T01:20-04:00"],
    now: "2026-11-01T01:20-04:00",
    expected: "waiting 2026-11-01T02:00 1/4",
  },
  {
    what: "autumn: a day later at the same time, and another hour",
    tries: ["voicemail 2026-10-31T10:12"],
    now: "2026-10-31T10:12",
    expected: "waiting 2026-11-01T11:00 1/3",
  },
  {
    what: "autumn: contact hours follow the new clock",
    tries: ["no_answer 2026-10-31T20:00"],
    now: "2026-10-31T20:00",
    expected: "waiting 2026-11-01T08:00 1/4",
  },
];

describe("the next try of a lead", () => {
  it.each(cases)("$what", ({ tries, now, zone = newYork, hours = [8, 21], rules, history, expected }) => {
    const [clockZone = zone] = zone.split("&");
    const instant = (at: string) => DateTime.fromISO(at, { zone: clockZone }).toJSDate();
    const past: TryHistory = {
      tries: tries
        .map((one): Try => {
          const [outcome = "", at = ""] = one.split(" ");
          return { at: instant(at), outcome: outcome === "null" ? null : (outcome as Try["outcome"]) };
        })
        .toReversed(),
      numberFault: history?.numberFault ?? null,
      retryFrom: history?.retryFrom ? instant(history.retryFrom) : null,
      talkedAt: history?.talkedAt ? instant(history.talkedAt) : null,
      followUpAt: history?.followUpAt ? instant(history.followUpAt) : null,
    };
    const next = nextTry({
      history: past,
      rules: { ...defaultRetryRules, ...rules },
      clock: { zone, hours: hours && { from: hours[0], until: hours[1] } },
      now: instant(now),
    });
    const at = "until" in next ? next.until : "since" in next ? next.since : null;
    const local = at && DateTime.fromJSDate(at, { zone: clockZone }).toFormat("yyyy-MM-dd'T'HH:mm");
    const count = next.rule && `${next.rule.tries}/${next.rule.of}`;
    expect([next.kind, local, count].filter((part) => part !== null).join(" ")).toBe(expected);
  });
});
