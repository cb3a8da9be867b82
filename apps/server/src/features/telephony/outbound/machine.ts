import type { CallResult, CallState, loggedOutcomes } from "@portal/contract/entities/call";
import {
  type Answerer,
  type DialStatus,
  dialStatuses,
  type LegStatus,
  legStatuses,
} from "../../../ports/telephony.ts";

/** `refused`: the provider was never asked, refused, or never made the call. Any status from the provider outranks it. */
export type RepLeg = LegStatus | "refused";
/** `never`: the provider has no lead's leg although it was to be dialed. */
export type Dial = DialStatus | "never";

/**
 * `unasked`: the lead was dialed without machine detection. A detection that arrives anyway outranks it; a detection without a result does
 * not.
 */
const answerRanks = ["unknown", "unasked", "fax", "human", "machine"] as const satisfies (
  | Answerer
  | "unasked"
)[];
export type AnswerFact = (typeof answerRanks)[number];

/** The facts of a call. Each fact only moves forward, so that events may come late, twice or in any order. */
export interface CallFacts {
  repLeg: RepLeg | null;
  leadLeg: LegStatus | null;
  /** The lead's phone is known to have rung. */
  leadRang: boolean;
  /** The consultant pressed 1, or did not need to: the provider was told to dial the lead. */
  pressed: boolean;
  /** The consultant asked to end the call. */
  endRequested: boolean;
  dialStatus: Dial | null;
  dialBridged: boolean | null;
  dialDurationSeconds: number | null;
  leadLegDurationSeconds: number | null;
  answeredBy: AnswerFact | null;
  /** Why the network did not connect the lead's leg (SIP response code); null where the provider does not say. */
  leadSipCode: number | null;
  /** The lead answered on an open line that the consultant had left, so that nobody spoke with them. */
  leadAlone: boolean;
}

export const noFacts: CallFacts = {
  repLeg: null,
  leadLeg: null,
  leadRang: false,
  pressed: false,
  endRequested: false,
  dialStatus: null,
  dialBridged: null,
  dialDurationSeconds: null,
  leadLegDurationSeconds: null,
  answeredBy: null,
  leadSipCode: null,
  leadAlone: false,
};

/** The state that follows from the facts. */
export interface CallView {
  state: CallState;
  result: CallResult | null;
  durationSeconds: number | null;
  /** The call gets a log: the lead's phone rang, or could not be reached. */
  leadReached: boolean;
  /** All facts are final: the provider need not be asked. */
  settled: boolean;
}

/** A refusal stands until the provider reports another end. */
const repRanks = ["queued", "initiated", "ringing", "in-progress", "refused", ...dialStatuses] as const;
const dialRanks = ["never", ...dialStatuses] as const;
const firstEnd = legStatuses.indexOf("canceled");

/** The higher of two values in a ranking; null ranks lowest. */
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

/** Statuses that imply that the phone rang. */
const rangWords: readonly (LegStatus | Dial | null)[] = [
  "ringing",
  "in-progress",
  "no-answer",
  "busy",
  "completed",
];

