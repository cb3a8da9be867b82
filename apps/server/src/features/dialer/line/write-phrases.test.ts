import { describe, expect, it } from "vitest";
import { phrases, writeBrief } from "./write-phrases.ts";

const now = new Date("2026-03-10T15:00:00Z");
const facts = {
  ...{ name: "Laura Gómez", city: "Tampa", attempts: 1 },
  ...{
    followUpDate: new Date("2026-03-12T19:30:00Z"),
    followUpTime: "15:30",
    followUpZone: "America/New_York",
  },
};

describe("a lead's brief", () => {
  it.each([
    ["en", "off", {}, ""],
    ["en", "short", {}, "Laura Gómez, Tampa, second try."],
    ["en", "full", {}, "Laura Gómez, Tampa, second try, asked for Thursday at 15:30."],
    ["en", "full", { followUpDate: null }, "Laura Gómez, Tampa, second try."],
    ["en", "short", { city: null, attempts: 3 }, "Laura Gómez, try number 4."],
    ["es", "short", {}, "Laura Gómez, Tampa, segundo intento."],
    ["es", "full", {}, "Laura Gómez, Tampa, segundo intento, pidió para el jueves a las 15:30."],
    [
      "es",
      "full",
      { followUpDate: new Date("2026-04-02T19:30:00Z"), followUpTime: null, attempts: 5 },
      "Laura Gómez, Tampa, intento número 6, pidió para el jueves, 2 de abril.",
    ],
    ["es", "short", { name: "L".repeat(200), city: null }, `${"L".repeat(60)}, segundo intento.`],
  ] as const)("in %s, %s", (language, brief, more, expected) => {
    expect(writeBrief({ ...facts, ...more }, { brief, language, now })).toBe(expected);
  });
});

it("the Spanish speech uses the same word for a lead as the Spanish screens", () => {
  const { outcomes, waiting, correct, ...rest } = phrases.es;
  const said = [...Object.values(rest), ...Object.values(outcomes), waiting(1), waiting(2), correct("", "")];
  expect(said.filter((text) => /\bleads?\b/i.test(text))).toEqual([]);
});
