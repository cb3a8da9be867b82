import { defaultRetryRules } from "@portal/contract/entities/retry";
import { DateTime } from "luxon";
import { describe, expect, it } from "vitest";
import { nextInHours, startOfDay, startOfNextDay } from "./contact-window.ts";
import { nextTry } from "./next-try.ts";
import type { Reachability } from "./reachability.ts";
import { orderToday, type TodayEntry, type TodayFacts } from "./today.ts";

const newYork = "America/New_York";
const hours = { from: 8, until: 21 };
const office: Reachability = {
  hours: { zone: newYork, days: Array.from({ length: 7 }, () => ({ from: "09:00", to: "18:00" })) },
  absences: [],
};

/** Instants in New York's local time; with an offset if an hour occurs twice. */
const at = (iso: string) => DateTime.fromISO(iso, { zone: newYork }).toJSDate();

interface Lead {
  promise?: string;
  followUp?: string;
  text?: string;
  missed?: string;
  arrived?: string;
  assigned?: string;
  /** 'outcome at', oldest first. */
  tries?: string[];
  retryFrom?: string;
  talked?: string;
  zone?: string;
  /** The contact policy never allows a call. */
  blocked?: boolean;
}

interface Case {
  what: string;
  now: string;
  /** By name; the id is the position. */
  leads: Record<string, Lead>;
  owner?: Reachability;
  /** 'name kinds', with '!' for overdue and '→ until why' for leads that are put off. */
  expected: string[];
}

