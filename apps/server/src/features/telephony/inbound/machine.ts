/** Steps of an inbound call in this order; one that is not possible is skipped. */
export const inboundSteps = ["rep", "office", "voicemail"] as const;
export type InboundStep = (typeof inboundSteps)[number];
/** Steps that ring one of our phones. */
export type RingStep = Exclude<InboundStep, "voicemail">;

/**
 * How ringing one of our phones ended: whether the two were connected (null if the provider does not say), and seconds of talk. Stored as
 * JSON in this form.
 */
export interface RingEnd {
  bridged: boolean | null;
  seconds: number | null;
}

/** Facts about an inbound call. Each fact only moves forward, so that events may come late, twice or in any order. */
export interface InboundFacts {
  /** The furthest step for which the provider got instructions. */
  asked: InboundStep | null;
  /** Before which ring the recording notice was played; null if it was not. */
  noticed: RingStep | null;
  /** On which phone 1 was pressed. */
  taken: RingStep | null;
  rep: RingEnd | null;
  office: RingEnd | null;
  /** Seconds of the caller's voicemail; null while there is none. */
  voicemailSeconds: number | null;
  /** The caller's leg has ended. */
  gone: boolean;
}

export const noInboundFacts: InboundFacts = {
  asked: null,
  noticed: null,
  taken: null,
  rep: null,
  office: null,
  voicemailSeconds: null,
  gone: false,
};

export interface InboundView {
  stage: "ringing_rep" | "ringing_office" | "talking" | "voicemail" | "ended";
  result: "answered" | "voicemail" | "missed" | null;
  durationSeconds: number | null;
}

function later<T extends InboundStep>(a: T | null, b: T | null): T | null {
  if (a === null || b === null) return a ?? b;
  return inboundSteps.indexOf(a) >= inboundSteps.indexOf(b) ? a : b;
}

function larger(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

function joined(a: RingEnd | null, b: RingEnd | null): RingEnd | null {
  if (a === null || b === null) return a ?? b;
  const bridged = a.bridged === true || b.bridged === true ? true : (a.bridged ?? b.bridged);
  return { bridged, seconds: larger(a.seconds, b.seconds) };
}

/** Merges known with reported facts; the order does not matter. */
export function mergeInbound(known: InboundFacts, reported: Partial<InboundFacts>): InboundFacts {
  const added = { ...noInboundFacts, ...reported };
  return {
    asked: later(known.asked, added.asked),
    noticed: [known.noticed, added.noticed].includes("rep") ? "rep" : (known.noticed ?? added.noticed),
    taken: later(known.taken, added.taken),
    rep: joined(known.rep, added.rep),
    office: joined(known.office, added.office),
    voicemailSeconds: larger(known.voicemailSeconds, added.voicemailSeconds),
    gone: known.gone || added.gone,
  };
}

/** The end of the phone on which 1 was pressed; null while unknown. */
function takenEnd(facts: InboundFacts): RingEnd | null {
  return facts.taken && facts[facts.taken];
}

/** Whether somebody pressed 1 and was connected. A caller who was moved to the voicemail afterwards was not. */
function talked(facts: InboundFacts): boolean {
  if (facts.taken === null) return false;
  const bridged = takenEnd(facts)?.bridged ?? null;
  return bridged ?? facts.asked !== "voicemail";
}

function stageOf(facts: InboundFacts): InboundView["stage"] {
  if (facts.gone) return "ended";
  if (facts.asked === "voicemail") return "voicemail";
  if (facts.taken !== null) return "talking";
  return facts.asked === "office" ? "ringing_office" : "ringing_rep";
}

/** Stage, result and talk time, derived from the facts alone. */
export function deriveInbound(facts: InboundFacts): InboundView {
  const stage = stageOf(facts);
  if (stage !== "ended") return { stage, result: null, durationSeconds: null };
  if (talked(facts)) return { stage, result: "answered", durationSeconds: takenEnd(facts)?.seconds ?? null };
  const spoke = (facts.voicemailSeconds ?? 0) > 0;
  return { stage, result: spoke ? "voicemail" : "missed", durationSeconds: 0 };
}

/**
 * The next step for the caller, given the phones that can be rung; null if there is none. A step that was started and has not ended is
 * returned again, so that a repeated request changes nothing.
 */
export function nextStep(facts: InboundFacts, can: Record<RingStep, boolean>): InboundStep | null {
  if (facts.gone || talkedToTheEnd(facts)) return null;
  const at = facts.asked === null ? 0 : inboundSteps.indexOf(facts.asked);
  const waits = facts.asked !== null && (facts.asked === "voicemail" || facts[facts.asked] === null);
  if (waits) return facts.asked;
  // A phone whose owner pressed 1 but was not connected is not rung again: the caller may leave a message.
  if (facts.taken !== null) return "voicemail";
  const left = inboundSteps.slice(facts.asked === null ? 0 : at + 1);
  return left.find((step) => step === "voicemail" || can[step]) ?? "voicemail";
}

function talkedToTheEnd(facts: InboundFacts): boolean {
  const end = takenEnd(facts);
  return end !== null && end.bridged !== false;
}
