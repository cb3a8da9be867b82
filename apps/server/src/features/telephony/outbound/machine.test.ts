import { type CallResult, callStates } from "@portal/contract/entities/call";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerers, dialStatuses, legStatuses } from "../../../ports/telephony.ts";
import { type CallFacts, deriveCall, mergeFacts, noFacts, outcomeOf } from "./machine.ts";

type Report = Partial<CallFacts>;

const after = (...reports: Report[]) => deriveCall(reports.reduce<CallFacts>(mergeFacts, noFacts));

const repAnswered: Report[] = [{ repLeg: "queued" }, { repLeg: "ringing" }, { repLeg: "in-progress" }];
const leadRings: Report[] = [
  ...repAnswered,
  { pressed: true },
  { leadLeg: "initiated" },
  { leadLeg: "ringing" },
];

const anyReport: fc.Arbitrary<Report> = fc.oneof(
  fc.constantFrom(...legStatuses, "refused" as const).map((repLeg) => ({ repLeg })),
  fc.constantFrom(...legStatuses).map((leadLeg) => ({ leadLeg })),
  fc.constantFrom<Report>({ pressed: true }, { endRequested: true }, { leadRang: true }),
  fc.record({
    dialStatus: fc.constantFrom(...dialStatuses, "never" as const),
    dialBridged: fc.constantFrom(true, false, null),
    dialDurationSeconds: fc.option(fc.nat(7200), { nil: null }),
  }),
  fc.record({ leadLeg: fc.constantFrom("completed" as const), leadLegDurationSeconds: fc.nat(7200) }),
  fc.constantFrom(...answerers, "unasked" as const).map((answeredBy) => ({ answeredBy })),
);