const day = "2026-06-10";
const cases: Case[] = [
  {
    what: "the kinds come in their order, whenever each began",
    now: `${day}T15:00`,
    leads: {
      followUp: { followUp: day },
      retry: { tries: [`no_answer ${day}T09:10`] },
      fresh: { arrived: `${day}T14:58` },
      missed: { missed: `${day}T08:30` },
      text: { text: `${day}T14:59` },
      promise: { promise: `${day}T14:58` },
    },
    expected: [
      "promise promise",
      "text text",
      "missed missed_call",
      "fresh new_lead",
      "retry retry",
      "followUp follow_up",
    ],
  },
  {
    what: "what waits longest of a kind comes first; a promise is overdue after five minutes",
    now: `${day}T15:00`,
    leads: {
      later: { promise: `${day}T14:56` },
      first: { promise: "2026-06-08T10:00" },
      second: { promise: `${day}T14:55` },
    },
    expected: ["first promise!", "second promise!", "later promise"],
  },
  {
    what: "new leads: the target that ends next, then the newest of those that were missed",
    now: `${day}T15:00`,
    leads: {
      old: { arrived: `${day}T09:00` },
      late: { arrived: `${day}T14:50` },
      newest: { arrived: `${day}T14:59` },
      next: { arrived: `${day}T14:56` },
    },
    expected: ["next new_lead", "newest new_lead", "late new_lead!", "old new_lead!"],
  },
  {
    what: "the clock of a consultant begins with the assignment, that of the arrival goes on",
    now: `${day}T15:00`,
    leads: { handed: { arrived: `${day}T09:00`, assigned: `${day}T14:58` } },
    expected: ["handed new_lead (arrival missed)"],
  },
  {
    what: "a lead stands once, with all its reasons",
    now: `${day}T15:00`,
    leads: {
      many: {
        missed: `${day}T09:00`,
        text: `${day}T09:05`,
        followUp: day,
        tries: ["no_answer 2026-06-09T10:00"],
      },
    },
    expected: ["many text+missed_call+follow_up"],
  },
  {
    what: "a promise for later holds back target and rule, not who writes",
    now: `${day}T12:00`,
    leads: {
      planned: { promise: `${day}T16:00`, tries: ["no_answer 2026-06-09T10:00"] },
      fresh: { promise: `${day}T15:30`, arrived: `${day}T11:59` },
      writes: { promise: `${day}T17:00`, text: `${day}T11:50` },
      month: { followUp: "2026-07-10", text: `${day}T11:51` },
      called: { promise: `${day}T17:00`, missed: `${day}T11:52` },
    },
    // The SMS can be answered now but the lead is not called before the promised time; the lead who called is called back.
    expected: [
      "writes text → 17:00 promised",
      "month text → 00:00 promised",
      "called missed_call",
      "fresh promise → 15:30 promised",
      "planned promise → 16:00 promised",
    ],
  },
  {
    what: "a follow-up of another day holds them back for today",
    now: `${day}T12:00`,
    leads: {
      planned: { followUp: "2026-06-12", tries: ["no_answer 2026-06-09T10:00"] },
      promised: { promise: "2026-06-11T09:00" },
      overdue: { followUp: "2026-06-09" },
      today: { followUp: day },
    },
    expected: ["overdue follow_up!", "today follow_up"],
  },
  {
    what: "a promise is kept by a try after its time, and the rules take over; talking with them keeps it too",
    now: `${day}T15:00`,
    leads: {
      tried: { promise: `${day}T14:00`, tries: [`busy ${day}T14:01`] },
      again: { promise: `${day}T12:00`, tries: [`busy ${day}T12:01`] },
      before: { promise: `${day}T14:30`, tries: [`no_answer ${day}T14:10`] },
      talked: { promise: `${day}T14:00`, talked: `${day}T14:20` },
    },
    expected: ["before promise!", "again retry", "tried retry"],
  },
  {
    what: "tries that come later today say until when, those of tomorrow are not today's",
    now: `${day}T12:00`,
    leads: {
      soon: { tries: [`no_answer ${day}T09:10`] },
      tomorrow: { tries: [`no_answer ${day}T11:50`, `voicemail ${day}T11:55`] },
    },
    expected: ["soon retry → 13:10 retry_waiting"],
  },
  {
    what: "after an answer nothing is due by itself; somebody's decision is",
    now: `${day}T15:00`,
    leads: {
      answered: { tries: [`answered ${day}T10:00`] },
      decided: { tries: ["answered 2026-06-08T10:00"], retryFrom: `${day}T09:00` },
    },
    expected: ["decided retry"],
  },
  {
    what: "outside the lead's hours it is put off until they begin, by that time",
    now: `${day}T09:30`,
    leads: {
      west: { promise: `${day}T09:00`, zone: "America/Los_Angeles" },
      middle: { arrived: `${day}T09:29`, zone: "America/Denver" },
      east: { followUp: day },
    },
    expected: [
      "east follow_up",
      "middle new_lead → 10:00 outside_hours",
      "west promise! → 11:00 outside_hours",
    ],
  },
  {
    what: "a promise for an hour in which they may not be called is put off further",
    now: `${day}T07:00`,
    leads: { west: { promise: `${day}T09:00`, zone: "America/Los_Angeles" } },
    expected: ["west promise → 11:00 outside_hours"],
  },
  {
    what: "who can never be called still waits for an answer or was promised one; target and rule are gone",
    now: `${day}T15:00`,
    leads: {
      fresh: { arrived: `${day}T14:58`, blocked: true },
      retry: { tries: ["no_answer 2026-06-09T10:00"], blocked: true },
      promise: { promise: `${day}T14:00`, blocked: true },
      text: { text: `${day}T14:00`, blocked: true },
      east: { followUp: day },
    },
    expected: ["text text → never opted_out", "east follow_up", "promise promise! → never opted_out"],
  },
  {
    what: "away: no clock of a first call runs",
    now: `${day}T15:00`,
    owner: { hours: null, absences: [{ from: at(`${day}T13:58`), until: at(`${day}T14:58`) }] },
    leads: {
      before: { arrived: `${day}T13:56` },
      within: { arrived: `${day}T14:20` },
      long: { arrived: `${day}T13:00` },
    },
    // Two of the first target's five minutes had passed before the absence, so it ends in a minute.
    expected: ["before new_lead", "within new_lead", "long new_lead!"],
  },
];

const spring: Case[] = [
  {
    what: "forward: a lead of Saturday evening has until five past nine of the new time",
    now: "2026-03-08T09:04",
    leads: { evening: { arrived: "2026-03-07T19:00" }, early: { arrived: "2026-03-08T08:59" } },
    expected: ["evening new_lead", "early new_lead"],
  },
  {
    what: "forward: and is missed a minute later",
    now: "2026-03-08T09:05",
    leads: { evening: { arrived: "2026-03-07T19:00" } },
    expected: ["evening new_lead!"],
  },
  {
    what: "forward: tries wait for the hours of the new time, a promise for its own",
    now: "2026-03-08T08:00",
    leads: {
      night: { tries: ["no_answer 2026-03-07T20:30"] },
      voicemail: { tries: ["voicemail 2026-03-07T08:10"] },
      promise: { promise: "2026-03-08T09:00" },
      followUp: { followUp: "2026-03-08" },
    },
    expected: [
      "night retry",
      "followUp follow_up",
      "promise promise → 09:00 promised",
      "voicemail retry → 09:00 retry_waiting",
    ],
  },
  {
    what: "forward: the day has 23 hours, and its last promise is still today's",
    now: "2026-03-08T00:30",
    leads: { last: { promise: "2026-03-08T20:59" }, next: { promise: "2026-03-09T00:00" } },
    expected: ["last promise → 20:59 promised"],
  },
];

