import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smsSegments, withoutAccents } from "./sms-segments.ts";

const count = (text: string) => {
  const { encoding, segments } = smsSegments(text);
  return `${encoding} ${segments}`;
};

describe("smsSegments", () => {
  it.each([
    ["", "GSM-7 0"],
    ["a".repeat(160), "GSM-7 1"],
    ["a".repeat(161), "GSM-7 2"],
    ["a".repeat(306), "GSM-7 2"],
    ["a".repeat(307), "GSM-7 3"],
    ["€".repeat(80), "GSM-7 1"],
    ["€".repeat(81), "GSM-7 2"],
    ["¿Cómo está?", "UCS-2 1"],
    ["¿Qué día? ¡Mañana!", "UCS-2 1"],
    ["¿Qué señal? ¡Buena, Ñandú!".replace("ú", "ü"), "GSM-7 1"],
    ["ó".repeat(70), "UCS-2 1"],
    ["ó".repeat(71), "UCS-2 2"],
    ["ó".repeat(134), "UCS-2 2"],
    ["ó".repeat(135), "UCS-2 3"],
    ["😀".repeat(35), "UCS-2 1"],
    ["😀".repeat(36), "UCS-2 2"],
    ["`", "UCS-2 1"],
    ["ç", "UCS-2 1"],
    ["Ç", "GSM-7 1"],
  ])("counts %j as %s", (text, expected) => {
    expect(count(text)).toBe(expected);
  });

  it("never splits an extension character or a surrogate pair", () => {
    // 152 + 2 units do not fit into the first segment of 153, so 306 units need three segments.
    expect(smsSegments(`${"a".repeat(152)}€${"a".repeat(152)}`)).toMatchObject({ units: 306, segments: 3 });
    expect(smsSegments(`${"ó".repeat(66)}😀${"ó".repeat(66)}`)).toMatchObject({ units: 134, segments: 3 });
  });

  it("keeps the whole text and never counts fewer segments than its units need", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 1600 }), (text) => {
        const { segments, units, unitsPerSegment } = smsSegments(text);
        expect(segments).toBeGreaterThanOrEqual(Math.ceil(units / unitsPerSegment));
        expect(smsSegments(`${text}a`).segments).toBeGreaterThanOrEqual(segments);
      }),
    );
  });
});

describe("a text without the accents that GSM-7 lacks", () => {
  it.each([
    ["¿Cómo está? Llámeme mañana", "¿Como esta? Llameme mañana"],
    ["ÁÍÓÚ é ñ ü ¡", "AIOU é ñ ü ¡"],
    ["u\u0301ltimo", "ultimo"],
    ["Hi", "Hi"],
  ])("of %j is %j", (text, plain) => {
    expect(withoutAccents(text)).toBe(plain);
  });

  it("fits into one segment instead of two", () => {
    const text = `Mañana te llamo. ${"Está bien. ".repeat(6)}`;
    expect(smsSegments(text)).toMatchObject({ encoding: "UCS-2", segments: 2 });
    expect(smsSegments(withoutAccents(text))).toMatchObject({ encoding: "GSM-7", segments: 1 });
  });
});
