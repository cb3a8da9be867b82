/** Where a caller is led, in this order; a step that cannot be is passed over. */
export const inboundSteps = ["rep", "office", "voicemail"] as const;
export type InboundStep = (typeof inboundSteps)[number];
/** Steps that ring a phone of ours. */
export type RingStep = Exclude<InboundStep, "voicemail">;

/** How a phone of ours was rung: over, whether the two were connected (null where the provider does not say), seconds of talk. Rows store it so. */
export interface RingEnd {
  bridged: boolean | null;
  seconds: number | null;
}

/** What is known of an inbound call. Every fact only grows, so that events may come late, twice or in any order. */
export interface InboundFacts {
  /** The furthest step that the provider was asked to take. */
  asked: InboundStep | null;
  /** Before which ring the recording notice was played to the caller; null where they did not. */
  noticed: RingStep | null;
  /** On which phone 1 was pressed. */
  taken: RingStep | null;
  rep: RingEnd | null;
  office: RingEnd | null;
  /** Seconds that the caller spoke to the voicemail; null while there is none. */
  voicemailSeconds: number | null;
  /** The caller's leg is over. */
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

/** Joins what was known with what is reported now; the order of the two does not matter. */
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

/** The end of the phone on which 1 was pressed; null while it is not known. */
function takenEnd(facts: InboundFacts): RingEnd | null {
  return facts.taken && facts[facts.taken];
}

/** Somebody pressed 1 and the two were not kept apart: a caller led on to the voicemail afterwards never reached them. */
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

/** Stage, result and talk time from the facts alone. */
export function deriveInbound(facts: InboundFacts): InboundView {
  const stage = stageOf(facts);
  if (stage !== "ended") return { stage, result: null, durationSeconds: null };
  if (talked(facts)) return { stage, result: "answered", durationSeconds: takenEnd(facts)?.seconds ?? null };
  const spoke = (facts.voicemailSeconds ?? 0) > 0;
  return { stage, result: spoke ? "voicemail" : "missed", durationSeconds: 0 };
}

/**
 * What is played to the caller next, given the phones that can be rung; null: nothing more. A step that was asked for and is not
 * over is answered again, so that a repeated request changes nothing.
 */
export function nextStep(facts: InboundFacts, can: Record<RingStep, boolean>): InboundStep | null {
  if (facts.gone || talkedToTheEnd(facts)) return null;
  const at = facts.asked === null ? 0 : inboundSteps.indexOf(facts.asked);
  const waits = facts.asked !== null && (facts.asked === "voicemail" || facts[facts.asked] === null);
  if (waits) return facts.asked;
  // Who took the call and was not connected is not to be rung again: the caller may leave a message.
  if (facts.taken !== null) return "voicemail";
  const left = inboundSteps.slice(facts.asked === null ? 0 : at + 1);
  return left.find((step) => step === "voicemail" || can[step]) ?? "voicemail";
}

function talkedToTheEnd(facts: InboundFacts): boolean {
  const end = takenEnd(facts);
  return end !== null && end.bridged !== false;
}