const autumn: Case[] = [
  {
    what: "back: a promise for the hour that comes twice stands by its instant",
    now: "2026-11-01T08:00",
    leads: { second: { promise: "2026-11-01T01:30-05:00" }, first: { promise: "2026-11-01T01:30-04:00" } },
    expected: ["first promise!", "second promise!"],
  },
  {
    what: "back: the day has 25 hours, and opens at eight of the new time",
    now: "2026-11-01T07:30",
    leads: {
      last: { promise: "2026-11-01T20:59" },
      fresh: { arrived: "2026-10-31T19:00" },
      busy: { tries: ["busy 2026-10-31T20:45"] },
    },
    expected: [
      "fresh new_lead → 08:00 outside_hours",
      "busy retry → 08:00 retry_waiting",
      "last promise → 20:59 promised",
    ],
  },
  {
    what: "back: the target of Saturday evening's lead ends at five past nine of the new time",
    now: "2026-11-01T09:05",
    leads: { evening: { arrived: "2026-10-31T19:00" } },
    expected: ["evening new_lead!"],
  },
];

const maybe = (iso: string | undefined) => (iso === undefined ? null : at(iso));

function factsOf(lead: Lead, leadId: number, now: Date): TodayFacts {
  const zone = lead.zone ?? newYork;
  const clock = { zone, hours };
  const tries = (lead.tries ?? []).map((one) => {
    const [outcome, when = ""] = one.split(" ");
    return { at: at(when), outcome: outcome as "busy" };
  });
  tries.reverse();
  const followUpAt = maybe(lead.promise ?? lead.followUp);
  const [retryFrom, talkedAt] = [maybe(lead.retryFrom), maybe(lead.talked)];
  const arrivedAt = maybe(lead.arrived);
  return {
    leadId,
    followUp: followUpAt && { at: followUpAt, hasTime: lead.promise !== undefined },
    textAt: maybe(lead.text),
    missedAt: maybe(lead.missed),
    arrival: arrivedAt && { arrivedAt, assignedAt: at(lead.assigned ?? lead.arrived ?? "") },
    next:
      tries.length > 0
        ? nextTry({
            history: { tries, numberFault: null, retryFrom, talkedAt, followUpAt },
            rules: defaultRetryRules,
            clock,
            now,
          })
        : null,
    retryFrom,
    lastContactAt: talkedAt ?? tries[0]?.at ?? null,
    refusalAt: (when) => {
      if (lead.blocked) return { reason: "opted_out", until: null };
      const until = nextInHours(when, zone, hours);
      return until?.getTime() === when.getTime() ? null : { reason: "outside_hours", until };
    },
  };
}

function describeEntry({ leadId, reasons, putOff }: TodayEntry, names: string[]): string {
  const kinds = reasons.map(({ kind, overdue, arrival }) => {
    const missed = arrival?.overdue && !overdue ? " (arrival missed)" : "";
    return `${kind}${overdue ? "!" : ""}${missed}`;
  });
  const until = putOff?.until && DateTime.fromJSDate(putOff.until, { zone: newYork }).toFormat("HH:mm");
  return `${names[leadId]} ${kinds.join("+")}${putOff ? ` → ${until ?? "never"} ${putOff.reason}` : ""}`;
}

describe.each([
  ["on an ordinary day", cases],
  ["when the clocks go forward", spring],
  ["when the clocks go back", autumn],
])("the order of Today %s", (_when, table) => {
  it.each(table.map((one) => [one.what, one] as const))("%s", (_what, { now, leads, owner, expected }) => {
    const names = Object.keys(leads);
    const when = at(now);
    const entries = orderToday({
      leads: Object.values(leads).map((lead, id) => factsOf(lead, id, when)),
      owner: owner ?? office,
      targetMinutes: 5,
      now: when,
      dayStart: startOfDay(when, newYork),
      dayEnd: startOfNextDay(when, newYork),
    });
    expect(entries.map((entry) => describeEntry(entry, names))).toEqual(expected);
  });
});
