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

/** A call of ours that could be connected, or rang, with what came of it. */
export interface Try {
  at: Date;
  outcome: Outcome;
}

/** What is known of the calls to a lead. */
export interface TryHistory {
  /** Newest first. */
  tries: readonly Try[];
  /** The number is wrong or dead, and has not changed since. */
  numberFault: string | null;
  /** Somebody decided: tries before this instant count no more, and nobody is called before it. */
  retryFrom: Date | null;
  /** They called, and somebody talked with them: tries before it count no more. */
  talkedAt: Date | null;
  /** When the follow-up that somebody planned begins. */
  followUpAt: Date | null;
}

/** The lead's clock. */
export interface TryClock {
  /** IANA, several joined with '&'. */
  zone: string;
  /** Hours in which the lead may be called at all; null for every hour. */
  hours: ContactHours | null;
}

export type NextTry = { rule: ContractNextTry["rule"] } & (
  | { kind: "due"; since: Date | null }
  | { kind: "waiting" | "resting" | "promised"; until: Date }
  /** Which status the rule gives is no question of time. */
  | { kind: "asks"; end: RetryEnd }
  | { kind: "never" }
);

interface Question {
  history: TryHistory;
  rules: RetryRules;
  clock: TryClock;
  now: Date;
}

/** The tries that are counted together, oldest first, with how many there were of each outcome. */
interface Round {
  tries: Try[];
  counts: Map<RetriedOutcome, number>;
}

const isRetried = (outcome: Outcome): outcome is RetriedOutcome =>
  (retriedOutcomes as readonly Outcome[]).includes(outcome);

/** After these nothing of before counts: somebody was reached, or the number became another one. */
const ends: readonly Outcome[] = ["answered", "completed", "wrong_number", "disconnected"];

/**
 * When a lead is called again, by the rule of the last try's outcome. Pure. A follow-up is somebody's promise, and goes before the rules: one that came
 * due after the last try, and one that is still to come. After an outcome without a rule an hour passes.
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

/** The tries since the lead was last reached, somebody decided, or a rest was over. */
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

/** Whether the rest after a round's last try was over at `at`. */
function isRested({ tries, counts }: Round, at: Date, rules: RetryRules, clock: TryClock): boolean {
  const last = tries.at(-1);
  if (!last || !isRetried(last.outcome)) return false;
  const { attempts, end } = rules[last.outcome];
  const isUsedUp = (counts.get(last.outcome) ?? 0) > attempts;
  return isUsedUp && end.kind === "rest" && at >= restEnd(last.at, end.days, clock);
}

const onClock = (at: Date, { zone }: TryClock) => DateTime.fromJSDate(at, { zone: dayZone(zone) });

const restEnd = (at: Date, days: number, clock: TryClock) => onClock(at, clock).plus({ days }).toJSDate();

/** The rule's hours within those in which the lead may be called at all; where they have none in common the latter. */
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

/** The beginning of the clock's next hour, by minutes that pass: an hour that comes twice is two. */
function nextHour(at: Date, clock: TryClock): Date {
  const { minute, second, millisecond } = onClock(at, clock);
  return new Date(at.getTime() + hourMs - (minute * 60 + second) * 1_000 - millisecond);
}

/** Hours that a day may have: no clock turns more than one back. */
const hoursOfDay = 25;

/** The first instant of the next try: after the gap, within the hours, and in an hour of the day that was not tried. */
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
