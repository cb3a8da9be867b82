import type { CallOutcome, CallResult, CallState } from "@portal/contract/entities/call";
import {
  type Answerer,
  answerers,
  type DialStatus,
  dialStatuses,
  type LegStatus,
  legStatuses,
} from "../../ports/telephony.ts";

/** `refused`: the provider was never asked, refused, or never made the call. Any word of the provider outranks it. */
export type RepLeg = LegStatus | "refused";
/** `never`: the provider knows of no lead's leg although it was to be dialled. */
export type Dial = DialStatus | "never";

/** What is known of a call. Every fact only grows, so that events may come late, twice or in any order. */
export interface CallFacts {
  repLeg: RepLeg | null;
  leadLeg: LegStatus | null;
  /** The lead's phone is known to have rung. */
  leadRang: boolean;
  /** The rep pressed 1, or needed not: the provider was told to dial the lead. */
  pressed: boolean;
  /** The rep asked to end the call. */
  endRequested: boolean;
  dialStatus: Dial | null;
  dialBridged: boolean | null;
  dialSeconds: number | null;
  leadLegSeconds: number | null;
  answeredBy: Answerer | null;
}

export const noFacts: CallFacts = {
  repLeg: null,
  leadLeg: null,
  leadRang: false,
  pressed: false,
  endRequested: false,
  dialStatus: null,
  dialBridged: null,
  dialSeconds: null,
  leadLegSeconds: null,
  answeredBy: null,
};

/** What the facts amount to. */
export interface CallView {
  state: CallState;
  result: CallResult | null;
  talkSeconds: number | null;
  /** The lead's phone rang, or could not be reached at all: the call is to be logged. */
  leadReached: boolean;
  /** Nothing more is to be learnt: the provider need not be asked. */
  settled: boolean;
}

/** A refusal stands until the provider tells another end. */
const repRanks = ["queued", "initiated", "ringing", "in-progress", "refused", ...dialStatuses] as const;
const dialRanks = ["never", ...dialStatuses] as const;
const firstEnd = legStatuses.indexOf("canceled");

/** The later of two words of one ranking; null knows nothing. */
function later<T extends string>(ranks: readonly T[], a: T | null, b: T | null): T | null {
  if (a === null || b === null) return a ?? b;
  return ranks.indexOf(a) >= ranks.indexOf(b) ? a : b;
}

function larger(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

function isEnd(leg: RepLeg | null): boolean {
  return leg === "refused" || (leg !== null && legStatuses.indexOf(leg) >= firstEnd);
}

function atLeast(leg: RepLeg | null, step: LegStatus): boolean {
  return leg !== null && leg !== "refused" && legStatuses.indexOf(leg) >= legStatuses.indexOf(step);
}

/** Words that only a phone which rang can have. */
const rangWords: readonly (LegStatus | Dial | null)[] = [
  "ringing",
  "in-progress",
  "no-answer",
  "busy",
  "completed",
];

/** Joins what was known with what is told now; the order of the two does not matter. */
export function mergeFacts(known: CallFacts, told: Partial<CallFacts>): CallFacts {
  const news = { ...noFacts, ...told };
  return {
    repLeg: later(repRanks, known.repLeg, news.repLeg),
    leadLeg: later(legStatuses, known.leadLeg, news.leadLeg),
    leadRang:
      known.leadRang ||
      news.leadRang ||
      rangWords.includes(news.leadLeg) ||
      rangWords.includes(news.dialStatus),
    pressed: known.pressed || news.pressed,
    endRequested: known.endRequested || news.endRequested,
    dialStatus: later(dialRanks, known.dialStatus, news.dialStatus),
    dialBridged: known.dialBridged === true ? true : (news.dialBridged ?? known.dialBridged),
    dialSeconds: larger(known.dialSeconds, news.dialSeconds),
    leadLegSeconds: larger(known.leadLegSeconds, news.leadLegSeconds),
    answeredBy: later(answerers, known.answeredBy, news.answeredBy),
  };
}

function stateOf(facts: CallFacts): CallState {
  if (isEnd(facts.repLeg) || isEnd(facts.leadLeg) || facts.dialStatus !== null) return "ended";
  if (atLeast(facts.leadLeg, "in-progress")) return "in_progress";
  if (facts.pressed || facts.leadLeg !== null) return "ringing_lead";
  if (atLeast(facts.repLeg, "in-progress")) return "confirming";
  if (atLeast(facts.repLeg, "initiated")) return "ringing_rep";
  return "requested";
}

/** How the lead's side ended, or null while that is not known. */
function leadEnd(facts: CallFacts): Dial | null {
  if (facts.dialStatus !== null && facts.dialStatus !== "never") return facts.dialStatus;
  if (isEnd(facts.leadLeg)) return facts.leadLeg as DialStatus;
  return facts.dialStatus;
}

/** The lead's phone is rung, was, or is about to be. */
export function isDialled(facts: { [Fact in "pressed" | "leadLeg" | "dialStatus"]: unknown }): boolean {
  return facts.pressed === true || facts.leadLeg !== null || facts.dialStatus !== null;
}

/** A call that ended before the lead was dialled. */
function attemptResult(facts: CallFacts): CallResult {
  if (facts.repLeg === "refused") return "failed";
  if (facts.repLeg === "canceled" || facts.endRequested) return "canceled";
  return facts.repLeg === "completed" ? "not_confirmed" : "rep_not_reached";
}

/** The provider's events as an outcome (facts of Twilio, "Outcome of the lead leg"). */
function endedResult(facts: CallFacts): CallResult {
  if (!isDialled(facts)) return attemptResult(facts);
  const end = leadEnd(facts);
  if (end === "busy") return "busy";
  if (end === "no-answer") return "no_answer";
  if (end === "failed") return "disconnected";
  if (end === "canceled") return facts.leadRang ? "unclear" : "canceled";
  if (end === "never") return "canceled";
  // Ended with the lead on the line, or so it was last heard.
  if (end === "completed" || facts.leadLeg === "in-progress") {
    if (facts.answeredBy === "machine") return "voicemail";
    return facts.dialBridged === false ? "unclear" : "answered";
  }
  return "unclear";
}

function isSettled(facts: CallFacts, result: CallResult): boolean {
  if (facts.repLeg === "refused") return true;
  if (!isDialled(facts)) return true;
  const end = leadEnd(facts);
  if (end === null) return false;
  // Whether a person or a machine answered comes in a request of its own, which may be lost: the provider knows.
  if (end === "completed" && facts.answeredBy === null) return false;
  const talked = result === "answered" || result === "voicemail";
  return !talked || facts.dialSeconds !== null || facts.leadLegSeconds !== null;
}

/** State, result and talk time from the facts alone. */
export function deriveCall(facts: CallFacts): CallView {
  const state = stateOf(facts);
  if (state !== "ended") {
    return { state, result: null, talkSeconds: null, leadReached: facts.leadRang, settled: false };
  }
  const result = endedResult(facts);
  const settled = isSettled(facts, result);
  const talked = result === "answered" || result === "voicemail";
  const silence = settled || facts.dialBridged === false ? 0 : null;
  return {
    state,
    result,
    talkSeconds: talked ? (facts.dialSeconds ?? facts.leadLegSeconds) : silence,
    leadReached: facts.leadRang || leadEnd(facts) === "failed",
    settled,
  };
}

/** The outcome that a result suggests; null where only the rep can tell. */
export function suggestedOutcome(result: CallResult | null): CallOutcome | null {
  switch (result) {
    case "answered":
    case "voicemail":
    case "busy":
    case "no_answer":
    case "disconnected":
      return result;
    default:
      return null;
  }
}
