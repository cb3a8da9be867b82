import type { Leg } from "./leg.ts";

type Given = Pick<
  Leg,
  | "sid"
  | "parentSid"
  | "from"
  | "to"
  | "direction"
  | "person"
  | "ringSeconds"
  | "timeLimitSeconds"
  | "document"
  | "callback"
  | "machineDetection"
  | "baseUrl"
>;

/** A leg in its initial state. */
export function newLeg(given: Given & Partial<Pick<Leg, "twiml" | "fallback" | "queuedMs" | "says">>): Leg {
  return {
    twiml: null,
    fallback: null,
    queuedMs: 0,
    says: null,
    ...given,
    status: "queued",
    activity: "waiting",
    createdAt: Date.now(),
    startedAt: null,
    endedAt: null,
    answeredAt: null,
    durationSeconds: null,
    callbacksSent: 0,
    answeredBy: null,
    steps: [],
    fetch: null,
    gather: null,
    dial: null,
    record: null,
    transcript: [],
    asked: 0,
    dials: 0,
    pressed: "",
    warnings: [],
    optedOut: false,
    bridged: false,
  };
}
