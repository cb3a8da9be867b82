import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  deriveInbound,
  type InboundFacts,
  inboundSteps,
  mergeInbound,
  nextStep,
  noInboundFacts,
} from "./machine.ts";

const ends = fc.option(
  fc.record({ bridged: fc.constantFrom(true, false, null), seconds: fc.option(fc.nat(600)) }),
);
const anyFacts: fc.Arbitrary<Partial<InboundFacts>> = fc.oneof(
  fc.record({ asked: fc.constantFrom(...inboundSteps) }),
  fc.record({ taken: fc.constantFrom("rep", "office") as fc.Arbitrary<"rep" | "office"> }),
  fc.record({ rep: ends }),
  fc.record({ office: ends }),
  fc.record({ voicemailSeconds: fc.option(fc.nat(120)) }),
  fc.constant({ gone: true }),
);
const stages = ["ringing_rep", "ringing_office", "talking", "voicemail", "ended"];
const all = (events: Partial<InboundFacts>[]) => events.reduce<InboundFacts>(mergeInbound, noInboundFacts);

describe("events of an inbound call", () => {
  it("end in the same state in any order and with any repetition", () => {
    fc.assert(
      fc.property(fc.array(anyFacts, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (events, numbers) => {
        const shuffled = events
          .flatMap((item) => [item, item])
          .map((item) => ({ item, at: numbers.next().value ?? 0 }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ item }) => item);
        expect(all(shuffled)).toEqual(all(events));
      }),
    );
  });

  it("move the stage only forward", () => {
    fc.assert(
      fc.property(fc.array(anyFacts, { maxLength: 12 }), (events) => {
        let facts = noInboundFacts;
        for (const item of events) {
          const before = stages.indexOf(deriveInbound(facts).stage);
          facts = mergeInbound(facts, item);
          expect(stages.indexOf(deriveInbound(facts).stage)).toBeGreaterThanOrEqual(before);
        }
      }),
    );
  });

  it("move a waiting caller from step to step to an end, each step once", () => {
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), (rep, office) => {
        let facts = noInboundFacts;
        const heard: string[] = [];
        for (let step = nextStep(facts, { rep, office }); step !== null; ) {
          heard.push(step);
          facts = mergeInbound(facts, { asked: step });
          expect(nextStep(facts, { rep, office })).toBe(step);
          if (step === "voicemail") break;
          facts = mergeInbound(facts, { [step]: { bridged: false, seconds: 3 } });
          step = nextStep(facts, { rep, office });
        }
        expect(heard).toEqual([...(rep ? ["rep"] : []), ...(office ? ["office"] : []), "voicemail"]);
      }),
    );
  });
});

describe("the result of an inbound call", () => {
  const of = (facts: Partial<InboundFacts>) => deriveInbound({ ...noInboundFacts, ...facts });

  it.each<[string, Partial<InboundFacts>, object]>([
    ["ringing while the consultant's phone rings", { asked: "rep" }, { stage: "ringing_rep", result: null }],
    ["a talk after 1 was pressed", { asked: "rep", taken: "rep" }, { stage: "talking", result: null }],
    [
      "answered after the talk",
      { asked: "rep", taken: "rep", rep: { bridged: true, seconds: 40 }, gone: true },
      { stage: "ended", result: "answered", durationSeconds: 40 },
    ],
    [
      "answered by the office line after the consultant's voicemail",
      {
        asked: "office",
        taken: "office",
        rep: { bridged: false, seconds: 9 },
        office: { bridged: null, seconds: 31 },
        gone: true,
      },
      { result: "answered", durationSeconds: 31 },
    ],
    [
      "missed when the caller hung up before 1 was pressed",
      { asked: "rep", taken: "rep", rep: { bridged: false, seconds: 2 }, gone: true },
      { result: "missed", durationSeconds: 0 },
    ],
    [
      "a voicemail when a message was left",
      { asked: "voicemail", voicemailSeconds: 12, gone: true },
      { result: "voicemail" },
    ],
    [
      "missed when nobody spoke after the tone",
      { asked: "voicemail", voicemailSeconds: 0, gone: true },
      { result: "missed" },
    ],
    ["missed when the caller hung up while it rang", { asked: "rep", gone: true }, { result: "missed" }],
  ])("%s", (_what, facts, view) => {
    expect(of(facts)).toMatchObject(view);
  });
});
