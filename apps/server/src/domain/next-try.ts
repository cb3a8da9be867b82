import type { loggedOutcomes } from "@portal/contract/entities/call";
import {
  type NextTry as ContractNextTry,
  type RetriedOutcome,
  type RetryEnd,
  type RetryRule,
  type RetryRules,
  retriedOutcomes,
} from "@portal/contract/entities/retry";
import { limits } from "@portal/contract/limits";
import { DateTime } from "luxon";
import { type ContactHours, dayZone, nextInHours } from "./contact-window.ts";

const hourMs = 3_600_000;

type Outcome = (typeof loggedOutcomes)[number] | null;

/** An outbound call that was connected or rang, with its outcome. */
export interface Try {
  at: Date;
  outcome: Outcome;
}

/** The calls to a lead and the decisions about it. */
export interface TryHistory {
  /** Newest first. */
  tries: readonly Try[];
  /** Why the number is wrong or out of service; null if it is not, or has changed since. */
  numberFault: string | null;
  /** Set by a person: tries before this instant no longer count, and the lead is not called before it. */
  retryFrom: Date | null;
  /** When the lead called and somebody talked to them. Tries before it no longer count. */
  talkedAt: Date | null;
  /** Start of the planned follow-up. */
  followUpAt: Date | null;
}

/** The lead's local time. */
export interface TryClock {
  /** IANA zone, or several joined with '&'. */
  zone: string;
  /** Hours in which the lead may be called; null for every hour. */
  hours: ContactHours | null;
}

export type NextTry = { rule: ContractNextTry["rule"] } & (
  | { kind: "due"; since: Date | null }
  | { kind: "waiting" | "resting" | "promised"; until: Date }
  /** The rule asks a person which status the lead gets. */
  | { kind: "asks"; end: RetryEnd }
  | { kind: "never" }
);

interface Question {
  history: TryHistory;
  rules: RetryRules;
  clock: TryClock;
  now: Date;
}

/** The tries that count together, oldest first, and how many there are of each outcome. */
interface Round {
  tries: Try[];
  counts: Map<RetriedOutcome, number>;
}

const isRetried = (outcome: Outcome): outcome is RetriedOutcome =>
  (retriedOutcomes as readonly Outcome[]).includes(outcome);

/** Outcomes that start the count again: somebody was reached, or the number was wrong. */
const ends: readonly Outcome[] = ["answered", "completed", "wrong_number", "disconnected"];

/**
 * Returns when a lead is called next, by the retry rule of the last try's outcome. A pure function. A follow-up takes precedence over the
 * rules: one that came due after the last try, and one that is still to come. After an outcome without a rule the wait is one hour.
 */
export function nextTry(question: Question): NextTry {
  const { history, rules, clock, now } = question;
  const last = history.tries[0];
  if (history.numberFault !== null) return { kind: "never", rule: null };
  const { followUpAt, retryFrom } = history;
  if (followUpAt && followUpAt <= now && (!last || last.at < followUpAt))
    return { kind: "due", since: followUpAt, rule: null };
  if (followUpAt && followUpAt > now) return { kind: "promised", until: followUpAt, rule: null };
  if (retryFrom && retryFrom > now) return { kind: "resting", until: retryFrom, rule: null };

  const round = roundOf(question);
  const newest = round.tries.at(-1);
  if (!newest || !isRetried(newest.outcome)) return afterAnHour(last, retryFrom, now);
  const rule = rules[newest.outcome];
  const tries = round.counts.get(newest.outcome) ?? 0;
  const shown = { outcome: newest.outcome, tries, of: rule.attempts + 1 };
  if (tries <= rule.attempts) {
    const until = retryAt(newest.at, rule, round, clock);
    return timed({ kind: "waiting", until, rule: shown }, now);
  }
  if (rule.end.kind !== "rest") return { kind: "asks", end: rule.end, rule: shown };
  const until = inHours(restEnd(newest.at, rule.end.days, clock), hoursOf(rule, clock), clock);
  return timed({ kind: "resting", until, rule: shown }, now);
}