/** Merges known with reported facts; the order does not matter. */
export function mergeFacts(known: CallFacts, reported: Partial<CallFacts>): CallFacts {
  const added = { ...noFacts, ...reported };
  return {
    repLeg: later(repRanks, known.repLeg, added.repLeg),
    leadLeg: later(legStatuses, known.leadLeg, added.leadLeg),
    leadAlone: known.leadAlone || added.leadAlone,
    leadRang:
      known.leadRang ||
      added.leadRang ||
      added.leadAlone ||
      rangWords.includes(added.leadLeg) ||
      rangWords.includes(added.dialStatus),
    pressed: known.pressed || added.pressed,
    endRequested: known.endRequested || added.endRequested,
    dialStatus: later(dialRanks, known.dialStatus, added.dialStatus),
    dialBridged: known.dialBridged === true ? true : (added.dialBridged ?? known.dialBridged),
    dialDurationSeconds: larger(known.dialDurationSeconds, added.dialDurationSeconds),
    leadLegDurationSeconds: larger(known.leadLegDurationSeconds, added.leadLegDurationSeconds),
    answeredBy: later(answerRanks, known.answeredBy, added.answeredBy),
    leadSipCode: larger(known.leadSipCode, added.leadSipCode),
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

/** How the lead's leg ended; null while unknown. */
function leadEnd(facts: CallFacts): Dial | null {
  if (facts.dialStatus !== null && facts.dialStatus !== "never") return facts.dialStatus;
  if (isEnd(facts.leadLeg)) return facts.leadLeg as DialStatus;
  return facts.dialStatus;
}

/** Whether the lead's phone rings, rang or is about to ring. */
export function isDialled(facts: { [Fact in "pressed" | "leadLeg" | "dialStatus"]: unknown }): boolean {
  return facts.pressed === true || facts.leadLeg !== null || facts.dialStatus !== null;
}

/** Whether the call ended before the lead was dialed. */
function attemptResult(facts: CallFacts): CallResult {
  if (facts.repLeg === "refused") return "failed";
  if (facts.repLeg === "canceled" || facts.endRequested) return "canceled";
  return facts.repLeg === "completed" ? "not_confirmed" : "rep_not_reached";
}

/** Whether the lead's phone was answered, however short the call was. */
function isAnswered(facts: CallFacts): boolean {
  const { leadLeg, dialStatus, dialBridged } = facts;
  return (
    dialBridged === true || dialStatus === "completed" || leadLeg === "in-progress" || leadLeg === "completed"
  );
}

/**
 * Whether the number itself is invalid: not found, gone, incomplete or nonexistent (RFC 3261). Any other or unexplained failure is the
 * network's or the account's: a carrier outage, geo permissions, the caller id, a trial account.
 */
const deadNumberCodes: readonly (number | null)[] = [404, 410, 484, 604];

/** The outcome that follows from the provider's events. */
function endedResult(facts: CallFacts): CallResult {
  if (!isDialled(facts)) return attemptResult(facts);
  if (facts.leadAlone) return "unclear";
  if (isAnswered(facts)) {
    // Only the consultant knows whether a person or a machine answered.
    if (facts.answeredBy === "unasked") return "unclear";
    return facts.answeredBy === "machine" ? "voicemail" : "answered";
  }
  const end = leadEnd(facts);
  if (end === "busy") return "busy";
  if (end === "no-answer") return "no_answer";
  if (end === "failed") return deadNumberCodes.includes(facts.leadSipCode) ? "disconnected" : "not_connected";
  if (end === "canceled") return facts.leadRang ? "unclear" : "canceled";
  return end === "never" ? "canceled" : "unclear";
}

function isSettled(facts: CallFacts): boolean {
  if (facts.repLeg === "refused" || !isDialled(facts)) return true;
  if (leadEnd(facts) === null) return false;
  if (!isAnswered(facts) || facts.leadAlone) return true;
  // The result of machine detection comes in a separate callback that may be lost, so the provider is asked.
  return facts.answeredBy !== null && talkOf(facts) !== null;
}

/** Seconds from the lead's answer to the end of the lead's leg, also where the two were not connected yet. */
function talkOf(facts: CallFacts): number | null {
  return facts.dialDurationSeconds ?? facts.leadLegDurationSeconds;
}

/** State, result and talk time from the facts alone. */
export function deriveCall(facts: CallFacts): CallView {
  const state = stateOf(facts);
  if (state !== "ended") {
    return { state, result: null, durationSeconds: null, leadReached: facts.leadRang, settled: false };
  }
  const result = endedResult(facts);
  const settled = isSettled(facts);
  const silence = settled ? 0 : null;
  return {
    state,
    result,
    durationSeconds: isDialled(facts) && isAnswered(facts) && !facts.leadAlone ? talkOf(facts) : silence,
    leadReached: facts.leadRang || leadEnd(facts) === "failed",
    settled,
  };
}

/** The log's outcome until the consultant gives one; null if only the consultant can tell, and while machine detection runs. */
export function outcomeOf({
  result,
  answeredBy,
}: {
  result: CallResult | null;
  answeredBy: string | null;
}): (typeof loggedOutcomes)[number] | null {
  switch (result) {
    case "answered":
      return answeredBy === null ? null : result;
    case "voicemail":
    case "busy":
    case "no_answer":
    case "disconnected":
    case "not_connected":
      return result;
    default:
      return null;
  }
}