describe("the call state machine", () => {
  it("ends in the same state whatever the order and repetition of the events", () => {
    const scenario = fc
      .array(anyReport, { maxLength: 12 })
      .chain((reports) =>
        fc.tuple(
          fc.constant(reports),
          fc.shuffledSubarray([...reports, ...reports], { minLength: 0, maxLength: reports.length * 2 }),
          fc.shuffledSubarray(reports, { minLength: reports.length, maxLength: reports.length }),
        ),
      );
    fc.assert(
      fc.property(scenario, ([reports, repeats, shuffled]) => {
        const once = reports.reduce<CallFacts>(mergeFacts, noFacts);
        const other = [...shuffled, ...repeats].reduce<CallFacts>(mergeFacts, noFacts);
        expect(other).toEqual(once);
        expect(deriveCall(other)).toEqual(deriveCall(once));
      }),
    );
  });

  it("never moves back to an earlier state", () => {
    fc.assert(
      fc.property(fc.array(anyReport, { maxLength: 12 }), (reports) => {
        let facts = noFacts;
        let reached = 0;
        for (const one of reports) {
          facts = mergeFacts(facts, one);
          const { state, result } = deriveCall(facts);
          expect(callStates.indexOf(state)).toBeGreaterThanOrEqual(reached);
          expect(result === null).toBe(state !== "ended");
          reached = callStates.indexOf(state);
        }
      }),
    );
  });

  it("moves from the request to the talk", () => {
    expect(after().state).toBe("requested");
    expect(after({ repLeg: "queued" }).state).toBe("requested");
    expect(after({ repLeg: "initiated" }).state).toBe("ringing_rep");
    expect(after(...repAnswered).state).toBe("confirming");
    expect(after(...repAnswered, { pressed: true }).state).toBe("ringing_lead");
    expect(after(...leadRings).state).toBe("ringing_lead");
    expect(after(...leadRings, { leadLeg: "in-progress" }).state).toBe("in_progress");
  });

  it.each<[string, Report[], string, number | null]>([
    [
      "a talk",
      [{ dialStatus: "completed", dialBridged: true, dialDurationSeconds: 74 }, { answeredBy: "human" }],
      "answered",
      74,
    ],
    [
      "a talk without DialBridged",
      [{ dialStatus: "completed", dialDurationSeconds: 12 }, { answeredBy: "unknown" }],
      "answered",
      12,
    ],
    [
      "a machine",
      [{ dialStatus: "completed", dialBridged: true, dialDurationSeconds: 9 }, { answeredBy: "machine" }],
      "voicemail",
      9,
    ],
    [
      "a hang-up before the two were connected",
      [{ dialStatus: "completed", dialBridged: false, dialDurationSeconds: 2 }, { answeredBy: "unknown" }],
      "answered",
      2,
    ],
    [
      "a rep who hangs up as the lead answers",
      [
        { leadLeg: "completed", leadLegDurationSeconds: 2 },
        { dialStatus: "canceled" },
        { answeredBy: "unknown" },
      ],
      "answered",
      2,
    ],
    [
      "an answer without machine detection",
      [{ answeredBy: "unasked" }, { dialStatus: "completed", dialBridged: true, dialDurationSeconds: 74 }],
      "unclear",
      74,
    ],
    [
      "an answer without machine detection in the provider's record",
      [{ answeredBy: "unasked" }, { leadLeg: "completed", leadLegDurationSeconds: 9, answeredBy: "unknown" }],
      "unclear",
      9,
    ],
    [
      "an answer with a detection that was not requested",
      [
        { answeredBy: "unasked" },
        { dialStatus: "completed", dialDurationSeconds: 9 },
        { answeredBy: "machine" },
      ],
      "voicemail",
      9,
    ],
    ["a busy lead without machine detection", [{ answeredBy: "unasked" }, { dialStatus: "busy" }], "busy", 0],
    ["a busy lead", [{ dialStatus: "busy" }], "busy", 0],
    ["a lead who does not answer", [{ leadLeg: "no-answer" }], "no_answer", 0],
    ["a number that does not exist", [{ leadLeg: "failed", leadSipCode: 404 }], "disconnected", 0],
    ["a number that no longer exists", [{ dialStatus: "failed" }, { leadSipCode: 410 }], "disconnected", 0],
    ["an incomplete number", [{ leadSipCode: 484 }, { dialStatus: "failed" }], "disconnected", 0],
    ["a number that does not exist anywhere", [{ leadLeg: "failed", leadSipCode: 604 }], "disconnected", 0],
    ["a network failure", [{ dialStatus: "failed" }, { leadSipCode: 503 }], "not_connected", 0],
    ["a failed Dial without a reason", [{ dialStatus: "failed" }], "not_connected", 0],
    ["a rep who hangs up while the lead rings", [{ dialStatus: "canceled" }], "unclear", 0],
  ])("derives the result of %s", (_what, reports, result, durationSeconds) => {
    const view = after(...leadRings, ...reports);
    expect(view).toMatchObject({ state: "ended", result, durationSeconds, leadReached: true, settled: true });
  });

  it.each<[string, Report[], string]>([
    ["the rep's phone is busy", [{ repLeg: "busy" }], "rep_not_reached"],
    ["the rep does not answer", [{ repLeg: "no-answer" }], "rep_not_reached"],
    ["1 is never pressed", [...repAnswered, { repLeg: "completed" }], "not_confirmed"],
    [
      "the rep ends the call before",
      [...repAnswered, { endRequested: true }, { repLeg: "completed" }],
      "canceled",
    ],
    ["the provider refuses", [{ repLeg: "refused" }], "failed"],
    ["the provider cancels it", [{ repLeg: "canceled" }], "canceled"],
    [
      "no leg of the lead was created",
      [{ pressed: true, repLeg: "completed" }, { dialStatus: "never" }],
      "canceled",
    ],
  ])("reports that the lead's phone never rang when %s", (_what, reports, result) => {
    expect(after(...reports)).toMatchObject({
      result,
      leadReached: false,
      settled: true,
      durationSeconds: 0,
    });
  });

  it("is not settled while the end of a dialed lead's leg is unknown", () => {
    const lost = after({ pressed: true }, { repLeg: "completed" });
    expect(lost).toMatchObject({ state: "ended", result: "unclear", settled: false, durationSeconds: null });
    const talked = after(...leadRings, { leadLeg: "in-progress" }, { repLeg: "completed" });
    expect(talked).toMatchObject({ result: "answered", settled: false, durationSeconds: null });
  });

  it("suggests no outcome while it is unknown whether a person or a machine answered", () => {
    const talked = after(...leadRings, {
      dialStatus: "completed",
      dialBridged: true,
      dialDurationSeconds: 74,
    });
    expect(talked).toMatchObject({ result: "answered", settled: false, durationSeconds: 74 });
    expect(outcomeOf({ ...talked, answeredBy: null })).toBeNull();
    expect(outcomeOf({ ...talked, answeredBy: "unknown" })).toBe("answered");
    const unmet = after(...leadRings, {
      dialStatus: "completed",
      dialBridged: false,
      dialDurationSeconds: 2,
    });
    expect(unmet).toMatchObject({ result: "answered", settled: false, durationSeconds: 2 });
  });

  it("prefers the talk time of the dial over that of the lead's leg, which includes the notice", () => {
    const view = after(
      { leadLeg: "completed", leadLegDurationSeconds: 80 },
      { dialStatus: "completed", dialDurationSeconds: 74 },
    );
    expect(view.durationSeconds).toBe(74);
  });

  it("suggests an outcome only when the provider can know it", () => {
    const suggested = (result: CallResult) => outcomeOf({ result, answeredBy: null });
    expect(suggested("voicemail")).toBe("voicemail");
    expect(suggested("unclear")).toBeNull();
    expect(suggested("rep_not_reached")).toBeNull();
  });
});