function timed(later: Extract<NextTry, { until: Date }>, now: Date): NextTry {
  return later.until <= now ? { kind: "due", since: later.until, rule: later.rule } : later;
}

function afterAnHour(last: Try | undefined, retryFrom: Date | null, now: Date): NextTry {
  if (retryFrom && (!last || last.at < retryFrom)) return { kind: "due", since: retryFrom, rule: null };
  if (!last) return { kind: "due", since: null, rule: null };
  const until = new Date(last.at.getTime() + limits.dialerTriedMs);
  return timed({ kind: "waiting", until, rule: null }, now);
}

/** The tries since the lead was last reached, a person decided, or a rest ended. */
function roundOf({ history, rules, clock }: Question): Round {
  const { retryFrom, talkedAt } = history;
  let round: Round = { tries: [], counts: new Map() };
  for (const one of history.tries.toReversed()) {
    if ((retryFrom && one.at < retryFrom) || (talkedAt && one.at < talkedAt)) continue;
    if (ends.includes(one.outcome) || isRested(round, one.at, rules, clock))
      round = { tries: [], counts: new Map() };
    if (ends.includes(one.outcome)) continue;
    round.tries.push(one);
    if (isRetried(one.outcome)) round.counts.set(one.outcome, (round.counts.get(one.outcome) ?? 0) + 1);
  }
  return round;
}

/** Whether the rest after a round's last try had ended at `at`. */
function isRested({ tries, counts }: Round, at: Date, rules: RetryRules, clock: TryClock): boolean {
  const last = tries.at(-1);
  if (!last || !isRetried(last.outcome)) return false;
  const { attempts, end } = rules[last.outcome];
  const isUsedUp = (counts.get(last.outcome) ?? 0) > attempts;
  return isUsedUp && end.kind === "rest" && at >= restEnd(last.at, end.days, clock);
}

const onClock = (at: Date, { zone }: TryClock) => DateTime.fromJSDate(at, { zone: dayZone(zone) });

const restEnd = (at: Date, days: number, clock: TryClock) => onClock(at, clock).plus({ days }).toJSDate();

/** The rule's hours within those in which the lead may be called; the latter alone if they do not overlap. */
function hoursOf(rule: RetryRule, { hours }: TryClock): ContactHours | null {
  if (!rule.hours || !hours) return rule.hours ?? hours;
  const common = {
    from: Math.max(rule.hours.from, hours.from),
    until: Math.min(rule.hours.until, hours.until),
  };
  return common.from < common.until ? common : hours;
}

const inHours = (at: Date, hours: ContactHours | null, { zone }: TryClock) =>
  nextInHours(at, zone, hours) ?? at;

/** The start of the next hour of local time, computed in elapsed time because an hour that occurs twice counts as two. */
function nextHour(at: Date, clock: TryClock): Date {
  const { minute, second, millisecond } = onClock(at, clock);
  return new Date(at.getTime() + hourMs - (minute * 60 + second) * 1_000 - millisecond);
}

/** Maximum number of hours of a day: clocks are set back by one hour at most. */
const hoursOfDay = 25;

/** Returns the earliest time of the next try: after the gap, within the hours, and in an hour of the day without a previous try. */
function retryAt(lastAt: Date, rule: RetryRule, round: Round, clock: TryClock): Date {
  const { amount, unit } = rule.gap;
  const hours = hoursOf(rule, clock);
  const first = inHours(
    onClock(lastAt, clock)
      .plus({ [unit]: amount })
      .toJSDate(),
    hours,
    clock,
  );
  if (!rule.otherHour) return first;
  const tried = new Set(round.tries.map(({ at }) => onClock(at, clock).hour));
  let at = first;
  for (let step = 0; step < hoursOfDay; step += 1) {
    if (!tried.has(onClock(at, clock).hour)) return at;
    at = inHours(nextHour(at, clock), hours, clock);
  }
  return first;
}
